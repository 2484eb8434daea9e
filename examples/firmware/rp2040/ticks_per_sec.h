/* ticks_per_sec.h - the clock of a Pico: its microseconds / 32
 * SPDX-License-Identifier: MIT */
#define PT_TICKS_PER_SEC 31250
