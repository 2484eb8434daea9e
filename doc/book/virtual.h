/* virtual.h - a clock that jumps, and a die that repeats
 * SPDX-License-Identifier: MIT */
#ifndef PT_VIRTUAL_H
#define PT_VIRTUAL_H

#include "pt.h"

/* A die. Write the seed into state. (SplitMix64, by Sebastiano Vigna) */
struct pt_random {
    uint64_t state;
};

static inline uint64_t pt_random_below(struct pt_random *random, uint64_t limit)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % limit;
}

struct pt_virtual {
    struct pt_port port;
    pt_time now;
    struct pt_random random;
};

static inline pt_time pt_virtual_now_(void *context)
{
    return ((struct pt_virtual *)context)->now;
}

static inline bool pt_virtual_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_virtual *world = (struct pt_virtual *)context;

    if (until - now == PT_DELAY_NEVER)
        return false; /* no timer, and nothing comes from outside */
    if (pt_time_before(world->now, until))
        world->now = until;
    return true;
}

/* pt_virtual_init - a clock at 0. SEED is for the die, which only pt's tests throw; MEMORY is for pt. */
static inline void pt_virtual_init(struct pt_virtual *world, uint64_t seed, const struct pt_port *memory)
{
    (void)memory;
    *world = (struct pt_virtual){.port = {.now = pt_virtual_now_, .idle = pt_virtual_idle_, .context = world},
                                 .random.state = seed};
}

#endif
