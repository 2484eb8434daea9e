/* rp2040_pin.h - a pin of an RP2040 whose edges tasks wait for
 * SPDX-License-Identifier: MIT
 *
 *     static struct rp2040_pin button;
 *
 *     rp2040_pin_open(&button, 14, RP2040_RISES | RP2040_FALLS, &loop);
 *     rp2040_pin_interrupt(&button);     in IO_IRQ_BANK0 of core 0, for each pin
 *
 * The chip notes that the pin has risen, and that it has fallen, and the interrupt forgets what it
 * has read alone: an edge in between is in the next one. What comes twice before the interrupt runs
 * is one edge. So behind edges_settle the level is what counts. */
#ifndef CHIPS_RP2040_PIN_H
#define CHIPS_RP2040_PIN_H

#include "drivers/edges.h"

enum { RP2040_FALLS = 1 << 2, RP2040_RISES = 1 << 3 };

struct rp2040_pin {
    struct edges edges; /* its first member */
    uint8_t number;
};

/* rp2040_pin_open - count the edges WHICH of the pin NUMBER, and no others, from now on, for the
 * tasks of LOOP; its pad is an input
 * Before it is opened again, pt_remote_close(&it->edges.remote). */
void rp2040_pin_open(struct rp2040_pin *it, uint8_t number, uint8_t which, struct pt_loop *loop);

/* rp2040_pin_interrupt - for IO_IRQ_BANK0, which all pins share */
void rp2040_pin_interrupt(struct rp2040_pin *it);

/* rp2040_pin_is_high - the level of the pin now */
bool rp2040_pin_is_high(const struct rp2040_pin *it);

#endif
