/* expanded/39-watch.c - the bodies of lesson 39, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A step is what a function does from a case to a return: that is what a watch measures. */

#define SAY(text) printf("%3u ms  %s\n", (unsigned)(pt_now_(task) / PT_MS(1)), text)

static pt_op PT_FN(painter)(struct pt *pt, struct pt_task *task)
{
    struct painter *self = (struct painter *)pt;

    switch (pt->label) {
    case 0:
        for (; self->pictures > 0; self->pictures--) {
            world.now += PT_MS(80);
            SAY(pt_watch_stuck(&dog, world.now) ? "(still at it)" : "(in time)");
            pt_loop_update(&loop, world.now); /* pt_now_(task) as well */
            SAY("a picture");
            if (!pt_wait_(task, PT_MS(100)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(drummer)(struct pt *pt, struct pt_task *task)
{
    struct drummer *self = (struct drummer *)pt;

    switch (pt->label) {
    case 0:
        for (; self->beats > 0; self->beats--) {
            SAY("boom");
            if (!pt_wait_(task, PT_MS(50)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:;
        }
    }
    return pt_end_(pt);
}
