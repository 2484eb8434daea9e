/* expanded/31-orders.c - the bodies of lesson 31, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_RECV_MAIL_EACH  take a message; if there is none, enter the queue and park. A task that
 *                        has waited already has its message, and does not ask again.
 *
 *     The threads are not tasks, and have nothing to expand. */

enum { CUSTOMERS = 3, EACH = 100 };

struct order {
    struct pt_mail mail;
    int customer, amount; /* 0: goodbye */
};

static void *send_orders(void *customer)
{
    for (int i = 0; i <= EACH; i++)
        if (pt_mailbox_post(&shop, &((struct order *)customer)[i].mail) != PT_OK)
            break;
    return NULL;
}

static pt_op PT_FN(clerk)(struct pt *pt, struct pt_task *task)
{
    struct clerk *self = (struct clerk *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            if (pt_recv_mail_(task, pt, &shop, &self->mail, 0)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 1:
                pt_task_take_(task);
            }
            if (pt->status != PT_OK)
                break;
            take(self, (const struct order *)(void *)self->mail);
        }
        printf("%s, %d out of order\n", pt_status_name(pt->status), self->wrong);
    }
    return pt_end_(pt);
}
