/* instructions.c - tasks that yield, sleep or send, for test/suites/instructions to count what each costs
 * SPDX-License-Identifier: MIT
 *
 *     instructions KIND TASKS TURNS        KIND: yield, timer or hop; up to 110 tasks
 *
 * In each turn each task yields, or sleeps to the next turn, or sends a number to its neighbor or
 * receives one. */
#include <pt/posix.h>

#define TASKS 110

static PT_CHANNEL(int) channels[TASKS / 2];

struct spin {
    struct pt pt;
    int number;
};

static PT_ASYNC(spin, self)
{
    for (;;)
        PT_YIELD();
}
PT_END

struct nap {
    struct pt pt;
    int number;
};

static PT_ASYNC(nap, self)
{
    for (;;)
        PT_WAIT(1);
}
PT_END

struct talk {
    struct pt pt;
    int number, value;
};

static PT_ASYNC(talk, self)
{
    while (self->number % 2)
        PT_RECV(&channels[self->number / 2], &self->value);
    for (;;)
        PT_SEND(&channels[self->number / 2], &self->value);
}
PT_END

static pt_status start(struct pt_loop *loop, char kind, int number)
{
    static PT_TASK(spin) spins[TASKS];
    static PT_TASK(nap) naps[TASKS];
    static PT_TASK(talk) talks[TASKS];

    if (kind == 'y')
        return PT_START(loop, &spins[number], spin, .number = number);
    if (kind == 't')
        return PT_START(loop, &naps[number], nap, .number = number);
    return PT_START(loop, &talks[number], talk, .number = number);
}

int main(int argc, char **argv)
{
    static struct pt_loop loop;
    int count = argc > 2 ? atoi(argv[2]) : 0, turns = argc > 3 ? atoi(argv[3]) : 0;

    pt_loop_open(&loop, &pt_posix);
    for (int i = 0; i < TASKS / 2; i++)
        pt_channel_init(&channels[i].channel, PT_PREFER_NEITHER);
    for (int i = 0; i < count && i < TASKS; i++)
        if (start(&loop, *argv[1], i) != PT_OK)
            return 1;
    for (pt_time now = loop.now; turns > 0; turns--)
        pt_loop_turn(&loop, ++now);
    return 0;
}
