/* expanded/31-orders.c - lesson 31 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_RECV_MAIL_EACH  take a message; if there is none, enter the queue and park. A task that
 *                        has waited already has its message, and does not ask again.
 *
 *     The threads are not tasks, and have nothing to expand. */
#include <pt/threads.h>

#include <stdio.h>

enum { CUSTOMERS = 3, EACH = 100 };

struct order {
    struct pt_mail mail;
    int customer, amount; /* 0: goodbye */
};

static struct pt_shared shared;
static struct pt_loop loop;
static struct pt_mailbox shop;
static struct order orders[CUSTOMERS][EACH + 1];
static pthread_t threads[CUSTOMERS];

static void *send_orders(void *customer)
{
    for (int i = 0; i <= EACH; i++)
        if (pt_mailbox_post(&shop, &((struct order *)customer)[i].mail) != PT_OK)
            break;
    return NULL;
}

struct clerk {
    struct pt pt;
    struct pt_mail *mail;
    int open, wrong, last[CUSTOMERS], sum[CUSTOMERS];
};

static void take(struct clerk *self, const struct order *order)
{
    self->wrong += order->amount && order->amount <= self->last[order->customer];
    self->last[order->customer] = order->amount;
    self->sum[order->customer] += order->amount;
    if (!order->amount && --self->open == 0)
        pt_mailbox_close(&shop);
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

static PT_TASK(clerk) clerk_task;
