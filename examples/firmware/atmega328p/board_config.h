/* board_config.h - an ATmega328P at 16 MHz: ticks of 64 us, and the lock
 * SPDX-License-Identifier: MIT */
#ifndef BOARD_CONFIG_H
#define BOARD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define PT_TICKS_PER_SEC 15625 /* 16 MHz / 1024 */

typedef uint8_t board_state;

#define BOARD_SREG (*(volatile uint8_t *)0x5f)

static inline board_state board_lock(void)
{
    board_state state = BOARD_SREG;

    __asm__ volatile("cli" ::: "memory");
    return state;
}

static inline void board_unlock(board_state state)
{
    __asm__ volatile("" ::: "memory");
    BOARD_SREG = state;
}

/* A register in which an interrupt can set a bit with one instruction. */
#define BOARD_GPIOR0 (*(volatile uint8_t *)0x3e)

static inline bool board_rang(void)
{
    return BOARD_GPIOR0 & 1;
}

#endif
