/* place_local.c - the place of a value is a local of a task that waits
 * SPDX-License-Identifier: MIT
 * No compiler sees it: the local is used only after the wait, and its address was passed on. By then
 * it is another variable, with whatever the stack holds.
 * expect trap -DPT_DEBUG=1 -DRECV: body_pt_: the place of the value is a local, .* \(line
 * expect trap -DPT_DEBUG=1 -DSEND: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DPUSH: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DPOP: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DEACH: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DRING: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DMAIL: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DBIG: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DMET: body_pt_: the place of the value is a local
 * expect trap -DPT_DEBUG=1 -DCASE: body_pt_: the place of a case's value is a local
 * expect trap -DPT_DEBUG=1 -DSELECTION: body_pt_: the selection is a local
 * expect trap -DPT_DEBUG=1 -DFLAGS: body_pt_: the struct pt_flags_wanted is a local
 * expect stopped -DPT_DEBUG=1 -DSCOPE: body_pt_: the scope is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DGROUP: body_pt_: the group is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DLOCAL: body_pt_: the struct pt_local is a local|uninitialized
 * expect stopped -DPT_DEBUG=1 -DSUBSCRIBER: body_pt_: the subscriber is a local|uninitialized */
#include <pt/posix.h>
#include <stdio.h>
#include <string.h>

struct big {
    char text[5000];
};

static PT_CHANNEL(int) channel;
static PT_CHANNEL(struct big) bigs;
static PT_QUEUE(int, 1) queue, full;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static struct pt_flags flags;
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

#if defined(RECV)
    PT_RECV(&channel, &value);
#elif defined(SEND)
    memset(&value, 0, sizeof value);
    PT_SEND(&channel, &value);
#elif defined(MET) /* there is room: it would not wait, but the other task can be one that selects */
    memset(&value, 0, sizeof value);
    PT_PUSH(&queue, &value);
#elif defined(PUSH)
    memset(&value, 0, sizeof value);
    PT_PUSH(&full, &value);
#elif defined(POP)
    PT_POP(&queue, &value);
#elif defined(EACH)
    PT_POP_EACH(&queue, &value)
        printf("%d\n", self->value);
#elif defined(RING)
    PT_RING_GET(&ring, &value);
#elif defined(MAIL)
    struct pt_mail *mail;

    PT_RECV_MAIL(&mailbox, &mail);
#elif defined(BIG)
    struct big big;

    PT_RECV(&bigs, &big);
#elif defined(CASE)
    PT_SELECT(&self->choice, PT_CASE_RECV(&channel, &value));
#elif defined(SELECTION)
    PT_SELECTION(1) choice;

    memset(&choice, 0, sizeof choice);
    PT_SELECT(&choice, PT_CASE_RECV(&channel, &self->value));
#elif defined(FLAGS)
    struct pt_flags_wanted wanted;

    PT_WAIT_FLAGS(&flags, &wanted, 1, PT_FLAGS_ANY);
#elif defined(SCOPE)
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
#elif defined(SUBSCRIBER)
    struct pt_subscriber subscriber;

    pt_subscribe(&news, &subscriber);
    PT_WAIT_BROADCAST(&news, &subscriber, &self->value);
#endif
}
PT_END

int main(void)
{
    static PT_TASK(body) task;
    struct pt_loop loop;

    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    pt_channel_init(&bigs.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&queue);
    PT_QUEUE_INIT(&full);
    (void)!PT_TRY_PUSH(&full, &task.frame.value);
    pt_flags_init(&flags);
    pt_loop_open(&loop, &pt_posix);
    PT_RING_OPEN(&ring, &loop);
    pt_mailbox_open(&mailbox, &loop);
    (void)PT_START(&loop, &task, body, .value = 0);
    (void)pt_loop_run(&loop);
    return 0;
}
