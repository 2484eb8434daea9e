/* board_config.h - virtual time: a millisecond clock of 32 bits, and no interrupts to mask
 * SPDX-License-Identifier: MIT */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#include <stdbool.h>

#ifndef PT_TIME_BITS
#define PT_TIME_BITS 32
#endif
#ifndef PT_TICKS_PER_SEC
#define PT_TICKS_PER_SEC 1000
#endif
#define PT_READY PT_READY_LIST /* as on a part: the queues need no storage */

typedef unsigned char board_state;

static inline board_state board_lock(void)
{
    return 0;
}

static inline void board_unlock(board_state state)
{
    (void)state;
}

#define PT_CRITICAL_ENTER() board_lock() /* for pt_loop_turn_and_sleep */
#define PT_CRITICAL_LEAVE(state) board_unlock((board_state)(state))

static inline bool board_rang(void)
{
    return false; /* a sleep until a past time returns at once */
}

#endif
