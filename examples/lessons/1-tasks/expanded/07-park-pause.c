/* expanded/07-park-pause.c - the bodies of lesson 07, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_PARK           store a label, return PARK; pt_wake needs only the task's address
 *     PT_PARK_DEADLINE  store the deadline, give the permit back, return WAIT: pt_wake ends it */

#define SAY(text) printf("%3u ms  %s\n", (unsigned)(pt_now_(task) / PT_MS(1)), text)

static pt_op PT_FN(cat)(struct pt *pt, struct pt_task *task)
{
    struct cat *self = (struct cat *)pt;

    switch (pt->label) {
    case 0:
        while (!self->food) {
            SAY("the cat looks, and sleeps on");
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
        SAY("the cat eats");
        do {
            if (!pt_park_timed_(task, pt, pt_time_until_(pt_now_(task), PT_MS(650)), false))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){pt_park_opcode_(task)}; /* PARK after an earlier wake, else WAIT */
    case 2:;
        } while (pt->status != PT_ETIMEDOUT);
        SAY("nobody brings more: the cat leaves");
    }
    return pt_end_(pt);
}

static pt_op PT_FN(drummer)(struct pt *pt, struct pt_task *task)
{
    struct drummer *self = (struct drummer *)pt;

    switch (pt->label) {
    case 0:
        for (self->beat = PT_MS(100); self->beat < PT_MS(700); self->beat += PT_MS(100)) {
            /* node.at = beat, unless that time has passed */
            if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), self->beat)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:
            SAY("boom");
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(owner)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_MS(250)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        pt_pause(&drummer_task.task);
        SAY("silence; here, puss!");
        pt_wake(&cat_task.task);
        if (!pt_wait_(task, PT_MS(300)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        SAY("here is some food; drum on");
        cat_task.frame.food = true;
        pt_wake(&cat_task.task);
        pt_resume(&drummer_task.task);
    }
    return pt_end_(pt);
}
