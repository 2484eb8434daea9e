/* mappings.c - how many guards by mprotect the process may add and still have mappings left
 * SPDX-License-Identifier: MIT */
#include "../fork.h"
#include "stack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A guard by mprotect splits a mapping and so adds two. One in 16 of the mappings that a process
 * may have is left for malloc, threads and libraries, which fail in unexpected ways without it. */
enum { EACH = 2, KEPT = 16, AGAIN = 1024, CHUNK = 4096 };

static long granted;     /* guards that may be made before the mappings are counted again */
static unsigned refused; /* guards refused since the last one was granted */

/* The number of lines in a file, or -1 if it cannot be opened; *NUMBER: the number in the file. */
static long read_lines(const char *path, long *number)
{
    char text[CHUNK + 1];
    long lines = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (file < 0)
        return -1;
    while ((got = read(file, text, CHUNK)) > 0) {
        text[got] = '\0';
        if (number)
            *number = strtol(text, NULL, 10);
        for (ssize_t i = 0; i < got; i++)
            lines += text[i] == '\n';
    }
    close(file);
    return lines;
}

/* Half of the guards that there is room for: the next count then includes what the process has
 * mapped meanwhile. If the files cannot be read, there is no limit, or it is unknown. */
static long count(void)
{
    long limit = 0, mappings;

    if (read_lines("/proc/sys/vm/max_map_count", &limit) < 0)
        return AGAIN;
    mappings = read_lines("/proc/self/maps", NULL);
    if (mappings < 0)
        return AGAIN;
    return (limit - limit / KEPT - mappings) / EACH / 2;
}

bool pt_mappings_spare_(void)
{
    bool spare;

    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    if (granted <= 0 && refused % AGAIN == 0) /* counting many takes long */
        granted = count();
    spare = granted > 0;
    if (spare)
        granted--;
    refused = spare ? 0 : refused + 1;
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
    return spare;
}

void pt_mappings_given_back_(void)
{
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    granted = 0;
    refused = 0;
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
}
