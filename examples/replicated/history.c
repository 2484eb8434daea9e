/* history.c - a search for an order of operations: Wing and Gong, with the memory of Lowe
 * SPDX-License-Identifier: MIT
 *
 * J. M. Wing, C. Gong, "Testing and Verifying Concurrent Objects", 1993. G. Lowe, "Testing for Linearizability", 2017.
 *
 * Begins and ends stand in a list in the order of time. Any operation that begins before the first end can be the next
 * one. If its result is right, it leaves the list, and the search goes on at the front; behind the first end it takes
 * back the last one. A table remembers which operations had left, with which value: so little is searched twice. It
 * has hashes of 64 bits alone, and newer ones replace older ones. */
#include "history.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 1 << 16 };

struct node {
    struct node *previous, *next, *end; /* END: of a begin */
    int operation;
    long at;
};

/* The one search of a program at a time. */
static struct search {
    const struct operation *operations;
    int missing; /* ended operations in the list */
    long value;
    uint64_t left; /* a hash of the operations that have left the list */
    struct node head, nodes[2 * HISTORY_MOST], tail;
    struct taken {
        struct node *node;
        long value; /* before it */
    } taken[HISTORY_MOST];
    int depth;
    uint64_t remembered[REMEMBERED];
} search;

static uint64_t hash(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 31;
}

/* --- the list -------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    long one = ((const struct node *)a)->at, other = ((const struct node *)b)->at;

    return (one > other) - (one < other);
}

/* Ends that did not come are behind all others. */
static void make_list(int count)
{
    struct node *begins[HISTORY_MOST] = {NULL}, *last = &search.head;

    for (int i = 0; i < count; i++) {
        const struct operation *operation = &search.operations[i];

        search.nodes[2 * i] = (struct node){.operation = i, .at = operation->begun};
        search.nodes[2 * i + 1] =
            (struct node){.operation = i, .at = operation->ended ? operation->ended : INT64_MAX};
        search.missing += operation->ended != 0;
    }
    qsort(search.nodes, 2 * (size_t)count, sizeof *search.nodes, by_time);
    for (struct node *node = search.nodes; node < search.nodes + 2 * count; node++) {
        node->previous = last;
        last = last->next = node;
        if (begins[node->operation])
            begins[node->operation]->end = node;
        begins[node->operation] = node;
    }
    last->next = &search.tail;
}

static void take_out(struct node *node)
{
    node->previous->next = node->next;
    node->next->previous = node->previous;
}

static void put_back(struct node *node)
{
    node->previous->next = node->next->previous = node;
}

/* --- the search ------------------------------------------------------------------------------ */

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

/* Take an operation out of the list, if that is right at this value, and was not searched. */
static bool take(struct node *node)
{
    const struct operation *operation = &search.operations[node->operation];
    uint64_t left = search.left ^ hash((uint64_t)node->operation), state, *place;
    long value = search.value;

    if (!step(operation, &value))
        return false;
    state = hash(left ^ hash(~(uint64_t)value));
    place = &search.remembered[state % REMEMBERED];
    if (*place == state)
        return false;
    *place = state;
    search.taken[search.depth++] = (struct taken){node, search.value};
    search.left = left;
    search.value = value;
    search.missing -= operation->ended != 0;
    take_out(node->end);
    take_out(node);
    return true;
}

static struct node *take_back(void)
{
    const struct taken *last = &search.taken[--search.depth];
    struct node *node = last->node;

    search.left ^= hash((uint64_t)node->operation);
    search.value = last->value;
    search.missing += search.operations[node->operation].ended != 0;
    put_back(node);
    put_back(node->end);
    return node;
}

bool history_is_linear(const struct operation *operations, int count)
{
    struct node *node;

    memset(&search, 0, sizeof search);
    search.operations = operations;
    make_list(count);
    for (node = search.head.next; search.missing;) {
        if (node->end && take(node))
            node = search.head.next;
        else if (node->end)
            node = node->next;
        else if (search.depth)
            node = take_back()->next;
        else
            return false; /* what has ended here can be at no place */
    }
    return true;
}
