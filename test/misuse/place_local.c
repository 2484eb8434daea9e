/* place_local.c - the place of a value is a local of a task that waits
 * SPDX-License-Identifier: MIT
 * No compiler sees it: the local is used only after the wait, and its address was passed on. By then
 * it is another variable, with whatever the stack holds.
 * expect trap -DPT_DEBUG=1 RECV: body_pt_: the place of the value is a local, .* \(line
 * expect trap -DPT_DEBUG=1 SEND: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 PUSH: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 POP: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 EACH: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 RING: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 MAIL: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 BIG: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 MET: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 CASE: body_pt_: the place of a case's value is a local
 * expect trap -DPT_DEBUG=1 SELECTION: body_pt_: the selection is a local
 * expect trap -DPT_DEBUG=1 FLAGS: body_pt_: the struct pt_flags_wanted is a local
 * expect stopped -DPT_DEBUG=1 -DSCOPE: body_pt_: the scope is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DGROUP: body_pt_: the group is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DLOCAL: body_pt_: the struct pt_local is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DHELD: body_pt_: the struct pt_held is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DSUBSCRIBER: body_pt_: the subscriber is a local|uninitialized */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

struct big {
    char text[5000];
};

static PT_CHANNEL(int) channel;
static PT_CHANNEL(struct big) bigs;
static PT_QUEUE(int, 1) queue, full;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static struct pt_flags flags;
static struct pt_lock lock;
static PT_BROADCAST(int, 2) news;

struct body {
    struct pt pt;
    int value;
    PT_SELECTION(1) choice;
    struct pt_flags_wanted wanted;
};

PT_ASYNC(body, self)
{
    int value;
    (void)value;

#if defined(SCOPE)
    struct pt_scope scope;

    memset(&scope, 0, sizeof scope);
    PT_WITH_TIMEOUT(&scope, PT_SEC(1))
        PT_YIELD();
#elif defined(GROUP)
    struct pt_group group;

    memset(&group, 0, sizeof group);
    PT_WITH_GROUP(&group, PT_GROUP_ALL)
        PT_YIELD();
#elif defined(LOCAL)
    struct pt_local local;

    memset(&local, 0, sizeof local);
    PT_WITH_LOCAL(&local, &news, &news)
        PT_YIELD();
#elif defined(HELD)
    struct pt_held held;

    memset(&held, 0, sizeof held);
    PT_WITH_LOCK(&held, &lock)
        PT_YIELD();
#elif defined(SUBSCRIBER)
    struct pt_subscriber subscriber;

    pt_subscribe(&news, &subscriber);
    PT_WAIT_BROADCAST(&news, &subscriber, &self->value);
#else
    if (CHOSEN(RECV)) {
        PT_RECV(&channel, &value);
    } else if (CHOSEN(SEND)) {
        memset(&value, 0, sizeof value);
        PT_SEND(&channel, &value);
    } else if (CHOSEN(MET)) { /* there is room: it would not wait, but the other task can be one that selects */
        memset(&value, 0, sizeof value);
        PT_PUSH(&queue, &value);
    } else if (CHOSEN(PUSH)) {
        memset(&value, 0, sizeof value);
        PT_PUSH(&full, &value);
    } else if (CHOSEN(POP)) {
        PT_POP(&queue, &value);
    } else if (CHOSEN(EACH)) {
        PT_POP_EACH(&queue, &value)
            printf("%d\n", self->value);
    } else if (CHOSEN(RING)) {
        PT_RING_GET(&ring, &value);
    } else if (CHOSEN(MAIL)) {
        struct pt_mail *mail;

        PT_RECV_MAIL(&mailbox, &mail);
    } else if (CHOSEN(BIG)) {
        struct big big;

        PT_RECV(&bigs, &big);
    } else if (CHOSEN(CASE)) {
        PT_SELECT(&self->choice, PT_CASE_RECV(&channel, &value));
    } else if (CHOSEN(SELECTION)) {
        PT_SELECTION(1) choice;

        memset(&choice, 0, sizeof choice);
        PT_SELECT(&choice, PT_CASE_RECV(&channel, &self->value));
    } else if (CHOSEN(FLAGS)) {
        struct pt_flags_wanted wanted;

        PT_WAIT_FLAGS(&flags, &wanted, 1, PT_FLAGS_ANY);
    }
#endif
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(body) task;
    struct pt_loop loop;

    choose(argc, argv);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    pt_channel_init(&bigs.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&queue);
    PT_QUEUE_INIT(&full);
    (void)PT_TRY_PUSH(&full, &task.frame.value);
    pt_flags_init(&flags);
    pt_loop_open(&loop, &pt_posix);
    PT_RING_OPEN(&ring, &loop);
    pt_mailbox_open(&mailbox, &loop);
    (void)PT_START(&loop, &task, body, .value = 0);
    (void)pt_loop_run(&loop);
    return 0;
}
