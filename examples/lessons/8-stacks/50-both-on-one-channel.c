/* 50-both-on-one-channel.c - stackless and native tasks share one channel
 * SPDX-License-Identifier: MIT
 *
 * A native task is an ordinary function with a stack, run by a loop like any other task.
 *
 *     pt_native_send         PT_SEND for a native task; it returns the code
 *     pt_native_select       PT_SELECT for a native task, a statement: its code is self->pt.status
 *     pt_native_select_from  PT_SELECT_FROM, whose cases a block adds
 *     pt_select_init         makes a local selection empty; in a frame it is enough that it is zero
 *
 * What to notice:
 *   - A channel cannot tell native and stackless tasks apart: they wait in one queue, in order.
 *   - A native task can send from a local variable; a stackless one needs a field of its frame.
 *
 * Try: let sum wait for 59, and not 50. What does pt_loop_run return? */
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>

static PT_CHANNEL(int) numbers;
static struct pt_event enough;
static struct pt_task *senders[2];

/* Stackless: sends squares. */
struct squares {
    struct pt pt;
    int i, square;
};

static PT_ASYNC(squares, self)
{
    for (self->i = 1; self->i <= 3; self->i++) {
        self->square = self->i * self->i;
        PT_SEND(&numbers, &self->square);
    }
}
PT_END

/* Native: sends cubes. */
static pt_status cubes(struct pt_native *self)
{
    for (int i = 1; i <= 3; i++) {
        int cube = i * i * i;

        if (pt_native_send(self, &numbers, &cube) != PT_OK)
            break;
    }
    return PT_OK;
}

/* Native: takes what comes, until there is enough. */
static pt_status sum(struct pt_native *self)
{
    PT_SELECTION(2) next;
    int number, total = 0;

    pt_select_init(&next);
    do {
        pt_native_select(self, &next, PT_CASE_RECV(&numbers, &number), PT_CASE_EVENT(&enough));
        if (PT_SELECTED(&next) == 0)
            printf("%d, balance %d\n", number, pt_channel_balance(&numbers.channel));
        if (PT_SELECTED(&next) == 0 && (total += number) == 50)
            pt_event_set(&enough);
    } while (PT_SELECTED(&next) == 0);
    printf("enough: %d\n", total);
    pt_native_select_from(self, &next) {
        for (int i = 0; i < 2; i++)
            PT_CASE_JOIN(senders[i]);
    }
    printf("%s was done first\n", PT_SELECTED(&next) == 0 ? "the stackless one" : "the native one");
    return PT_OK;
}

int main(void)
{
    static char stacks[2][32 << 10];
    static PT_TASK(squares) stackless;
    static PT_TASK(pt_native) native, adder;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
    PT_START(&loop, &stackless, squares);
    PT_START(&loop, &native, pt_native, .function = cubes, .stack = stacks[0],
             .bytes = sizeof stacks[0]);
    PT_START(&loop, &adder, pt_native, .function = sum, .stack = stacks[1],
             .bytes = sizeof stacks[1]);
    senders[0] = &stackless.task;
    senders[1] = &native.task;
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
