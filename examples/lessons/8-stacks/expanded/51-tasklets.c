/* expanded/51-tasklets.c - lesson 51 with native tasks: what tasklet.h expands to
 * SPDX-License-Identifier: MIT
 *
 *     PT_TASKLET           PT_START of a pt_native, with the stack that follows it
 *     pt_schedule          pt_native_yield
 *     pt_getruncount       pt_loop_ready
 *     pt_channel_send      pt_native_send of a pointer */
#include <pt/posix.h>
#include <pt/stack/tasklet.h>

#include <stdio.h>

static struct pt_loop loop;
static PT_CHANNEL(void *) channel;
static char greeting[] = "Hello", name_a[] = "A", name_b[] = "B";

static pt_status think(struct pt_native *self)
{
    for (int i = 1; i <= 3; i++) {
        printf("%s %d, %u queued\n", (const char *)self->argument, i,
               (unsigned)pt_loop_ready(&loop));
        pt_native_yield(self);
    }
    return PT_OK;
}

static pt_status sender(struct pt_native *self)
{
    void *value = greeting;

    puts("send");
    pt_native_send(self, &channel, &value);
    puts("sent");
    return PT_OK;
}

static pt_status receiver(struct pt_native *self)
{
    void *value = NULL;

    printf("receive, balance %d\n", pt_channel_balance(&channel.channel));
    pt_native_recv(self, &channel, &value);
    printf("received %s, balance %d\n", (const char *)value, pt_channel_balance(&channel.channel));
    return PT_OK;
}

int main(void)
{
    static PT_TASK(pt_native) one, two;
    static char stacks[2][16 << 10];

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &one, pt_native, .function = think, .argument = name_a, .stack = stacks[0],
             .bytes = sizeof stacks[0]);
    PT_START(&loop, &two, pt_native, .function = think, .argument = name_b, .stack = stacks[1],
             .bytes = sizeof stacks[1]);
    pt_loop_run(&loop);

    pt_channel_init(&channel.channel, PT_PREFER_RECEIVER);
    PT_START(&loop, &one, pt_native, .function = sender, .argument = NULL, .stack = stacks[0],
             .bytes = sizeof stacks[0]); /* its storage is used again */
    PT_START(&loop, &two, pt_native, .function = receiver, .argument = NULL, .stack = stacks[1],
             .bytes = sizeof stacks[1]);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
