/* expanded/41-loop-in-loop.c - the bodies of lesson 41, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_loop_async is a coroutine of pt's own; run.h has it, with its macros. */

#define SAY(text) printf("%u s  %s\n", (unsigned)(pt_now_(task) / PT_SEC(1)), text)

static pt_op PT_FN(fish)(struct pt *pt, struct pt_task *task)
{
    struct fish *self = (struct fish *)pt;

    switch (pt->label) {
    case 0:
        for (self->moves = 0; self->moves < 3; self->moves++) {
            if (!pt_wait_(task, self->rest))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:
            SAY(self->name);
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(winter)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_MS(1500)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        pt_pause(&aquarium_task.task);
        SAY("the aquarium freezes");
        if (!pt_wait_(task, PT_MS(3500)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        SAY(pt_task_paused(&aquarium_task.task) ? "the aquarium thaws" : "was it not frozen?");
        pt_resume(&aquarium_task.task);
        if (pt_join_(task, pt, &aquarium_task.task)) {
            pt->label = 3;
            return (pt_op){PT_OP_PARK};
    case 3:;
        }
        SAY("no fish moves any more");
    }
    return pt_end_(pt);
}
