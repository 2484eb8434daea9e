/* board_config.h - RV32 on qemu's "virt": ticks of 12.8 us, and the lock
 * SPDX-License-Identifier: MIT */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define PT_TICKS_PER_SEC 78125 /* mtime's 10 MHz / 128 */

typedef uint32_t board_state;

static inline board_state board_lock(void)
{
    board_state state;

    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(state)::"memory"); /* MIE off */
    return state;
}

/* Sets the bits of STATE: MIE, if it was set. Other bits of mstatus are set already. */
static inline void board_unlock(board_state state)
{
    __asm__ volatile("csrs mstatus, %0" ::"r"(state) : "memory");
}

extern volatile bool rang; /* written by the timer's interrupt */

static inline bool board_rang(void)
{
    return rang;
}

#endif
