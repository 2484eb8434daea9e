/* systick.h - what the clock by SysTick has beside board.h
 * SPDX-License-Identifier: MIT */
#ifndef SYSTICK_H
#define SYSTICK_H

#include "board.h"

/* clock_start - start it; the board does this */
void clock_start(void);

/* clock_skip - add TICKS to the time: so long SysTick has stood, in a deep sleep */
void clock_skip(pt_time ticks);

#endif
