/* history.c - a search for an order of operations: Wing and Gong, with the memory of Lowe
 * SPDX-License-Identifier: MIT
 *
 * J. M. Wing, C. Gong, "Testing and Verifying Concurrent Objects", 1993. G. Lowe, "Testing for Linearizability", 2017.
 *
 * Any operation that begins before the first end can be the next one. If its result is right, it leaves, and the search
 * goes on at the front; where none can be the next one, it takes back the last one. A table remembers which operations
 * had left, with which value: so little is searched twice. It has hashes of 64 bits alone, and newer ones replace older
 * ones. */
#include "history.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { REMEMBERED = 1 << 16 };

/* The one search of a program at a time. */
static struct search {
    const struct operation *operations;
    int count, depth; /* DEPTH: of ORDER */
    bool has_left[HISTORY_MOST];
    uint64_t which; /* a hash of those that have left */
    long first_end; /* of the others */
    long value;
    struct taken {
        int operation;
        long value; /* before it */
    } order[HISTORY_MOST];
    uint64_t remembered[REMEMBERED];
} search;

static uint64_t hash(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 31;
}

/* Whether an operation can have its result at this value; then the value that it leaves. */
static bool step(const struct operation *operation, long *value)
{
    const struct command *command = &operation->command;
    bool is_open = !operation->ended, is_right = command->what[0] != 'c' || *value == command->old;

    if (command->what[0] == 'g')
        return is_open || operation->result == *value;
    if (is_right)
        *value = command->new;
    return is_open || operation->result == is_right;
}

/* Find the first end of the operations that have not left. False: all that have an end have left. */
static bool find_first_end(void)
{
    search.first_end = LONG_MAX;
    for (int i = 0; i < search.count; i++) {
        long ended = search.operations[i].ended;

        if (!search.has_left[i] && ended && ended < search.first_end)
            search.first_end = ended;
    }
    return search.first_end < LONG_MAX;
}

/* Let an operation be the next one, if that is right, and was not searched. */
static bool take(int operation)
{
    uint64_t which = search.which ^ hash((uint64_t)operation), state, *place;
    long value = search.value;

    if (search.has_left[operation] || search.operations[operation].begun > search.first_end ||
        !step(&search.operations[operation], &value))
        return false;
    state = hash(which ^ hash(~(uint64_t)value));
    place = &search.remembered[state % REMEMBERED];
    if (*place == state)
        return false;
    *place = state;
    search.order[search.depth++] = (struct taken){operation, search.value};
    search.has_left[operation] = true;
    search.which = which;
    search.value = value;
    return true;
}

static int take_back(void)
{
    struct taken last = search.order[--search.depth];

    search.has_left[last.operation] = false;
    search.which ^= hash((uint64_t)last.operation);
    search.value = last.value;
    return last.operation;
}

bool history_is_linear(const struct operation *operations, int count)
{
    memset(&search, 0, sizeof search);
    search.operations = operations;
    search.count = count;
    for (int next = 0; find_first_end();) {
        while (next < count && !take(next))
            next++;
        if (next < count)
            next = 0;
        else if (search.depth)
            next = take_back() + 1;
        else
            return false;
    }
    return true;
}
