/* three_classic.h - a copy of board.h for a file that must not include <pt/pt.h>
 * SPDX-License-Identifier: MIT */
#ifndef THREE_CLASSIC_H
#define THREE_CLASSIC_H

#include "board_config.h"

#if PT_TIME_BITS == 16
typedef uint16_t tick;
#else
typedef uint32_t tick;
#endif

#define MS(n) ((tick)(((n)*1ul * PT_TICKS_PER_SEC + 999) / 1000))

void board_start(void);
tick board_now(void);
void board_wake_at(tick until);
void board_sleep(void);
bool board_has_input(void);
int board_get(void);
void board_received(void);
void board_led(uint8_t led, bool on);
bool board_button(void);

#endif
