/* sim_search.h - many runs of a test, each with another seed
 * SPDX-License-Identifier: MIT */
#ifndef PT_SIM_SEARCH_H
#define PT_SIM_SEARCH_H

#include "sim_record.h"

/* pt_sim_test - a function that runs the test with a seed; 0: nothing was wrong */
typedef int pt_sim_test(uint64_t seed, void *context);

/* pt_sim_search - run TEST with the seeds 1 to COUNT, or with PT_SEED of the environment alone
 * Stops at the first seed that fails, prints it to stderr as PT_SEED=..., and returns it; 0: none
 * failed. If PT_SEED is not a number from 1 up, the search fails at once and returns UINT64_MAX. */
PT_API uint64_t pt_sim_search(pt_sim_test *test, void *context, uint64_t count);

/* --- implementation ------------------------------------------------------------------------ */

PT_API uint64_t pt_sim_search(pt_sim_test *test, void *context, uint64_t count)
{
    const char *chosen = getenv("PT_SEED");
    uint64_t seed = chosen ? pt_sim_number_(chosen) : 1;

    if (!seed) {
        fprintf(stderr, "pt_sim_search: PT_SEED=%s is not a number from 1 up\n", chosen);
        return UINT64_MAX;
    }
    for (uint64_t last = chosen ? seed : count; seed <= last; seed++)
        if (test(seed, context)) {
            fprintf(stderr, "PT_SEED=%llu\n", (unsigned long long)seed);
            return seed;
        }
    return 0;
}

#endif
