/* hardware.h - hardware of the virtual board: it acts at a time, as an interrupt
 * SPDX-License-Identifier: MIT
 *
 * The clock of the board goes on only while it sleeps. A sleep ends at what comes first: the alarm,
 * or hardware. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include "board.h"

struct hardware {
    void (*act)(struct hardware *self); /* the interrupt; it can call hardware_at again */
    pt_time at;                         /* private, as the rest */
    struct hardware *next;
};

/* hardware_at - let IT act at the time AT, instead of an earlier AT; it must not move until then */
void hardware_at(struct hardware *it, pt_time at);

/* hardware_stop - it does not act; no effect if it would not */
void hardware_stop(struct hardware *it);

/* hardware_is_late - whether the alarm goes off first if both are at the same time: a test tries
 * both */
extern bool hardware_is_late;

#endif
