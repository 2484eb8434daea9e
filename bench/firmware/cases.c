/* cases.c - the cases that measure.py counts: yields, timers that fire, interrupts that wake
 * SPDX-License-Identifier: MIT
 *
 * CASE selects one. Nothing here measures: the emulator reports each instruction, and measure.py
 * counts them between named functions. */
#include "end.h"
#include "board.h"
#if PT_TIMERS != PT_TIMERS_NONE
#include "run.h"
#endif

static struct pt_loop loop;

void turn_begins(void) __attribute__((noinline));
void turn_begins(void)
{
    __asm__ volatile("");
}

void turn_ends(void) __attribute__((noinline));
void turn_ends(void)
{
    __asm__ volatile("");
}

#if CASE == 'y'

struct yielder {
    struct pt pt;
};

PT_ASYNC(yielder, self)
{
    for (;;)
        PT_YIELD();
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(yielder) tasks[4];

    pt_loop_init(&loop, 0);
    for (int i = 0; i < 4; i++)
        PT_START(&loop, &tasks[i], yielder);
    for (int turn = 0; turn < 8; turn++)
        pt_loop_turn(&loop, 0);
    return 0;
}

#elif CASE == 't'

struct sleeper {
    struct pt pt;
    pt_time period;
};

PT_ASYNC(sleeper, self)
{
    for (;;)
        PT_WAIT(self->period);
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(sleeper) tasks[4];
    static const uint8_t periods[] = {30, 50, 70, 110};
    pt_time now = 0;

    pt_loop_init(&loop, now);
    for (int i = 0; i < 4; i++)
        PT_START(&loop, &tasks[i], sleeper, .period = periods[i]);
    for (int turn = 0; turn < 40; turn++) {
        turn_begins();
        now = pt_loop_turn(&loop, now);
        turn_ends();
    }
    return 0;
}

#else

static volatile uint8_t bytes;

#if PT_TIMERS == PT_TIMERS_NONE
/* board_turn for tasks that do not wait for time: no clock is read between the sleep and the task.
 * (There is an alarm because qemu's clock hangs without one.) */
static inline void turn(struct pt_loop *listeners, struct pt_task *reader)
{
    board_state state;

    if (board_has_input())
        pt_wake(reader);
    pt_loop_turn(listeners, 0);
    board_wake_at((pt_time)(board_now() + PT_DELAY_NEVER));
    state = board_lock();
    if (pt_loop_idle(listeners) && !board_has_input())
        board_sleep();
    board_unlock(state);
}
#define TURN turn
#else
#define TURN board_turn
#endif

struct listener {
    struct pt pt;
};

PT_ASYNC(listener, self)
{
    for (;;) {
        while (board_get() >= 0)
            if (++bytes == 8)
                board_end(0);
        PT_PARK();
    }
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(listener) listener;

    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &listener, listener);
    for (;;)
        TURN(&loop, &listener.task);
}

#endif
