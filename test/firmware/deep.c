/* deep.c - a board sleeps deeply, and is woken at any moment: its time is true
 * SPDX-License-Identifier: MIT
 *
 * For the MPS2 boards. A counter of the board has the true time. A timer interrupts: at each step of
 * a turn and its sleep, and then anywhere in a sleep. Some sleeps are shallow: a task holds that
 * mode. */
#include "cortex-m.h"
#include "services/sleep.h"
#include "end.h"
#include "mps2_stop.h"
#include "run.h"
#include "shot.h"

#define FPGA_COUNTER REGISTER(0x40028018) /* at 25 MHz */
#define FPGA_PRESCALE REGISTER(0x4002801c)
#define PACE_CTRL REGISTER(0x40001000)
#define PACE_VALUE REGISTER(0x40001004)
#define PACE_RELOAD REGISTER(0x40001008)

enum { STEPS = 700, COUNTS = BOARD_HZ / PT_TICKS_PER_SEC };

static struct pt_loop loop;
static struct sleep_mode modes[] = {
    {.name = "doze", .enter = board_sleep_until},
    {.name = "stop", .enter = stop_until, .least = 2},
};
static struct sleep sleep_ = {.now = board_now, .modes = modes, .deepest = 1};
static struct sleep_hold hold;
static struct pt_lock lock;
static volatile unsigned shots;
static unsigned wrong, ticked;
static int32_t least, most;
static pt_time began;

static void sleep_at_most_until(pt_time until)
{
    sleep_until(&sleep_, until);
}

void shot_came(uintptr_t place)
{
    (void)place;
    shots++;
}

/* Ticks since the start; to be called once in 171 seconds. */
static uint32_t true_ticks(void)
{
    static uint32_t last, rest, ticks;
    uint32_t counter = FPGA_COUNTER, counts = counter - last + rest;

    last = counter;
    ticks += counts / COUNTS;
    rest = counts % COUNTS;
    return ticks;
}

/* qemu wakes the processor behind one more event of a timer: here that is never far. */
static void pace(void)
{
    PACE_RELOAD = PACE_VALUE = BOARD_HZ / 2000;
    PACE_CTRL = 1;
}

static void compare(void)
{
    int32_t error = (int32_t)((uint32_t)(board_now() - began) - true_ticks());

    least = error < least ? error : least;
    most = error > most ? error : most;
}

struct ticker {
    struct pt pt;
    struct pt_held held;
    pt_time period, due;
    unsigned number;
};

static PT_ASYNC(ticker, self)
{
    for (;; self->number++) {
        self->due = (pt_time)(PT_NOW() + self->period);
        if (self->number % 4 == 0) {
            PT_WITH_LOCK(&self->held, &lock) {
                PT_WAIT_DEADLINE(self->due);
            }
        } else {
            PT_WAIT_DEADLINE(self->due);
        }
        wrong += (pt_time)(PT_NOW() - self->due) > 1;
        ticked++;
    }
}
PT_END

static void sleep_once(void)
{
    pt_loop_turn_and_sleep(&loop, board_now, sleep_at_most_until);
    compare();
}

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(ticker) ticker;

    board_start();
    shot_start();
    stop_start();
    pace();
    FPGA_PRESCALE = 0;
    FPGA_COUNTER = 0;
    began = board_now();
    pt_loop_init(&loop, board_now());
    pt_lock_init(&lock);
    sleep_hold(&sleep_, &hold, "ticker", 0, &lock);
    PT_START(&loop, &ticker, ticker, .period = 7);
    for (uint32_t steps = 1; steps < STEPS; steps++) {
        shot_in(steps);
        while (shots < steps)
            sleep_once();
    }
    for (uint32_t steps = 1; steps < STEPS; steps++) {
        shot_in(steps * 7919 % 175000);
        sleep_once();
    }
    ticker.frame.period = PT_SEC(3); /* more than SysTick holds */
    shot_in(0xffffffff);
    for (unsigned until = ticked + 4; ticked < until;)
        sleep_once();
    say_number((long)(modes[1].ticks > modes[0].ticks / 2 && hold.ticks >= 7));
    say(" if it slept in both ways\n");
    say_number((long)wrong);
    say(" late, the clock was wrong by ");
    say_number(least);
    say(" to ");
    say_number(most);
    say(" ticks\n");
    return wrong || least < -2 || most > 1;
}
