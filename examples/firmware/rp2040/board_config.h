/* board_config.h - Raspberry Pi Pico: ticks of 32 us, the lock, and whether two cores post
 * SPDX-License-Identifier: MIT
 *
 * BOARD_CORES is 2 in a program with a loop on each core: then a post takes a lock of the hardware.
 * */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#include "ticks_per_sec.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef BOARD_CORES
#define BOARD_CORES 1
#endif
#if BOARD_CORES == 2
#include "../first/two_cores.h"
#endif

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

/* board_core - which core this is: 0 or 1 */
static inline uint32_t board_core(void)
{
    return BOARD_CORES == 2 ? *(volatile uint32_t *)0xd0000000 : 0;
}

extern volatile bool rang[2]; /* of each core, written by its clock's interrupt */

static inline bool board_rang(void)
{
    return rang[board_core()];
}

#endif
