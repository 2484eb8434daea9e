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

#ifndef TIMERS
#define TIMERS 4
#endif

#if CASE != 'c'
static struct pt_loop loop;
#endif

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
    static PT_TASK(sleeper) tasks[TIMERS];
    static const uint8_t periods[] = {30, 50, 70, 110};
    pt_time now = 0;

    pt_loop_init(&loop, now);
    for (int i = 0; i < TIMERS; i++)
        PT_START(&loop, &tasks[i], sleeper, .period = (pt_time)(periods[i % 4] + i / 4 * 19));
    for (int turn = 0; turn < 10 * TIMERS; turn++) {
        turn_begins();
        now = pt_loop_turn(&loop, now);
        turn_ends();
    }
    return 0;
}

#elif CASE == 'c'

void cancelled(void) __attribute__((noinline));
void cancelled(void)
{
    __asm__ volatile("");
}

/* TIMERS timers are armed in one of four orders: by deadline, the other way round, shuffled, or with
 * equal deadlines; then all are cancelled in one of four. */
static struct pt_timers_ timers;
static pt_timer_ line[TIMERS];
static uint8_t places[TIMERS];

void board_received(void)
{
}

static void shuffle(void)
{
    static uint16_t chance = 1;

    for (uint8_t i = TIMERS - 1; i > 0; i--) {
        chance = (uint16_t)(chance * 25173u + 13849u);
        uint8_t other = (uint8_t)((chance >> 8) % (i + 1u)), place = places[i];

        places[i] = places[other];
        places[other] = place;
    }
}

/* The timers by number, the other way round, or shuffled. */
static void arrange(uint8_t order)
{
    for (uint8_t i = 0; i < TIMERS; i++)
        places[i] = order == 1 ? (uint8_t)(TIMERS - 1 - i) : i;
    if (order > 1)
        shuffle();
}

/* From the first instruction of this function to the first one of `cancelled`: one removal. */
void cancel(pt_timer_ *timer) __attribute__((noinline));
void cancel(pt_timer_ *timer)
{
    pt_timers_remove_(&timers, timer);
    cancelled();
}

int main(void)
{
    pt_timers_init_(&timers, 0);
    for (uint8_t armed = 0; armed < 4; armed++) {
        for (uint8_t order = 0; order < 4; order++) {
            arrange(armed);
            for (uint8_t i = 0; i < TIMERS; i++)
                pt_timers_add_(&timers, &line[places[i]], armed == 3 ? 1 : places[i]);
            arrange(order);
            turn_begins();
            for (uint8_t i = 0; i < TIMERS; i++)
                cancel(&line[places[i]]);
            turn_ends();
        }
    }
    return 0;
}

#elif CASE == 'p'

#include "edge.h"

#ifdef BY_WAKER
struct pt_waker edge;
#define edge_open(edge, loop, task) pt_waker_open(edge, loop, task)
#else
struct pt_remote edge;
#define edge_open(edge, loop, task) pt_remote_open(edge, loop, pt_remote_wake, task)
#endif

static volatile pt_time ticks; /* as in first/systick_1ms.h; but this clock stands still */

static pt_time now(void)
{
    return ticks;
}

static void sleep_until(pt_time until)
{
    if (pt_time_before(ticks, until))
#ifdef __AVR__
        __asm__ volatile("sei\n\tsleep\n\tcli" ::: "memory");
#else
        __asm__ volatile("wfi" ::: "memory");
#endif
}

struct listener {
    struct pt pt;
    uint8_t edges;
};

PT_ASYNC(listener, self)
{
    for (;;) {
        PT_PARK();
        if (++self->edges == 8)
            board_end(0);
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
    board_wake_at((pt_time)(board_now() + PT_DELAY_MAX)); /* qemu's clock hangs without an alarm */
    pt_loop_init(&loop, now());
    edge_open(&edge, &loop, &listener.task);
    PT_START(&loop, &listener, listener);
    for (;;)
        pt_loop_turn_and_sleep(&loop, now, sleep_until);
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
