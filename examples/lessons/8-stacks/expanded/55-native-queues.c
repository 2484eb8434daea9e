/* expanded/55-native-queues.c - the bodies of lesson 55, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_push, _pop, _get    transfer a value now, or wait with the address of the local
 *     pt_native_recv_mail           the same with the address of a message
 *     PT_RECV_MAIL                  that, and a return with a label */

static pt_status baker(struct pt_native *self)
{
    struct pt_mail *mail;

    while (pt_native_wait_if_(self, pt_recv_mail_(self->task, &self->pt, &oven, &mail, 0)) == PT_OK)
        for (int i = 1; i <= ((struct order *)(void *)mail)->loaves; i++)
            pt_native_wait_if_(self,
                               pt_queue_push_must_wait_(self->task, &self->pt, &shelf.queue, &i,
                                                   sizeof i)); /* waits while the shelf is full */
    pt_queue_close(&shelf.queue);
    return PT_OK;
}

static pt_status seller(struct pt_native *self)
{
    int loaf;
    char coin;

    while (pt_native_wait_if_(self, pt_queue_pop_must_wait_(self->task, &self->pt, &shelf.queue, &loaf,
                                                       sizeof loaf)) == PT_OK) {
        bill.loaves++;
        pt_native_wait_if_(
            self, pt_ring_get_must_wait_(self->task, &self->pt, &slot.ring, &coin, sizeof coin));
        printf("loaf %d of the order, coin %c\n", loaf, coin);
    }
    return pt_mailbox_post(&till, &bill.mail);
}

static pt_op PT_FN(clerk)(struct pt *pt, struct pt_task *task)
{
    struct clerk *self = (struct clerk *)pt;

    switch (pt->label) {
    case 0:
        if (pt_recv_mail_(task, pt, &till, &self->mail, sizeof self->mail)) {
            pt->label = 1;
            return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
        case 1: pt_task_take_(task);
        }
        printf("the bill: %d loaves\n", ((struct order *)(void *)self->mail)->loaves);
    }
    return pt_end_(pt);
}
