/* heap.c - compares the configured heap, heap.h or heap_linked.h, with a sorted array
 * SPDX-License-Identifier: MIT
 *
 * Each operation is a byte for the kind (push, remove, rekey, let time pass) and two operands. */
#include "target.h"

#include <pt/queue/timers.h>

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 40 };

static struct {
    struct pt_heap heap;
    struct pt_heap_entry entries[NODES];
    struct pt_heap_node nodes[NODES];
    pt_time now;
    int sorted[NODES], count; /* the nodes in the heap, in the order in which they must leave it */
} world;

static const char *said; /* the current operation */

static void demand(bool holds)
{
    if (holds)
        return;
    fprintf(stderr, "the heap and the array differ: %s\n", said);
    abort();
}

/* The index of a node in the array; the end if it is not there. */
static int place_of(int node)
{
    int at = 0;

    while (at < world.count && world.sorted[at] != node)
        at++;
    return at;
}

static void drop(int at)
{
    world.count--;
    for (; at < world.count; at++)
        world.sorted[at] = world.sorted[at + 1];
}

/* Insert a node after all that are not later. */
static void insert(int node)
{
    int at = world.count++;

    for (; at && pt_time_before(world.nodes[node].at, world.nodes[world.sorted[at - 1]].at); at--)
        world.sorted[at] = world.sorted[at - 1];
    world.sorted[at] = node;
}

static void see_first(void)
{
    struct pt_heap_node *first = world.count ? &world.nodes[world.sorted[0]] : NULL;

    demand(pt_heap_first(&world.heap) == first);
}

static void pop(void)
{
    said = "pop";
    see_first();
    demand(pt_heap_pop(&world.heap) == &world.nodes[world.sorted[0]]);
    drop(0);
}

/* A delay: mostly short, so that many are equal; at most half of the longest one. */
static pt_time delay(unsigned byte)
{
    return byte < 224 ? byte % 8 : (pt_time)(PT_DELAY_MAX / 64 * (byte - 223));
}

/* Advance the time. Nodes that are due leave before anything is armed. */
static void pass(pt_time time)
{
    world.now = (pt_time)(world.now + time);
    while (world.count && !pt_time_before(world.now, world.nodes[world.sorted[0]].at))
        pop();
    said = "rebase";
    pt_heap_rebase(&world.heap, world.now);
}

/* Arm a node, arm it again, or remove it. */
static void change(bool out, int node, pt_time at)
{
    int place = place_of(node);
    bool armed = place < world.count;

    if (armed)
        drop(place);
    if (out) {
        said = "remove";
        if (armed)
            pt_heap_remove(&world.heap, &world.nodes[node]);
        return;
    }
    said = armed ? "rekey" : "push";
    world.nodes[node].at = at;
    if (armed)
        pt_heap_rekey(&world.heap, &world.nodes[node]);
    else
        pt_heap_push(&world.heap, &world.nodes[node]);
    insert(node);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world.now = (pt_time)((pt_time)0 - 20);
    world.count = 0;
    pt_heap_init(&world.heap, world.now);
    pt_heap_storage(&world.heap, world.entries, NODES);
    for (; size >= 3; data += 3, size -= 3) {
        if (data[0] % 8 == 0)
            pass(delay(data[2]));
        else
            change(data[0] % 8 == 1, data[1] % NODES, (pt_time)(world.now + delay(data[2])));
        see_first();
    }
    while (world.count)
        pop();
    see_first();
    return 0;
}
