/* mps2_stop.h - a deep sleep of Arm's MPS2 boards: SysTick stands, the dual timer goes on
 * SPDX-License-Identifier: MIT
 *
 * For sleep.h. On a part with low power the deep sleep itself stops the clock of the processor, and
 * SysTick with it; here the program stops it, so that all that follows from that can be seen. The
 * dual timer counts at 97,656 Hz: its first half is the slow counter, its second half the alarm. */
#ifndef MPS2_STOP_H
#define MPS2_STOP_H

#include "board.h"

/* stop_start - behind board_start */
void stop_start(void);

/* stop_until - a mode of sleep.h; sleeps from 2 ticks on are worth it */
void stop_until(pt_time until);

#endif
