/* 31-orders.c - threads send messages to a task, which receives them one by one
 * SPDX-License-Identifier: MIT
 *
 * A mailbox carries messages from threads into a loop.
 *
 *     struct pt_mail     the first member of a message: your struct is sent as it is
 *     struct pt_mailbox  where messages wait; pt_mailbox_open opens it for one loop
 *     pt_mailbox_post    send a message, from any thread
 *     PT_RECV_MAIL_EACH  receive messages one by one, until the mailbox is closed and empty
 *     pt_mailbox_try     receive one without waiting, or NULL
 *     pt_mailbox_close   refuse later posts; what was posted is still delivered
 *
 * What to notice:
 *   - There is no copy, no allocation, and no limit to the number of messages.
 *   - From its post on, a message belongs to the mailbox; then to the task that receives it.
 *   - Messages of one sender stay in order. Several senders interleave: only sums are printed.
 *
 * Try: print each order as it comes. How do the customers interleave? And in a second run? */
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
    for (int i = 0; i <= EACH; i++) /* after its post, an order is not ours */
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

PT_ASYNC(clerk, self)
{
    PT_RECV_MAIL_EACH(&shop, &self->mail)
        take(self, (const struct order *)(void *)self->mail);
    printf("%s, %d out of order\n", pt_status_name(self->pt.status), self->wrong);
}
PT_END

static PT_TASK(clerk) clerk_task;

int main(void)
{
    if (pt_shared_open(&shared, &loop) != PT_OK)
        return 1;
    pt_mailbox_open(&shop, &loop);
    PT_START(&loop, &clerk_task, clerk, .open = CUSTOMERS);
    for (int i = 0; i < CUSTOMERS; i++) {
        for (int n = 0; n < EACH; n++)
            orders[i][n].customer = i, orders[i][n].amount = n + 1;
        orders[i][EACH].customer = i;
        if (pthread_create(&threads[i], NULL, send_orders, orders[i]))
            return 1;
    }
    pt_shared_run(&shared);
    for (int i = 0; i < CUSTOMERS; i++) {
        pthread_join(threads[i], NULL);
        printf("customer %d: %d\n", i, clerk_task.frame.sum[i]);
    }
    printf("left: %s\n", pt_mailbox_try(&shop) ? "something" : "nothing");
    printf("one more: %s\n", pt_status_name(pt_mailbox_post(&shop, &orders[0][0].mail)));
    pt_shared_close(&shared);
    return 0;
}
