/* expanded/38-seed.c - lesson 38 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The simulation has nothing to expand: it is a port and an observer of the loop. */
#include <pt/posix.h>
#include <pt/sim.h>

static int letters, taken;

struct clerk {
    struct pt pt;
};

static pt_op PT_FN(clerk)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(17 * 3600)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        letters++;
    }
    return pt_end_(pt);
}

struct messenger {
    struct pt pt;
    struct pt_task *asked; /* the clerk, or NULL */
};

static pt_op PT_FN(messenger)(struct pt *pt, struct pt_task *task)
{
    struct messenger *self = (struct messenger *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(17 * 3600)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (self->asked) {
            if (pt_join_(task, pt, self->asked)) {
                pt->label = 2;
                return (pt_op){PT_OP_PARK};
    case 2:;
            }
        }
        taken = letters;
    }
    return pt_end_(pt);
}

/* Simulate a day; returns how many letters are left. */
static int day(struct pt_sim *sim, bool asks)
{
    static PT_TASK(clerk) clerk;
    static PT_TASK(messenger) messenger;
    struct pt_loop loop;

    pt_sim_open(sim, &loop);
    PT_START(&loop, &clerk, clerk);
    PT_START(&loop, &messenger, messenger, .asked = asks ? &clerk.task : NULL);
    pt_loop_run(&loop);
    pt_sim_close(sim);
    return letters - taken;
}

static int any_day(uint64_t seed, void *asks)
{
    struct pt_sim sim;

    pt_sim_init(&sim, seed, &pt_posix);
    if (seed % 2 == 0)
        pt_sim_pct(&sim, 2, 4);
    return day(&sim, asks != NULL);
}
