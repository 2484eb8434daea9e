/* draw.h - how a script is drawn: chance, and the operations on what tasks wait for
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_DRAW_H
#define MODEL_DRAW_H

#include "script.h"

/* --- chance.c --- */

/* chance_seed, chance_bytes - where all that is drawn from now on comes from: a seed, or somebody's
 * bytes, as far as they go, and then zeros */
void chance_seed(uint64_t seed);
void chance_bytes(const uint8_t *data, size_t count);

int below(int limit);
bool one_in(int n);

/* --- draw_sync.c --- */

/* sync_weights - how often each operation is drawn in this script, from MIX: most families of them
 * not at all, or nobody would meet anybody */
void sync_weights(const unsigned char *mix, int *weight);

/* sync_operand - an operand that names an object, bits, a case, ...; TASKS: how many take part */
int sync_operand(char meaning, int tasks);

/* sync_give_back - the operation that gives back what one of the kind TAKEN took, or OP_NOTHING
 * sync_outside - an operation for somebody outside of all tasks */
int sync_give_back(int taken);
int sync_outside(void);

#endif
