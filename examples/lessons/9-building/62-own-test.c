/* 62-own-test.c - a test of your own primitive, in every order that a thousand seeds find
 * SPDX-License-Identifier: MIT
 *
 * A test of the latch of lesson 61.
 *
 *     pt_sim_test  the type of such a test: a function of a seed, which returns 0 if nothing is
 *                  wrong
 *
 * What to notice:
 *   - The tests stand in a table, and pt_sim_search (lesson 38) tries each with a thousand seeds.
 *   - In a simulation the order of ready tasks comes from the seed alone. So a seed that fails once
 *     always fails.
 *   - The second test is wrong: it expects a certain order. The search prints PT_SEED=... on
 *     stderr. With that in the environment it runs this seed alone, for example in a debugger.
 *
 * Try: remove the PT_YIELD from waiting. Does a seed still fail? */
#include "latch.h"

#include <pt/posix.h>
#include <pt/sim.h>

struct counting {
    struct pt pt;
    struct latch *latch;
};

PT_ASYNC(counting, self)
{
    PT_YIELD();
    self->pt.status = latch_count(self->latch);
}
PT_END

struct waiting {
    struct pt pt;
    struct latch *latch;
    unsigned left; /* what it found at the end */
    bool first;    /* nothing was counted when it came */
};

PT_ASYNC(waiting, self)
{
    PT_YIELD();
    self->first = self->latch->left == 2;
    LATCH_WAIT(self->latch);
    self->left = self->latch->left;
}
PT_END

/* Two tasks count, one waits; returns that one's frame. */
static struct waiting *simulate(uint64_t seed)
{
    static PT_TASK(counting) counts[2];
    static PT_TASK(waiting) waits;
    struct latch latch;
    struct pt_sim sim;
    struct pt_loop loop;

    latch_init(&latch, 2);
    pt_sim_init(&sim, seed, &pt_posix);
    pt_sim_open(&sim, &loop);
    PT_START(&loop, &waits, waiting, .latch = &latch, .left = 9);
    for (int i = 0; i < 2; i++)
        PT_START(&loop, &counts[i], counting, .latch = &latch);
    pt_loop_run(&loop);
    pt_sim_close(&sim);
    return &waits.frame;
}

static int ends_at_zero(uint64_t seed, void *context)
{
    (void)context;
    return simulate(seed)->left != 0;
}

static int waits_before_it_counts(uint64_t seed, void *context)
{
    (void)context;
    return !simulate(seed)->first;
}

int main(void)
{
    static pt_sim_test *const tests[] = {ends_at_zero, waits_before_it_counts};

    for (int i = 0; i < 2; i++)
        printf("test %d: %s\n", i, pt_sim_search(tests[i], NULL, 1000) ? "a seed fails" : "passes");
}
