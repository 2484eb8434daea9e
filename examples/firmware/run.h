/* run.h - a loop on a board: turn, then sleep, unless there is something to do
 * SPDX-License-Identifier: MIT
 *
 * The loop checks for work from interrupts before each turn, and again, with interrupts masked,
 * before it sleeps. Whatever comes after that check wakes the processor. An interrupt has two ways:
 * it puts a byte into the ring of input.h, which costs nothing more; or it posts a pt_waker, which
 * wakes a task, or a pt_remote, for anything else. It may post at any priority. */
#ifndef RUN_H
#define RUN_H

#include "board.h"

/* board_turn - one turn of LOOP, then sleep; READER is the task that parks until a byte comes */
static inline void board_turn(struct pt_loop *loop, struct pt_task *reader)
{
    board_state state;

    if (board_has_input())
        pt_wake(reader);
    board_wake_at(pt_loop_turn(loop, board_now()));
    state = board_lock();
    if (pt_loop_idle(loop) && !board_has_input() && !board_rang())
        board_sleep();
    board_unlock(state);
}

static inline void board_sleep_until(pt_time until)
{
    board_wake_at(until);
    if (!board_rang())
        board_sleep();
}

/* board_turn_posted - the same if interrupts post: then pt has this loop */
static inline void board_turn_posted(struct pt_loop *loop)
{
    pt_loop_turn_and_sleep(loop, board_now, board_sleep_until);
}

#endif
