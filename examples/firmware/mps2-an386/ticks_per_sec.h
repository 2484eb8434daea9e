/* ticks_per_sec.h - the clock of this board: SysTick, in milliseconds
 * SPDX-License-Identifier: MIT */
#define PT_TICKS_PER_SEC 1000
