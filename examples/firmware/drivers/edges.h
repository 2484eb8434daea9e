/* edges.h - edges of a pin: counted by its interrupt, and any number of tasks wait for them
 * SPDX-License-Identifier: MIT
 *
 *     struct door { struct pt pt; struct edges_wait edge; uint16_t seen; ... };
 *
 *     self->seen = pin.count;                  what came before is not this task's
 *     for (;;) {
 *         PT_TRY(&self->edge, edges_wait, .pin = &pin, .seen = self->seen);
 *         self->seen = pin.count;
 *         ...                                  self->edge.count edges have come
 *     }
 *
 * The interrupt posts, and the post is the count: nothing is masked, and an edge that comes while a
 * task works is there when it looks again. Each task keeps the count up to which it looked, so no
 * task takes an edge away from another, and a cancel takes none. Counts wrap: after 65,535 edges
 * that a task has not looked at it counts from 0 again. */
#ifndef DRIVERS_EDGES_H
#define DRIVERS_EDGES_H

#include "board.h"

/* A pin. Read count. */
struct edges {
    struct pt_remote remote;
    struct pt_event event; /* triggered when edges have come */
    uint16_t count;        /* all edges so far, modulo 65,536 */
};

/* edges_open - begin to count; before the pin's interrupt is enabled. LOOP is as for
 * pt_remote_open. */
void edges_open(struct edges *pin, struct pt_loop *loop);

/* edges_post - there was an edge; in the interrupt, of any priority; O(1) */
static inline void edges_post(struct edges *pin)
{
    (void)pt_remote_post(&pin->remote);
}

/* edges_wait - wait until the pin's count is not SEEN; awaited
 * No wait if it is not. COUNT is how many edges have come since. Ends with PT_OK, or the reason of
 * a cancel. */
struct edges_wait {
    struct pt pt;
    struct edges *pin;
    uint16_t seen;
    uint16_t count;
};
PT_DECLARE(edges_wait);

/* edges_settle - wait until the pin's count is not SEEN, and then until it has not changed for
 * QUIET ticks: a contact has bounced; awaited
 * COUNT is how many edges that were; the level of the pin can be read now. Ends as edges_wait. A
 * pin that never settles is limited by the caller's block. */
struct edges_settle {
    struct pt pt;
    struct edges *pin;
    pt_time quiet;
    uint16_t seen;
    uint16_t count;
    struct pt_scope limit;
    struct edges_wait edge;
};
PT_DECLARE(edges_settle);

#endif
