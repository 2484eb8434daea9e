/* board.h - the main loop of firmware: a turn, then a sleep that loses no wake
 * SPDX-License-Identifier: MIT
 *
 *     for (;;)
 *         pt_loop_turn_and_sleep(&loop, board_now, board_sleep_until);
 *
 * The port is three functions: the clock, the sleep, and the interrupt lock, PT_CRITICAL_ENTER with
 * PT_CRITICAL_LEAVE, which critical.h has for AVR, Cortex-M and RISC-V. It avoids the trap of the
 * obvious loop:
 *
 *     next = pt_loop_turn(&loop, board_now());
 *     if (pt_loop_idle(&loop) && !pt_loop_posted(&loop))
 *                                      <- an interrupt posts here: the part sleeps all the same
 *         board_sleep_until(next);
 *
 * With interrupts masked from the check to the sleep instruction, the interrupt stays pending, and
 * a pending interrupt ends the sleep. */
#ifndef PT_BOARD_H
#define PT_BOARD_H

#include "../run/turn.h"

#if defined(PT_CRITICAL_ENTER)

/* pt_loop_turn_and_sleep - one turn, then a sleep, unless a task is ready or something was posted
 * NOW returns the time, as for pt_loop_turn. SLEEP_UNTIL stops the part until the time UNTIL, or
 * until an interrupt is pending. It is called with interrupts masked: it sleeps by an instruction
 * that ends when a masked interrupt is pending (wfi), or that unmasks and sleeps in one step (AVR's
 * sei and sleep). If UNTIL has come, it must return at once. It may always return early. UNTIL is
 * half the range ahead if only an interrupt can make a task ready. No wake is lost: not before the
 * turn, not between the turn and the sleep. Inline: the calls of NOW and SLEEP_UNTIL are direct. */
PT_ALWAYS void pt_loop_turn_and_sleep(struct pt_loop *loop, pt_time (*now)(void),
                                      void (*sleep_until)(pt_time until));

/* --- implementation ------------------------------------------------------------------------ */

PT_ALWAYS void pt_loop_turn_and_sleep(struct pt_loop *loop, pt_time (*now)(void),
                                      void (*sleep_until)(pt_time until))
{
    pt_time next = pt_loop_turn(loop, now());
    unsigned masked = PT_CRITICAL_ENTER();
    bool rest = pt_loop_idle(loop);

    PT_IF_(PT_OR_(PT_REMOTE, PT_WAKERS), rest = rest && !pt_loop_posted(loop);)
    if (rest)
        sleep_until(next);
    PT_CRITICAL_LEAVE(masked);
}

#else
#define pt_loop_turn_and_sleep(...) \
    ((void)sizeof(struct pt_loop_turn_and_sleep_needs_PT_CRITICAL_ENTER_and_PT_CRITICAL_LEAVE))
#endif
#endif
