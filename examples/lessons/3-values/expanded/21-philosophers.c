/* expanded/21-philosophers.c - lesson 21 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_LOCK, PT_CASE_AFTER  fill in the next case of a select: see lesson 19 */
#include <pt/posix.h>

#include <stdio.h>

#define MINUTES(n) PT_SEC(60 * (n))
#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / MINUTES(1))), printf(__VA_ARGS__))

enum { SEATS = 5 };

static const char *const names[SEATS] = {"Plato", "Hypatia", "Hegel", "Kant", "Arendt"};
static struct pt_lock forks[SEATS];

struct philosopher {
    struct pt pt;
    PT_SELECTION(2) second;
    struct pt_lock *left, *right;
    const char *name;
    pt_time patience; /* 0: no limit */
};

static pt_op PT_FN(philosopher)(struct pt *pt, struct pt_task *task)
{
    struct philosopher *self = (struct philosopher *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            if (pt_lock_must_wait_(task, pt, self->left)) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:
                pt_task_take_(task);
            }
            if (!pt_wait_(task, MINUTES(1))) /* a thought */
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:
            if (self->patience) {
                pt_select_begin_(task, &self->second.select, self->second.cases, 2);
                pt_case_lock_(task, self->right);
                pt_case_after_(task, self->patience);
                if (pt_select_start_(&self->second.select, pt, true)) {
                    pt->label = 3;
                    return (pt_op){self->second.select.opcode};
    case 3:
                    pt_select_over_(&self->second.select);
                }
                pt_task_take_(task);
            } else if (pt_lock_must_wait_(task, pt, self->right)) {
                pt->label = 4;
                return (pt_op){PT_OP_PARK};
    case 4:
                pt_task_take_(task);
            }
            if (self->right->owner == task)
                break;
            pt->status = pt_lock_release(self->left, task);
            if (!pt_wait_(task, MINUTES(1)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 5;
            return (pt_op){PT_OP_WAIT};
    case 5:;
        }
        SAY("%s eats\n", self->name);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 6;
        return (pt_op){PT_OP_WAIT};
    case 6:
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (self->left->owner == task)
            pt->status = pt_lock_release(self->left, task);
        if (self->right->owner == task)
            pt->status = pt_lock_release(self->right, task);
    }
    return pt_end_(pt);
}

static void dinner(bool polite)
{
    static PT_TASK(philosopher) tasks[SEATS];
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    for (int i = 0; i < SEATS; i++) {
        pt_lock_init(&forks[i]);
        PT_START(&loop, &tasks[i], philosopher, .left = &forks[i], .right = &forks[(i + 1) % SEATS],
                 .name = names[i], .patience = polite ? MINUTES(i + 1) : 0);
    }
    printf("%s: %s\n", polite ? "polite" : "stubborn", pt_status_name(pt_loop_run(&loop)));
    for (int i = 0; i < SEATS; i++)
        pt_cancel(&tasks[i].task, PT_ECANCELED);
    pt_loop_run(&loop);
    printf("a fork is %s\n", pt_lock_try(&forks[0], &tasks[0].task) == PT_OK ? "free" : "taken");
    pt_loop_close(&loop);
}
