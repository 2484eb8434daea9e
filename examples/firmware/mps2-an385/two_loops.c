/* two_loops.c - a loop that runs in an interrupt, above the loop of main
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - Two loops share nothing, so one may interrupt the other in the middle of a step: here while a
 *     task of main is busy for 50 ms, one of the upper loop runs each 5 ms.
 *   - The upper loop has no idle step: its interrupt gives it a turn each millisecond.
 *   - What one has to say to the other goes through pt_remote_post, lock-free, in either direction.
 * The board's timer 0 has no place in the table of interrupts: a copy in RAM has. */
#include "cortex-m.h"
#include "run.h"

#define VTOR REGISTER(0xe000ed08)
#define TIMER_CTRL REGISTER(0x40000000)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_INTCLEAR REGISTER(0x4000000c)
#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(uintptr_t)(0xe000e400 + (irq)))

enum { TIMER_IRQ = 8 };

static struct pt_loop upper, lower;
static struct pt_remote bell; /* of the lower loop */

static void say(const char *text)
{
    for (; *text; text++)
        while (!board_put(*text)) {
        }
}

/* --- above --------------------------------------------------------------------------------- */

struct control {
    struct pt pt;
    uint8_t runs;
};

static PT_ASYNC(control, self)
{
    for (;;) {
        if (++self->runs == 40)
            pt_remote_post(&bell);
        PT_WAIT(PT_MS(5));
    }
}
PT_END

static PT_TASK(control) control;

static void timer(void)
{
    TIMER_INTCLEAR = 1;
    pt_loop_turn(&upper, board_now());
}

/* --- below --------------------------------------------------------------------------------- */

struct busy {
    struct pt pt;
    uint8_t before;
};

static PT_ASYNC(busy, self)
{
    PT_WAIT(PT_MS(10));
    self->before = control.frame.runs;
    while ((pt_time)(board_now() - PT_NOW()) < PT_MS(50)) {
    }
    say((uint8_t)(control.frame.runs - self->before) >= 9
            ? "the upper loop ran in a step of the lower\n"
            : "the upper loop had to wait\n");
}
PT_END

struct listener {
    struct pt pt;
};

static PT_ASYNC(listener, self)
{
    PT_PARK();
    say("the upper loop rang\n");
}
PT_END

void board_received(void)
{
}

static void start_timer(void)
{
    static handler *copy[32] __attribute__((aligned(128)));
    handler *const *from = (handler *const *)(uintptr_t)VTOR;

    for (unsigned i = 0; i < 17; i++)
        copy[i] = from[i];
    copy[16 + TIMER_IRQ] = timer;
    VTOR = (uint32_t)(uintptr_t)copy;
    NVIC_PRIORITY(TIMER_IRQ) = 0x80; /* below SysTick, which is the clock of both */
    TIMER_RELOAD = 25000;
    TIMER_CTRL = 9;
    NVIC_ISER = 1u << TIMER_IRQ;
}

int main(void)
{
    static PT_TASK(busy) busy;
    static PT_TASK(listener) listener;

    board_start();
    pt_loop_init(&upper, board_now());
    pt_loop_init(&lower, board_now());
    pt_remote_open(&bell, &lower, pt_remote_wake, &listener.task);
    PT_START(&upper, &control, control);
    PT_START(&lower, &busy, busy);
    PT_START(&lower, &listener, listener);
    start_timer();
    while (pt_task_alive(&listener.task))
        board_turn_posted(&lower);
    return 0;
}
