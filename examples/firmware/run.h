/* run.h - a loop on a board: turn, then sleep, unless there is something to do
 * SPDX-License-Identifier: MIT
 *
 * What an interrupt has to say lies in a ring (input.h). The loop looks at it before each turn, and
 * once more, masked, before it sleeps: what comes behind that look wakes the processor. */
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

#endif
