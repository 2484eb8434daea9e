/* random.h - a small seeded generator, so that a run can be repeated
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_random dice = {seed};
 *     roll = 1 + pt_random_below(&dice, 6);
 *
 * SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
#ifndef PT_RANDOM_H
#define PT_RANDOM_H

#include "../base/compiler.h"

/* The generator. Write the seed, any number, before the first draw. */
struct pt_random {
    uint64_t state; /* at first the seed */
};

/* pt_random_next - 64 bits, every value equally likely */
PT_API uint64_t pt_random_next(struct pt_random *random);

/* pt_random_below - a number from 0 to LIMIT - 1; LIMIT is at least 1
 * It is a remainder: the bias is below LIMIT / 2^64. */
PT_API uint64_t pt_random_below(struct pt_random *random, uint64_t limit);

/* --- implementation ------------------------------------------------------------------------ */

PT_API uint64_t pt_random_next(struct pt_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

PT_API uint64_t pt_random_below(struct pt_random *random, uint64_t limit)
{
    return pt_random_next(random) % limit;
}

#endif
