/* board_config.h - Cortex-M: the lock; each board defines its ticks
 * SPDX-License-Identifier: MIT */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#include "ticks_per_sec.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t board_state;

static inline board_state board_lock(void)
{
    board_state state;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
    return state;
}

static inline void board_unlock(board_state state)
{
    __asm__ volatile("msr primask, %0" ::"r"(state) : "memory");
}

extern volatile bool rang; /* written by the clock's interrupt */

static inline bool board_rang(void)
{
    return rang;
}

#endif
