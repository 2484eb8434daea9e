/* maps.c - the mappings of the process, as Linux lists them
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "maps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__

enum { PAGE = 4096 };

void *pt_map_(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Whether a PATH, which can be NULL, is a file of a disk or a device. Memory that is shared without
 * one has such a name, too: a program can have its stacks there. */
static bool is_file(const char *path)
{
    static const char *const memory[] = {"/dev/zero", "/dev/shm/", "/memfd:", "/SYSV"};

    for (size_t i = 0; path && i < sizeof memory / sizeof memory[0]; i++)
        if (!strncmp(path, memory[i], strlen(memory[i])))
            return false;
    return path != NULL;
}

const char *pt_maps_parse_(const char *text, struct pt_mapping_ *mapping)
{
    const char *end = strchr(text, '\n'), *path;
    char *at;

    mapping->start = strtoul(text, &at, 16);
    mapping->end = strtoul(at + 1, &at, 16);
    mapping->writable = at[1] == 'r' && at[2] == 'w';
    path = memchr(at, '/', (size_t)(end - at));
    mapping->shared = at[4] == 's' && is_file(path);
    mapping->file = path != NULL;
    mapping->heap = !strncmp(end - 6, "[heap]", 6);
    return end + 1;
}

bool pt_maps_read_(struct pt_process_memory_ *it)
{
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    ssize_t got = 0;

    if (file < 0)
        return false;
    it->maps_room = 64 << 20;
    it->maps = pt_map_(it->maps_room);
    while (it->maps && it->maps_bytes + PAGE < it->maps_room &&
           (got = read(file, it->maps + it->maps_bytes, PAGE)) > 0)
        it->maps_bytes += (size_t)got;
    close(file);
    return it->maps && !got && it->maps_bytes;
}

#else

typedef int pt_maps_are_not_here_;

#endif
