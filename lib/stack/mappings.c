/* mappings.c - how many more guards the process may have, each a mapping, so that others still get some
 * SPDX-License-Identifier: MIT */
#include "stack.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* A guard by mprotect splits a mapping: two more. Of all that a process may have, one part in 16 is left
 * for malloc, for threads and for libraries: they report no error that anybody expects. */
enum { EACH = 2, KEPT = 16, AGAIN = 1024, CHUNK = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long granted;     /* guards that may be made before the mappings are counted again */
static unsigned refused; /* guards that were not, since the last one was granted */

/* The lines of a file, and the number at its start if it has one. -1: there is no such file. */
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

/* Half of the guards that there is room for: what else the process maps meanwhile is then counted, too.
 * Where nothing can be read there is no limit, or none that can be known. */
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

    pthread_mutex_lock(&lock);
    if (granted <= 0 && refused % AGAIN == 0) /* to count them takes long where there are many */
        granted = count();
    spare = granted > 0;
    if (spare)
        granted--;
    refused = spare ? 0 : refused + 1;
    pthread_mutex_unlock(&lock);
    return spare;
}

void pt_mappings_given_back_(void)
{
    pthread_mutex_lock(&lock);
    granted = 0;
    refused = 0;
    pthread_mutex_unlock(&lock);
}
