/* ticks_per_sec.h - the clock of a microbit: 16 MHz / 512
 * SPDX-License-Identifier: MIT */
#define PT_TICKS_PER_SEC 31250
