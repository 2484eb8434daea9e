/* good_else.c - blocks directly under an if without braces, with and without an else
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic
 * expect good -DPT_DEBUG=1: no diagnostic
 * expect good -DPT_COUNTER_=0: no diagnostic
 * expect good -Wimplicit-fallthrough: no diagnostic
 * expect output: timeout group local channel queue mail deadline nested lock none */
#include <pt/pt.h>

#include <stdio.h>

struct body {
    struct pt pt;
    struct pt_scope limit, outer;
    struct pt_group group;
    struct pt_local local;
    struct pt_held held;
    struct pt_mail *mail;
    int way, value;
};

static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 2) queue;
static struct pt_mailbox mailbox;
static struct pt_lock lock;

PT_DECLARE(body);

PT_ASYNC(body, self)
{
    if (self->way == 99)
        PT_WITH_TIMEOUT(&self->limit, 1) {
            PT_PARK();
        }
    if (self->way == 99)
        PT_RECV_EACH(&channel, &self->value)
            PT_YIELD();

    if (self->way == 0)
        PT_WITH_TIMEOUT(&self->limit, 1)
            printf("timeout ");
    else if (self->way == 1)
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
            printf("group ");
    else if (self->way == 2)
        PT_WITH_LOCAL(&self->local, &channel, NULL)
            printf("local ");
    else if (self->way == 3)
        PT_RECV_EACH(&channel, &self->value) {
            if (self->value)
                break;
        }
    else if (self->way == 4)
        PT_POP_EACH(&queue, &self->value)
            printf("value ");
    else if (self->way == 5)
        PT_RECV_MAIL_EACH(&mailbox, &self->mail)
            printf("letter ");
    else if (self->way == 6)
        PT_WITH_DEADLINE(&self->limit, PT_NOW())
            printf("deadline ");
    else if (self->way == 7)
        PT_WITH_TIMEOUT(&self->limit, 1)
            if (self->value)
                printf("value ");
            else
                PT_WITH_TIMEOUT(&self->outer, 1)
                    printf("nested ");
    else if (self->way == 8)
        PT_WITH_LOCK(&self->held, &lock)
            printf("lock ");
    else
        printf("none\n");
    if (self->way >= 3 && self->way <= 5)
        printf("%s ", self->way == 3 ? "channel" : self->way == 4 ? "queue" : "mail");
}
PT_END

int main(void)
{
    static PT_TASK(body) tasks[10];
    static PT_LOOP_STORAGE(16) storage;
    static struct pt_loop loop;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&queue);
    pt_lock_init(&lock);
    pt_mailbox_open(&mailbox, &loop);
    pt_channel_close(&channel.channel);
    pt_queue_close(&queue.queue);
    pt_mailbox_close(&mailbox);
    for (int i = 0; i < 10; i++) {
        if (PT_START(&loop, &tasks[i], body, .way = i))
            return 1;
        while (pt_loop_live(&loop))
            pt_loop_turn(&loop, 0);
    }
    return 0;
}
