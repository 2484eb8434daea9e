/* aspeed_fmc.h - the flash controller of an AST1030, in the mode in which it is plain SPI
 * SPDX-License-Identifier: MIT
 *
 *     static struct aspeed_fmc spi;
 *
 *     aspeed_fmc_open(&spi, &loop);
 *     aspeed_fmc_interrupt(&spi);            in its interrupt
 *
 * The processor moves the bytes, and the controller does not interrupt. So the transfer raises that
 * interrupt itself, for 32 bytes each time: other interrupts and a turn's end come in between. It
 * sends or receives: while OUT lasts, IN gets nothing. Its bytes go through the window of a device,
 * so a transfer while none is selected ends with PT_EINVAL, and sd_start with it. */
#ifndef CHIPS_ASPEED_FMC_H
#define CHIPS_ASPEED_FMC_H

#include "drivers/spi.h"

struct aspeed_fmc {
    struct spi_bus bus; /* its first member */
    uint16_t done;      /* bytes */
    volatile bool aborts;
};

/* aspeed_fmc_open - for the tasks of LOOP; a device's pin is its chip select, 0 or 1 */
void aspeed_fmc_open(struct aspeed_fmc *it, struct pt_loop *loop);

/* aspeed_fmc_interrupt - for the interrupt of the controller */
void aspeed_fmc_interrupt(struct aspeed_fmc *it);

#endif
