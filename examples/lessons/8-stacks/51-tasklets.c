/* 51-tasklets.c - tasklets and channels by their well-known names: schedule, run, getruncount
 * SPDX-License-Identifier: MIT
 *
 * tasklet.h has well-known names for what native tasks and channels do.
 *
 *     struct pt_tasklet   a native task with its stack; PT_TASKLET starts one
 *     pt_schedule         a yield; pt_run runs all tasklets, and pt_getruncount counts those in the
 *                         queue
 *     pt_tasklet_channel  a channel: pt_channel_open, pt_channel_send, pt_channel_receive
 *
 * What to notice:
 *   - pt_getruncount returns how many others are queued. A task that waits at a channel is not.
 *   - A task that comes to a channel makes a waiting one ready at once. The receiver runs first.
 *
 * Try: start the receiver first. What is the balance then? */
#include <pt/posix.h>
#include <pt/stack/tasklet.h>

#include <stdio.h>

static struct pt_loop loop;
static pt_tasklet_channel channel;
static char greeting[] = "Hello", name_a[] = "A", name_b[] = "B";

static pt_status think(struct pt_native *self)
{
    for (int i = 1; i <= 3; i++) {
        printf("%s %d, %u queued\n", (const char *)self->argument, i,
               (unsigned)pt_getruncount(&loop));
        pt_schedule(self);
    }
    return PT_OK;
}

static pt_status sender(struct pt_native *self)
{
    puts("send");
    pt_channel_send(self, &channel, greeting);
    puts("sent");
    return PT_OK;
}

static pt_status receiver(struct pt_native *self)
{
    const char *text;

    printf("receive, balance %d\n", pt_channel_balance(&channel.channel));
    text = (const char *)pt_channel_receive(self, &channel);
    printf("received %s, balance %d\n", text, pt_channel_balance(&channel.channel));
    return PT_OK;
}

int main(void)
{
    static struct pt_tasklet one, two;

    pt_loop_open(&loop, &pt_posix);
    PT_TASKLET(&loop, &one, think, name_a);
    PT_TASKLET(&loop, &two, think, name_b);
    pt_run(&loop);

    pt_channel_open(&channel);
    PT_TASKLET(&loop, &one, sender, NULL); /* its storage is used again */
    PT_TASKLET(&loop, &two, receiver, NULL);
    pt_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
