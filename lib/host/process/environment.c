/* environment.c - the environment of a child process
 * SPDX-License-Identifier: MIT */
#include "environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* The length of the name that ENTRY begins with. */
static size_t name_length(const char *entry)
{
    return strcspn(entry, "=");
}

static bool has_name_of(const char *const *entries, const char *entry)
{
    size_t length = name_length(entry);

    for (; *entries; entries++)
        if (name_length(*entries) == length && !strncmp(*entries, entry, length))
            return true;
    return false;
}

static size_t count_of(const char *const *entries)
{
    size_t count = 0;

    while (entries[count])
        count++;
    return count;
}

const char *const *pt_environment_base_(const char *const *given)
{
    static const char *const nothing[] = {NULL};

    if (given)
        return given;
    return environ ? (const char *const *)environ : nothing; /* NULL: clearenv(3) */
}

const char **pt_environment_(const char *const *base, const char *const *variables)
{
    const char **all = malloc((count_of(base) + count_of(variables) + 1) * sizeof *all);
    size_t count = 0;

    if (!all)
        return NULL;
    for (; *base; base++)
        if (!has_name_of(variables, *base))
            all[count++] = *base;
    for (; *variables; variables++)
        if (strchr(*variables, '='))
            all[count++] = *variables;
    all[count] = NULL;
    return all;
}
