/* expanded/16-backpressure.c - the bodies of lesson 16, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_PUSH      copy the value to the first task that waits to pop, or into a free place. If
 *                  there is none, enter the queue of pushers with the value's address, and park
 *     PT_POP       copy the first value out, and give its place to the first task that waits to
 *                  push. If there is no value, enter the queue of poppers, and park
 *     PT_POP_EACH  like PT_RECV_EACH in lesson 15 */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / PT_SEC(60))), printf(__VA_ARGS__))

static pt_op PT_FN(baker)(struct pt *pt, struct pt_task *task)
{
    struct baker *self = (struct baker *)pt;

    switch (pt->label) {
    case 0:
        for (self->loaf = 1; self->loaf <= 6; self->loaf++) {
            if (!pt_wait_(task, PT_SEC(60)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 1;
            return (pt_op){PT_OP_WAIT};
    case 1:
            SAY("loaf %d is ready, %u on the shelf\n", self->loaf, shelf.queue.count);
            if (pt_queue_push_must_wait_(task, pt, &shelf.queue, &self->loaf, sizeof self->loaf)) {
                pt->label = 2;
                return (pt_op){PT_OP_PARK};
    case 2:
                pt_task_take_(task);
            }
        }
        pt_queue_close(&shelf.queue);
        if (pt_queue_push_must_wait_(task, pt, &shelf.queue, &self->loaf, sizeof self->loaf)) {
            pt->label = 3;
            return (pt_op){PT_OP_PARK};
    case 3:
            pt_task_take_(task);
        }
        SAY("one more: %s\n", pt_status_text(pt->status));
    }
    return pt_end_(pt);
}

static pt_op PT_FN(shop)(struct pt *pt, struct pt_task *task)
{
    struct shop *self = (struct shop *)pt;

    switch (pt->label) {
    case 0:
        if (pt_queue_pop_must_wait_(task, pt, &shelf.queue, &self->loaf, sizeof self->loaf)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:
            pt_task_take_(task);
        }
        SAY("    loaf %d is for the window\n", self->loaf);
        for (;;) {
            if (pt_queue_pop_must_wait_(task, pt, &shelf.queue, &self->loaf, sizeof self->loaf)) {
                pt->label = 2;
                return (pt_op){PT_OP_PARK};
    case 2:
                pt_task_take_(task);
            }
            if (pt->status != PT_OK)
                break;
            if (!pt_wait_(task, PT_SEC(60 * 3)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 3;
            return (pt_op){PT_OP_WAIT};
    case 3:
            SAY("    loaf %d is sold\n", self->loaf);
        }
        SAY("    no more: %s\n", pt_status_text(pt->status));
    }
    return pt_end_(pt);
}
