/* sweep-arm.c - an interrupt at every instruction of a Cortex-M3 or M4F: is a wake ever slept past?
 * SPDX-License-Identifier: MIT
 *
 * qemu counts time in instructions: one is 64 ns. The board's two timers, at 40 ns a cycle, stand in
 * for a UART that receives. Swept cycle by cycle, they interrupt each instruction:
 *
 *     a byte       a timer fires between the start of a turn and its sleep, or in it
 *     two bytes    the second fires behind the first: in its interrupt, its wake, its turn
 *     a deadline   is reached anywhere on the way to the sleep
 *
 * The listener is woken for a byte in the ring or, with BY_REMOTE, by a post of the interrupt.
 *
 * A byte that is seen later than it could be, or a deadline that is slept past, is a lost wake: the
 * next interrupt is 50 ms away. The table of interrupts is copied to RAM, where the timers have
 * theirs; each notes where it came. */
#include "cortex-m.h"
#include "end.h"
#include "input.h"
#include "run.h"

#define VTOR REGISTER(0xe000ed08)
#define TIMER_CTRL(n) REGISTER(0x40000000 + 0x1000 * (n))
#define TIMER_VALUE(n) REGISTER(0x40000004 + 0x1000 * (n))
#define TIMER_RELOAD(n) REGISTER(0x40000008 + 0x1000 * (n))
#define TIMER_INTCLEAR(n) REGISTER(0x4000000c + 0x1000 * (n))

enum { TIMER_IRQ = 8, FAR = 2000 /* cycles: the loop sleeps by then */, LATE = 3 /* ticks */ };

static struct pt_loop loop;
static volatile unsigned fired, seen, lost;
static volatile pt_time fired_at;
static unsigned points, ticks;
static uint32_t been[1024]; /* a bit for each half-word of the program */

/* --- the program ------------------------------------------------------------------------- */

struct listener {
    struct pt pt;
};

static PT_ASYNC(listener, self)
{
    for (;;) {
        while (board_get() >= 0) {
            seen++;
            lost += (pt_time)(board_now() - fired_at) > LATE;
        }
        PT_PARK();
    }
}
PT_END

struct ticker {
    struct pt pt;
    pt_time period, due;
};

static PT_ASYNC(ticker, self)
{
    for (;;) {
        self->due = (pt_time)(PT_NOW() + self->period);
        PT_WAIT_UNTIL(self->due);
        ticks++;
        lost += (pt_time)(board_now() - self->due) > LATE;
    }
}
PT_END

static PT_TASK(listener) listener;
static PT_TASK(ticker) ticker;

#ifdef BY_REMOTE
static struct pt_remote bell;
#define TURN() board_turn_posted(&loop)
#else
#define TURN() board_turn(&loop, &listener.task)
#endif

void board_received(void)
{
#ifdef BY_REMOTE
    pt_remote_post(&bell);
#endif
}

/* --- the interrupts ---------------------------------------------------------------------- */

static void fire(unsigned timer, uint32_t cycles)
{
    TIMER_CTRL(timer) = 0;
    TIMER_RELOAD(timer) = 0; /* once */
    TIMER_VALUE(timer) = cycles;
    TIMER_CTRL(timer) = 9;
}

void timer_fired(const uint32_t *frame) __attribute__((used));
void timer_fired(const uint32_t *frame)
{
    uint32_t at = frame[6] / 2;

    been[at / 32 % 1024] |= 1u << at % 32;
    for (unsigned timer = 0; timer < 2; timer++)
        if (TIMER_INTCLEAR(timer)) {
            TIMER_CTRL(timer) = 0;
            TIMER_INTCLEAR(timer) = 1;
            fired++;
            fired_at = board_now();
            input_received(1);
        }
}

static void __attribute__((naked)) timer_interrupt(void)
{
    __asm__ volatile("mov r0, sp\n\tb timer_fired");
}

static void hook(void)
{
    static handler *copy[32] __attribute__((aligned(128)));
    handler *const *from = (handler *const *)(uintptr_t)VTOR;

    for (unsigned i = 0; i < 17; i++)
        copy[i] = from[i];
    copy[16 + TIMER_IRQ] = copy[16 + TIMER_IRQ + 1] = timer_interrupt;
    VTOR = (uint32_t)(uintptr_t)copy;
    NVIC_ISER = 3u << TIMER_IRQ;
}

/* --- the sweep --------------------------------------------------------------------------- */

static void run_until_seen(unsigned bytes)
{
    while (seen != bytes)
        TURN();
    points++;
}

static void sweep_bytes(uint32_t first, bool second)
{
    for (uint32_t cycles = 1; cycles < FAR; cycles++) {
        unsigned bytes = seen + 1 + second;

        if (second)
            fire(1, first + cycles);
        fire(0, second ? first : cycles);
        run_until_seen(bytes);
    }
}

/* Two instructions a round. */
static void spin(uint32_t instructions)
{
    if (instructions & 1)
        __asm__ volatile("nop");
    __asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "=r"(instructions) : "0"(instructions / 2));
}

/* A tick is 15,625 instructions. */
static void sweep_deadline(void)
{
    ticker.frame.period = 1;
    for (uint32_t rest = 0; rest < 1500; rest++) {
        unsigned before = ticks;

        while (ticks == before)
            TURN();
        spin(15625 - rest);
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
    board_start();
    hook();
    pt_loop_init(&loop, board_now());
#ifdef BY_REMOTE
    pt_remote_open(&bell, &loop, pt_remote_wake, &listener.task);
#endif
    PT_START(&loop, &listener, listener);
    PT_START(&loop, &ticker, ticker, .period = PT_MS(50));
    sweep_bytes(0, false);
    sweep_bytes(FAR, true);
    sweep_deadline();
    say("interrupted ");
    say_number((long)places());
    say(" instructions\n");
    say_number((long)points);
    say(" points tried, ");
    say_number((long)lost);
    say(" wakes lost\n");
    return lost != 0;
}
