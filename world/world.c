/* world.c - virtual time, and chance
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

struct process *running;
struct world_machine *here;

/* --- events: a heap with the earliest first -------------------------------------------------- */

static bool before(const struct event *one, const struct event *other)
{
    return one->at != other->at ? one->at < other->at : one->order < other->order;
}

static void put(struct world *world, size_t place, struct event *event)
{
    world->heap[place] = event;
    event->place = place;
}

/* Move what is at PLACE to where it belongs. */
static void sift(struct world *world, size_t place)
{
    struct event *event = world->heap[place];

    for (; place > 1 && before(event, world->heap[place / 2]); place /= 2)
        put(world, place, world->heap[place / 2]);
    for (size_t child; (child = 2 * place) <= world->scheduled; place = child) {
        child += child < world->scheduled && before(world->heap[child + 1], world->heap[child]);
        if (!before(world->heap[child], event))
            break;
        put(world, place, world->heap[child]);
    }
    put(world, place, event);
}

void event_cancel(struct world *world, struct event *event)
{
    size_t place = event->place;
    struct event *last;

    if (!place)
        return;
    event->place = 0;
    last = world->heap[world->scheduled--];
    if (last == event)
        return;
    put(world, place, last);
    sift(world, place);
}

void event_at_order(struct world *world, struct event *event, uint64_t at, uint64_t order)
{
    event_cancel(world, event);
    if (world->scheduled + 2 > world->room) {
        world->room = 2 * world->room + 64;
        world->heap = realloc(world->heap, world->room * sizeof *world->heap);
        if (!world->heap)
            abort();
    }
    event->at = at < world->now ? world->now : at;
    event->order = order;
    put(world, ++world->scheduled, event);
    sift(world, world->scheduled);
}

void event_at(struct world *world, struct event *event, uint64_t at)
{
    event_at_order(world, event, at, world_chance(world, UINT64_MAX));
}

/* --- chance ---------------------------------------------------------------------------- */

/* splitmix64 */
uint64_t chance_from(uint64_t *state, uint64_t most)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % most;
}

uint64_t world_chance(struct world *world, uint64_t most)
{
    return chance_from(&world->random, most);
}

/* --- the world ------------------------------------------------------------------------------- */

struct world *world_open(uint64_t seed)
{
    struct world *world = calloc(1, sizeof *world);
    struct rlimit files;

    if (!world)
        abort();
    if (!getrlimit(RLIMIT_NOFILE, &files)) { /* a file for each start of a program */
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    mallopt(M_TRIM_THRESHOLD, INT_MAX); /* memory is used again, and the system is not asked */
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    world->seed = world->random = seed;
    world->hash = UINT64_C(0xcbf29ce484222325);
    world->slowness = 1;
    pt_fiber_root(&world->root);
    world_latency(world, 100 * WORLD_US, 500 * WORLD_US);
    return world;
}

struct kept {
    struct kept *next;
    _Alignas(max_align_t) char bytes[];
};

void *world_memory(struct world *world, size_t size)
{
    struct kept *kept = calloc(1, sizeof *kept + size);

    if (!kept)
        abort();
    kept->next = world->kept;
    world->kept = kept;
    return kept->bytes;
}

void world_free(struct world *world)
{
    for (struct kept *next, *kept = world->kept; kept; kept = next) {
        next = kept->next;
        free(kept);
    }
    free(world->heap);
    free(world);
}

uint64_t world_now(const struct world *world)
{
    return world->now;
}

void world_latency(struct world *world, uint64_t least, uint64_t most)
{
    world->latency_least = least;
    world->latency_most = most;
}

/* Let the first event happen, if it is not later than UNTIL. */
static bool step(struct world *world, uint64_t until)
{
    struct event *first = world->scheduled ? world->heap[1] : NULL;

    if (!first || first->at > until)
        return false;
    event_cancel(world, first);
    if (first->at > world->now) /* a program that reads the clock moves it */
        world->now = first->at;
    first->fire(first);
    return true;
}

bool world_run(struct world *world, uint64_t span)
{
    uint64_t until = world->now + span;

    while (step(world, until)) {
    }
    if (world->now < until)
        world->now = until;
    return world->scheduled > 0;
}

bool world_run_to_end(struct world_machine *machine, uint64_t most)
{
    uint64_t until = machine->world->now + most;

    while ((machine->state == RUNS || machine->returns) && step(machine->world, until)) {
    }
    return machine->state == ENDED && !machine->returns;
}
