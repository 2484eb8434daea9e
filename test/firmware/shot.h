/* shot.h - an interrupt at a chosen moment, by a timer of the board that fires once
 * SPDX-License-Identifier: MIT
 *
 * qemu counts time in instructions of 64 ns each. A step of the timer is not longer, so that one
 * more step moves the interrupt by at most one instruction. */
#ifndef SHOT_H
#define SHOT_H

#include <stdint.h>

extern const uint32_t shot_hz; /* steps in a second */

void shot_start(void);

/* Fire after STEPS steps of 40 to 64 ns; replaces a shot that has not fired yet. */
void shot_in(uint32_t steps);

/* The program defines this: the shot has fired before the instruction at PLACE. It runs in the
 * interrupt. */
void shot_came(uintptr_t place);

/* On the MPS2 boards: pend an interrupt of lower priority, which calls shot_came_below. */
void shot_below(void);
void shot_came_below(void);

#endif
