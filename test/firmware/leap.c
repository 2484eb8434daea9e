/* leap.c - SysTick is started again, and something that nothing masks comes in between: no leap
 * SPDX-License-Identifier: MIT
 *
 * For the MPS2 boards. board_wake_at sets SysTick to a deadline, and back to its long span. Here the
 * lock masks all but the highest priority, and an interrupt of that comes at each instruction of it
 * and stays for a while: nothing, the shortest span, a tick, longer than to the deadline. A counter
 * of the board has the true time. The clock must not be ahead of it, not at the deadline either;
 * and behind by what came in between at most. */
#include "board.h"
#include "cortex-m.h"
#include "end.h"
#include "shot.h"

static inline board_state lock_most(void)
{
    board_state state;

    __asm__ volatile("mrs %0, basepri\n\tmsr basepri, %1" : "=&r"(state) : "r"(0x80) : "memory");
    return state;
}

static inline void unlock_most(board_state state)
{
    __asm__ volatile("msr basepri, %0" ::"r"(state) : "memory");
}

#define board_lock lock_most
#define board_unlock unlock_most
#include "cortex-m/systick.c"

#define SHPR3 REGISTER(0xe000ed20)
#define FPGA_COUNTER REGISTER(0x40028018) /* at 25 MHz */
#define FPGA_PRESCALE REGISTER(0x4002801c)

enum { STEPS = 500, AHEAD = 2 };

static volatile uint32_t stays; /* the interrupt, for so many cycles */
static volatile bool came;
static uint32_t been[64]; /* a bit for each half-word of board_wake_at and what it calls */
static unsigned points, ahead, behind;

void shot_came(uintptr_t place)
{
    uint32_t since = FPGA_COUNTER;

    came = true;
    been[place / 64 % 64] |= 1u << place / 2 % 32;
    while (FPGA_COUNTER - since < stays) {
    }
}

/* The clock against the true time since SINCE, when it was NOW; it may have lost LOST cycles. */
static void compare(pt_time now, uint32_t since, uint32_t lost)
{
    int32_t error, most = (int32_t)(lost / CYCLES) + 2;
    pt_time ticks = (pt_time)(board_now() - now);

    error = (int32_t)(ticks - (FPGA_COUNTER - since) / CYCLES);
    ahead += error > 1;
    behind += error < -most;
}

static void try_at(uint32_t steps)
{
    pt_time now = board_now();
    uint32_t since;

    while (board_now() == now) { /* a tick begins */
    }
    now = board_now();
    since = FPGA_COUNTER;
    came = false;
    shot_in(steps);
    board_wake_at((pt_time)(now + AHEAD));
    compare(now, since, stays + 200);
    while (!came) {
    }
    while (!board_rang()) {
    }
    compare(now, since, stays + 200);
    points++;
}

void board_received(void)
{
}

int main(void)
{
    static const uint32_t times[] = {0, LEAST + 20, CYCLES + 100, (AHEAD + 2) * CYCLES};
    unsigned places = 0;

    FPGA_PRESCALE = 0;
    SHPR3 |= 0x80u << 24; /* SysTick, which the lock masks */
    board_start();
    shot_start();
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        stays = times[i];
        for (uint32_t steps = 1; steps < STEPS; steps++)
            try_at(steps);
    }
    for (unsigned i = 0; i < sizeof been / sizeof *been; i++)
        for (uint32_t bits = been[i]; bits; bits &= bits - 1)
            places++;
    say("interrupted ");
    say_number((long)places);
    say(" instructions\n");
    say_number((long)points);
    say(" points tried, ");
    say_number((long)ahead);
    say(" ahead, ");
    say_number((long)behind);
    say(" behind\n");
    return ahead || behind;
}
