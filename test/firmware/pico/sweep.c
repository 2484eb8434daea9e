/* sweep.c - the loop and the interrupts of such a program
 * SPDX-License-Identifier: MIT */
#include "sweep.h"

#define SHOT REGISTER(0x40070000)

enum { SHOT_IRQ = 31 };

volatile uint32_t rounds, cancel_at;
volatile uint32_t lent, done, canceled;
uint32_t sweep_pends;
struct pt_loop loop;

static struct pt_remote cancel;
static handler *table_in_ram[48] __attribute__((aligned(256)));

static void shot(void)
{
    pt_remote_post(&cancel);
    NVIC_ISPR = sweep_pends;
}

void sweep_handle(unsigned irq, handler *run)
{
    table_in_ram[16 + irq] = run;
    NVIC_ISER = 1u << irq;
}

void sweep_cancel_in(uint32_t cycles)
{
    SHOT = cycles;
}

/* As board_turn_posted, but it does not sleep behind the end of the task: until that sleep is over,
 * all that is in flight has landed. */
void sweep_turn(const struct pt_task *task)
{
    pt_time next = pt_loop_turn(&loop, board_now());
    board_state state = board_lock();

    if (pt_task_alive(task) && pt_loop_idle(&loop) && !pt_loop_posted(&loop))
        board_sleep_until(next);
    board_unlock(state);
}

void sweep_run(const struct pt_task *task)
{
    while (pt_task_alive(task))
        sweep_turn(task);
}

void sweep_canceled(const struct pt_task *task)
{
    sweep_cancel_in(cancel_at);
    sweep_run(task);
    sweep_cancel_in(0);
    pt_loop_turn(&loop, board_now()); /* a cancel that came too late */
    canceled += pt_task_status(task) == PT_ECANCELED;
}

int sweep(int (*one_round)(void))
{
    int wrong = 0;

    while (!wrong && done < rounds) {
        wrong = one_round();
        done++;
    }
    return wrong;
}

void wait_us(uint32_t micros)
{
    uint32_t since = TIMER_LOW;

    while (TIMER_LOW - since < micros) {
    }
}

void sweep_open(uint32_t parts, struct pt_task *task)
{
    handler *const *from = (handler *const *)(uintptr_t)VTOR;

    for (unsigned i = 0; i < 16 + IRQS; i++)
        table_in_ram[i] = from[i];
    board_start();
    VTOR = (uint32_t)(uintptr_t)table_in_ram;
    RESETS_RESET(CLEAR) = parts;
    while (~RESETS_DONE & parts) {
    }
    sweep_handle(SHOT_IRQ, shot);
    pt_loop_init(&loop, board_now());
    pt_remote_open(&cancel, &loop, pt_remote_cancel, task);
}

void pins_start(void);
void pins_start(void)
{
}

void board_received(void)
{
}
