/* run.h - a loop on a board: turn, then sleep, unless there is something to do
 * SPDX-License-Identifier: MIT
 *
 * What an interrupt has to say lies where the loop looks before each turn, and once more, masked,
 * before it sleeps: what comes behind that look wakes the processor. Either it is a byte in the ring
 * of input.h, which costs nothing; or a post of pt's, to any task, and from interrupts of any
 * priority. */
#ifndef RUN_H
#define RUN_H

#include "board.h"

/* board_turn - one turn of LOOP, and sleep after it; READER waits in PT_PARK for a byte */
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

#if PT_REMOTE
/* board_turn_posted - the same for a program whose interrupts call pt_remote_post */
static inline void board_turn_posted(struct pt_loop *loop)
{
    board_state state;

    board_wake_at(pt_loop_turn(loop, board_now()));
    state = board_lock();
    if (pt_loop_idle(loop) && !pt_loop_posted(loop) && !board_rang())
        board_sleep();
    board_unlock(state);
}
#endif

#endif
