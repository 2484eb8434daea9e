/* draw.h - drawing a random script: the random source, and the operations on objects
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_DRAW_H
#define MODEL_DRAW_H

#include "script.h"

/* --- chance.c --- */

/* chance_seed, chance_bytes - set the source of all later random choices: a seed, or the given
 * bytes followed by zeros */
void chance_seed(uint64_t seed);
void chance_bytes(const uint8_t *data, size_t count);

int below(int limit);
bool one_in(int n);

/* --- draw_sync.c --- */

/* sync_weights - how often each operation is drawn in this script, from MIX: most families are left
 * out, or tasks would rarely meet at the same object */
void sync_weights(const unsigned char *mix, int *weight);

/* sync_operand - draw an operand: an object, bits, a case, ...; TASKS: how many take part */
int sync_operand(char meaning, int tasks);

/* sync_give_back - the operation that gives back what one of the kind TAKEN took, or OP_NOTHING
 * sync_outside - draw an operation that runs outside all tasks */
int sync_give_back(int taken);
int sync_outside(void);

#endif
