/* 55-native-queues.c - native tasks and queues: messages, values, bytes of an interrupt
 * SPDX-License-Identifier: MIT
 *
 * An order goes to the baker as a message, loaves go to the seller through a queue, and coins come
 * through a ring. The bill is a message, too.
 *
 *     pt_native_push       PT_PUSH for a native task; pt_native_pop is PT_POP
 *     pt_native_get        PT_RING_GET: the next item of a ring
 *     pt_native_recv_mail  PT_RECV_MAIL, which waits for the next message of a mailbox
 *
 * What to notice:
 *   - The clerk is stackless, the other tasks are native: a queue cannot tell them apart.
 *   - A closed queue or mailbox delivers what it still holds, and then returns PT_ECLOSED.
 *   - The baker pushes from a local variable; a stackless task needs a field of its frame.
 *
 * Try: print each loaf in baker, before the push. Then give the shelf three places: what
 * changes? */
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>

struct order {
    struct pt_mail mail; /* first member */
    int loaves;
};
static struct pt_mailbox oven, till;
static PT_QUEUE(int, 1) shelf;
static PT_RING(char, 4) slot;
static struct order order, bill;

static pt_status baker(struct pt_native *self)
{
    struct pt_mail *mail;

    while (pt_native_recv_mail(self, &oven, &mail) == PT_OK)
        for (int i = 1; i <= ((struct order *)(void *)mail)->loaves; i++)
            pt_native_push(self, &shelf, &i); /* waits while the shelf is full */
    pt_queue_close(&shelf.queue);
    return PT_OK;
}

static pt_status seller(struct pt_native *self)
{
    int loaf;
    char coin;

    while (pt_native_pop(self, &shelf, &loaf) == PT_OK) {
        bill.loaves++;
        pt_native_get(self, &slot, &coin);
        printf("loaf %d of the order, coin %c\n", loaf, coin);
    }
    return pt_mailbox_post(&till, &bill.mail);
}

struct clerk {
    struct pt pt;
    struct pt_mail *mail;
};

PT_ASYNC(clerk, self)
{
    PT_RECV_MAIL(&till, &self->mail);
    printf("the bill: %d loaves\n", ((struct order *)(void *)self->mail)->loaves);
}
PT_END

int main(void)
{
    static char stacks[2][32 << 10];
    static PT_TASK(pt_native) tasks[2];
    static PT_TASK(clerk) stackless;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_QUEUE_INIT(&shelf);
    PT_RING_OPEN(&slot, &loop);
    pt_mailbox_open(&oven, &loop);
    pt_mailbox_open(&till, &loop);
    for (int i = 0; i < 2; i++)
        PT_START(&loop, &tasks[i], pt_native, .function = i ? seller : baker, .stack = stacks[i],
                 .bytes = sizeof stacks[i]);
    PT_START(&loop, &stackless, clerk);
    for (char coin = '1'; PT_RING_PUT(&slot, &coin) == PT_OK;) /* as an interrupt would do it */
        coin++;                                                /* until the slot is full */
    order.loaves = 3;
    pt_mailbox_post(&oven, &order.mail);
    pt_mailbox_close(&oven);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
