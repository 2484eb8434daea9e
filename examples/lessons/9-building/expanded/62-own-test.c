/* expanded/62-own-test.c - lesson 62 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     LATCH_WAIT    PT_WAIT_EVENT: store a label, and return PARK if the event is not set
 *     PT_YIELD      store a label, return an opcode */
#include "../latch.h"

#include <pt/posix.h>
#include <pt/sim.h>

struct counting {
    struct pt pt;
    struct latch *latch;
};

static pt_op PT_FN(counting)(struct pt *pt, struct pt_task *task)
{
    struct counting *self = (struct counting *)pt;

    (void)task;
    switch (pt->label) {
    case 0: pt->label = 1; return (pt_op){PT_OP_YIELD};
    case 1: self->pt.status = latch_count(self->latch);
    }
    return pt_end_(pt);
}

struct waiting {
    struct pt pt;
    struct latch *latch;
    unsigned left; /* what it found at the end */
    bool first;    /* nothing was counted when it came */
};

static pt_op PT_FN(waiting)(struct pt *pt, struct pt_task *task)
{
    struct waiting *self = (struct waiting *)pt;

    switch (pt->label) {
    case 0: pt->label = 1; return (pt_op){PT_OP_YIELD};
    case 1:
        self->first = self->latch->left == 2;
        if (pt_event_must_wait_(task, pt, &self->latch->over)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
        case 2:;
        }
        self->left = self->latch->left;
    }
    return pt_end_(pt);
}

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
