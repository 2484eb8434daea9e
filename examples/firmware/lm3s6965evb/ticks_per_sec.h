/* ticks_per_sec.h - the clocks of this board: of its processor, and SysTick in milliseconds
 * SPDX-License-Identifier: MIT */
#define BOARD_HZ 12500000
#define PT_TICKS_PER_SEC 1000
