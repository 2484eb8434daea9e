/* history.h - whether what clients saw could have come from one copy of the store: linearizability
 * SPDX-License-Identifier: MIT */
#ifndef HISTORY_H
#define HISTORY_H

#include "log.h"

enum { HISTORY_MOST = 4096 };

/* An operation as its client saw it. BEGUN and ENDED count all begins and ends of the history, from 1. */
struct operation {
    struct command command;
    long result; /* of a get the value, of a cas 1 or 0 */
    long begun,
        ended; /* ENDED is 0, if no answer came: it has had its effect at any time since, or has it never */
};

/* Whether each of up to HISTORY_MOST operations of one key can be given a moment between its begin and its end, so that
 * one after the other they have these results. At first the value is 0. A put has the result 1. The time can be
 * exponential in how many operations overlap. */
bool history_is_linear(const struct operation *operations, int count);

#endif
