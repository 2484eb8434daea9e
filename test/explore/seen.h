/* seen.h - the states seen so far, and the number of ways from each to the end: an open hash table
 * SPDX-License-Identifier: MIT */
#ifndef PT_EXPLORE_SEEN_H
#define PT_EXPLORE_SEEN_H

#include <stdint.h>
#include <stdlib.h>

static struct seen {
    uint64_t hash; /* 0: none */
    double ways;   /* 0: they are being counted */
} * seen;
static size_t seen_count, seen_room;

static struct seen *find(uint64_t hash)
{
    size_t at = hash & (seen_room - 1);

    while (seen[at].hash && seen[at].hash != hash)
        at = (at + 1) & (seen_room - 1);
    return &seen[at];
}

static void make_room(size_t room)
{
    struct seen *old = seen;
    size_t old_room = seen_room;

    seen_room = room;
    seen = (struct seen *)calloc(seen_room, sizeof *seen);
    if (!seen)
        abort();
    for (size_t i = 0; i < old_room; i++)
        if (old[i].hash)
            *find(old[i].hash) = old[i];
    free(old);
}

/* Forget all states. */
static void forget(void)
{
    free(seen);
    seen = NULL;
    seen_room = seen_count = 0;
    make_room(1 << 12);
}

/* The entry of HASH, or the place for a new one. */
static struct seen *see(uint64_t hash)
{
    if (seen_count >= seen_room / 2)
        make_room(2 * seen_room);
    return find(hash);
}

#endif
