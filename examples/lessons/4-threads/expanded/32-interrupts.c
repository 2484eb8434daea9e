/* expanded/32-interrupts.c - the bodies of lesson 32, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_RING_GET  take a byte; if there is none, enter the queue and park until one is given
 *
 *     The interrupt is not a task, and has nothing to expand. */

static pt_op PT_FN(listener)(struct pt *pt, struct pt_task *task)
{
    struct listener *self = (struct listener *)pt;

    switch (pt->label) {
    case 0:
        for (;; printf(" %c", self->byte)) {
            if (pt_ring_get_must_wait_(task, pt, &rx.ring, &self->byte, sizeof self->byte)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 1:
                pt_task_take_(task);
            }
            if (pt->status != PT_OK)
                return pt_return_(pt, task, pt->status);
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(line)(struct pt *pt, struct pt_task *task)
{
    struct line *self = (struct line *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (; !trouble.set; puts("")) {
            printf("%d:", ++self->bytes);
            for (int i = 0; i < self->bytes; i++)
                raise(SIGUSR1);
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
        signal(SIGUSR1, SIG_IGN); /* the interrupt is off */
        pt_waker_close(&sent);
        pt_remote_close(&overrun);
        pt_ring_close(&rx.ring);
    }
    return pt_end_(pt);
}
