/* rp2040_pin.c - four bits of each pin, eight pins in a register
 * SPDX-License-Identifier: MIT */
#include "rp2040_pin.h"

#include "rp2040.h"

#define NOTED(it) REGISTER(0x400140f0 + (it)->number / 8u * 4u) /* a write of 1 clears */
#define ENABLE(it, alias) REGISTER(0x40014100 + (it)->number / 8u * 4u + (alias)) /* of core 0 */
#define SEEN(it) REGISTER(0x40014120 + (it)->number / 8u * 4u) /* noted, and enabled */
#define SIO_IN REGISTER(0xd0000004)

static uint32_t bits(const struct rp2040_pin *it, uint32_t which)
{
    return which << it->number % 8 * 4;
}

void rp2040_pin_interrupt(struct rp2040_pin *it)
{
    uint32_t seen = SEEN(it) & bits(it, RP2040_FALLS | RP2040_RISES);

    NOTED(it) = seen;
    if (seen & bits(it, RP2040_FALLS))
        edges_post(&it->edges);
    if (seen & bits(it, RP2040_RISES))
        edges_post(&it->edges);
}

bool rp2040_pin_is_high(const struct rp2040_pin *it)
{
    return SIO_IN >> it->number & 1;
}

void rp2040_pin_open(struct rp2040_pin *it, uint8_t number, uint8_t which, struct pt_loop *loop)
{
    it->number = number;
    ENABLE(it, CLEAR) = bits(it, RP2040_FALLS | RP2040_RISES); /* it can have been opened before */
    edges_open(&it->edges, loop);
    NOTED(it) = bits(it, RP2040_FALLS | RP2040_RISES);
    ENABLE(it, SET) = bits(it, which);
}
