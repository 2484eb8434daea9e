/* second.h - a program on the second core of a Pico; every file has -DBOARD_CORES=2
 * SPDX-License-Identifier: MIT */
#ifndef SECOND_H
#define SECOND_H

/* second_start - core 1 runs RUN, which does not return; core 0 calls it, behind board_start
 * There board_now, board_wake_at, board_sleep and the lock work as on core 0, with an alarm of its
 * own; UART and pins stay with core 0. What core 0 has written before is seen by RUN. */
void second_start(void (*run)(void));

#endif
