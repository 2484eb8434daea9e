/* sweep-self.c - interrupts itself at every instruction: does the loop ever sleep past a wake?
 * SPDX-License-Identifier: MIT
 *
 * For the boards that qemu runs, and the Pico. A timer of the board acts as a UART that receives. It is swept
 * step by step (shot.h), and so interrupts each instruction:
 *
 *     a byte       arrives between the start of a turn and its sleep, or in the sleep
 *     two bytes    the second follows the first: in its interrupt (if that has a lower priority:
 *                  TWO_LEVELS), its wake, its turn
 *     a deadline   is reached anywhere on the way to the sleep
 *     both         TIMED: a byte arrives shortly before or after the end of the listener's park
 *
 * It is a lost wake if a byte is seen late or the loop sleeps past a deadline: the next interrupt
 * is 10 ms away. The interrupt notes where it came. */
#include "end.h"
#include "input.h"
#include "shot.h"
#include "swept.h"

/* In steps: by FAR the loop sleeps; at BACKSTOP a byte wakes a loop that would sleep forever. */
enum { FAR = 2000, BACKSTOP = 1000000 };

static volatile uint8_t came, seen; /* bytes */
static volatile unsigned lost;
static volatile pt_time fired_at;
static volatile uint32_t then; /* steps to a second byte, 0: none */
static unsigned points, ticks;
static uint32_t been[1024]; /* a bit for each half-word of the program */

/* The limit is longer than a tick of any board here. */
static void note_if_late(pt_time since)
{
    lost += (pt_time)(board_now() - since) > 3 * PT_MS(1);
}

static void saw(uint8_t bytes, bool right)
{
    seen = bytes;
    lost += !right;
    note_if_late(fired_at);
}

#ifdef TIMED
static uint32_t from_rest; /* steps from the end of a park to a byte, 0: none */

static void rested(pt_time now, pt_time until)
{
    if (from_rest)
        shot_in(from_rest);
    from_rest = 0;
    lost += pt_time_before(now, until);
    note_if_late(until);
}
#endif

struct ticker {
    struct pt pt;
    pt_time period, due;
};

static PT_ASYNC(ticker, self)
{
    for (;;) {
        self->due = (pt_time)(PT_NOW() + self->period);
        PT_WAIT_DEADLINE(self->due);
        ticks++;
        note_if_late(self->due);
    }
}
PT_END

static PT_TASK(ticker) ticker;

#ifdef ARDUINO
static pt_time due(void)
{
    return ticker.frame.due;
}
#endif

void shot_came(uintptr_t place)
{
    bool second = then != 0; /* it is still to come */

    been[place / 64 % 1024] |= 1u << place / 2 % 32;
    shot_in(second ? then : BACKSTOP);
    then = 0;
    if (came != seen) /* not even the ticker's turns have shown it */
        note_if_late(fired_at);
    came++;
    fired_at = board_now();
#ifdef TWO_LEVELS
    if (second)
        shot_below(); /* which the second can interrupt */
    else
        arrive(true);
#else
    input_received(1);
#endif
}

#ifdef TWO_LEVELS
void shot_came_below(void)
{
    arrive(false);
}
#endif

/* --- the sweep --------------------------------------------------------------------------- */

static void sweep_bytes(bool second)
{
    for (uint32_t steps = 1; steps < FAR; steps++) {
        uint8_t bytes = (uint8_t)(seen + 1 + second);

        then = second ? steps : 0;
        shot_in(second ? FAR : steps);
        while ((int8_t)(bytes - seen) > 0) /* a bug could make it too many */
            turn();
        points++;
    }
}

#ifdef TIMED
/* A byte comes up to FAR / 2 steps before or after the end of a park. */
static void sweep_end(void)
{
    for (uint32_t steps = 0; steps < FAR; steps++) {
        uint8_t bytes = (uint8_t)(seen + 1);

        from_rest = shot_hz / 200 - FAR / 2 + steps; /* a park takes 5 ms */
        shot_in(BACKSTOP);
        while ((int8_t)(bytes - seen) > 0)
            turn();
        points++;
    }
}
#endif

#ifdef SPIN_HZ
/* The harness of the Pico lets the processor stand still for this many cycles. */
static void spin(uint32_t cycles)
{
    *(volatile uint32_t *)0x40070004 = cycles;
}
#else
enum { SPIN_HZ = 15625000 };

/* Spend this many instructions: two in each round, and at least one round. */
static void spin(uint32_t instructions)
{
    if (instructions & 1)
        __asm__ volatile("nop");
#ifdef __arm__
    __asm__ volatile(".syntax unified\n1:\tsubs %0, %0, #1\n\tbne 1b"
                     : "=l"(instructions)
                     : "0"(instructions / 2)
                     : "cc");
#else
    __asm__ volatile("1:\taddi %0, %0, -1\n\tbnez %0, 1b"
                     : "=r"(instructions)
                     : "0"(instructions / 2));
#endif
}
#endif

/* The deadline comes at a tick, REST instructions (or cycles) after the start of the ticker's turn. */
static void sweep_deadline(void)
{
    const uint32_t tick = SPIN_HZ / PT_TICKS_PER_SEC;

    for (uint32_t rest = 0; rest < 1500; rest++) {
        unsigned before = ticks;

        shot_in(BACKSTOP);
        while (ticks == before)
            turn();
        ticker.frame.period = (pt_time)(1 + rest / tick);
        spin(tick + 2 - rest % tick);
        points++;
    }
}

static unsigned places(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < sizeof been / sizeof *been; i++)
        for (uint32_t bits = been[i]; bits; bits &= bits - 1)
            count++;
    return count;
}

int main(void)
{
    listen();
    board_start();
    shot_start();
    PT_START(HOME, &ticker, ticker, .period = PT_MS(10));
    sweep_bytes(false);
    sweep_bytes(true);
    sweep_deadline();
#ifdef TIMED
    if (!lost) /* a mistake can be that no time ends a park */
        sweep_end();
#endif
    say("interrupted ");
    say_number((long)places());
    say(" instructions\n");
    say_number((long)points);
    say(" points tried, ");
    say_number((long)lost);
    say(" wakes lost\n");
    return lost != 0;
}
