/* expanded/30-from-a-thread.c - the bodies of lesson 30, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_ACQUIRE  take a unit; if there is none, enter the queue and park until one is given
 *
 *     The thread is not a task, and has nothing to expand. */

static pt_op PT_FN(lamp)(struct pt *pt, struct pt_task *task)
{
    struct lamp *self = (struct lamp *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (puts("    the lamp is plugged in");; printf("    it blinks, %d\n", ++self->blinks)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(house)(struct pt *pt, struct pt_task *task)
{
    struct house *self = (struct house *)pt;

    switch (pt->label) {
    case 0:
        if (pthread_create(&self->thread, NULL, press, NULL))
            exit(1);
        if (pt_event_must_wait_(task, pt, &bell)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
        puts("    somebody rings");
        if (pt_semaphore_must_wait_(task, pt, &keys)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:
            pt_task_take_(task);
        }
        puts("    the key is back");
    }
    return pt_end_(pt);
}
