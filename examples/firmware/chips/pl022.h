/* pl022.h - Arm's SSP (PL022) as an SPI controller: in Stellaris, LPC, RP2040 and others
 * SPDX-License-Identifier: MIT
 *
 *     static struct pl022 spi;
 *
 *     pl022_open(&spi, 0x40008000, 12500000, choose, &loop);
 *     pl022_interrupt(&spi);                 in its interrupt
 *
 * Up to eight bytes at an interrupt, which is what its FIFOs hold. A chip select is a pin, which
 * the board drives. */
#ifndef CHIPS_PL022_H
#define CHIPS_PL022_H

#include "drivers/spi.h"

struct pl022 {
    struct spi_bus bus; /* its first member */
    volatile struct pl022_registers *at;
    uint32_t clock;
    void (*choose)(uint8_t pin, bool on); /* pull a chip select low */
    uint16_t sent, received, length;
    volatile bool aborts;
};

/* pl022_open - the controller at AT, with a CLOCK in hertz, for the tasks of LOOP */
void pl022_open(struct pl022 *it, uintptr_t at, uint32_t clock,
                void (*choose)(uint8_t pin, bool on), struct pt_loop *loop);

/* pl022_interrupt - for the interrupt of the controller */
void pl022_interrupt(struct pl022 *it);

#endif
