/* shot.h - an interrupt at a moment of one's choice, by a timer of the board that fires once
 * SPDX-License-Identifier: MIT
 *
 * qemu counts time in instructions: one is 64 ns. A step of the timer is no more than that, so that by
 * each number of steps an interrupt comes at another instruction, or at the same. */
#ifndef SHOT_H
#define SHOT_H

#include <stdint.h>

void shot_start(void);

/* It comes so many steps from now, instead of one that has not come yet; 40 to 64 ns each. */
void shot_in(uint32_t steps);

/* Of the program: it has come, before the instruction at this place; runs in the interrupt. */
void shot_came(uintptr_t place);

#endif
