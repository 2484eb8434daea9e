/* sweep.h - rounds of a program on a Pico: in each an interrupt cancels a task at another moment
 * SPDX-License-Identifier: MIT
 *
 * sweep.js runs it. A round says which memory is lent to the hardware, starts a task, and runs it
 * until its end; CANCEL_AT is when that interrupt comes. */
#ifndef SWEEP_H
#define SWEEP_H

#include "end.h"
#include "registers.h"
#include "run.h"

enum { DMA_IRQ = 11, DMA_BIT = 1 << 2 };

/* sweep.js sets the first two, and reads the others. LENT: the hardware may write the memory that
 * it watches. CANCEL_AT: in cycles. */
extern volatile uint32_t rounds, cancel_at;
extern volatile uint32_t lent, done, canceled;

/* Interrupts, a bit each, that come with a cancel, without a cause. */
extern uint32_t sweep_pends;

extern struct pt_loop loop;

/* sweep_open - start the board, the loop, and the PARTS of RESETS; the cancels are of TASK */
void sweep_open(uint32_t parts, struct pt_task *task);

/* sweep_handle - RUN is the handler of the interrupt IRQ, which is enabled */
void sweep_handle(unsigned irq, handler *run);

/* sweep_cancel_in - cancel the task after CYCLES; 0: not any more */
void sweep_cancel_in(uint32_t cycles);

/* sweep_turn - turn the loop once, and sleep, unless TASK has ended */
void sweep_turn(const struct pt_task *task);

/* sweep_run - turn the loop until TASK has ended, and no longer */
void sweep_run(const struct pt_task *task);

/* sweep_canceled - the same, with a cancel at CANCEL_AT */
void sweep_canceled(const struct pt_task *task);

/* sweep - all rounds, until one returns another number than 0; returns that */
int sweep(int (*one_round)(void));

/* fill - all COUNT bytes have this value */
static inline void fill(volatile uint8_t *bytes, uint32_t count, uint8_t value)
{
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = value;
}

/* is_all - the bytes from index FROM until before TO have this value */
static inline bool is_all(const volatile uint8_t *bytes, uint32_t from, uint32_t to, uint8_t value)
{
    for (; from < to; from++)
        if (bytes[from] != value)
            return false;
    return true;
}

void wait_us(uint32_t micros);

#endif
