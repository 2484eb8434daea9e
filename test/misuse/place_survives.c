/* place_survives.c - values whose places outlive the wait, though they look like locals of the body
 * SPDX-License-Identifier: MIT
 * The tasks are locals of main, or, with INNER, of a body that runs a loop of its own; and a local
 * takes a value by an operation that cannot wait. place_local.c has the mistake.
 * expect output -DPT_DEBUG=1: ^5 5$
 * expect output -DPT_DEBUG=1 -DINNER: ^5 5$ */
#include <pt/posix.h>
#include <stdio.h>
#include <string.h>

static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 1) queue;
static struct pt_flags flags;

struct sender {
    struct pt pt;
    int value;
};

PT_ASYNC(sender, self)
{
    PT_SEND(&channel, &self->value);
    PT_SEND(&channel, &self->value);
    pt_flags_set(&flags, 1);
}
PT_END

struct receiver {
    struct pt pt;
    int value;
    PT_SELECTION(1) choice;
    struct pt_flags_wanted wanted;
};

static void print(const int *value)
{
    printf("%d ", *value);
}

PT_ASYNC(receiver, self)
{
    PT_RECV(&channel, &self->value);
    (void)PT_TRY_PUSH(&queue, &self->value);
    {
        int value;

        if (PT_TRY_POP(&queue, &value) == PT_OK) /* it cannot wait */
            print(&value);
    }
    PT_SELECT(&self->choice, PT_CASE_RECV(&channel, &self->value));
    PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_ANY);
    printf("%d\n", self->value);
}
PT_END

static void run(void)
{
    PT_TASK(receiver) receiver;
    PT_TASK(sender) sender;
    struct pt_loop loop;

    memset(&receiver, 0, sizeof receiver);
    memset(&sender, 0, sizeof sender);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&queue);
    pt_flags_init(&flags);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &receiver, receiver, .value = 0);
    (void)PT_START(&loop, &sender, sender, .value = 5);
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
}

struct outer {
    struct pt pt;
    int runs;
};

PT_ASYNC(outer, self)
{
    run();
    self->runs++;
}
PT_END

int main(void)
{
#if defined(INNER)
    static PT_TASK(outer) outer;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &outer, outer, .runs = 0);
    (void)pt_loop_run(&loop);
    pt_loop_close(&loop);
#else
    run();
#endif
    return 0;
}
