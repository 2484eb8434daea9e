/* stm32_spi.h - SPI of an STM32F1, F2, F4 or L1, by its interrupt
 * SPDX-License-Identifier: MIT
 *
 *     static struct stm32_spi spi;
 *
 *     stm32_spi_open(&spi, 0x40013000, 84000000, choose, &loop);      SPI1
 *     stm32_spi_interrupt(&spi);                                      in its interrupt
 *
 * The receiver has one place, so one byte is on its way at a time: however late the interrupt is,
 * no byte is lost. An interrupt for each byte: for fast devices take DMA, as stm32_hal_spi.h does.
 * A chip select is a pin, which the board drives. Newer families have FIFOs.
 *
 * qemu's model has no interrupt, and a read of the data register clocks another byte, so it is of
 * no use here. It is tried with a model of the tests' own, test/firmware/pico/stm32_units.js. */
#ifndef CHIPS_STM32_SPI_H
#define CHIPS_STM32_SPI_H

#include "drivers/spi.h"

struct stm32_spi {
    struct spi_bus bus; /* its first member */
    volatile struct stm32_spi_registers *at;
    uint32_t clock;
    void (*choose)(uint8_t pin, bool on); /* pull a chip select low */
    uint16_t received, length;
    volatile bool aborts;
};

/* stm32_spi_open - the SPI at AT, with a CLOCK in hertz, for the tasks of LOOP
 * The board has given it its clock and its pins. A bit rate is CLOCK / 2 to CLOCK / 256: a device
 * that is slower still gets CLOCK / 256, and PT_DEBUG stops there. */
void stm32_spi_open(struct stm32_spi *it, uintptr_t at, uint32_t clock,
                    void (*choose)(uint8_t pin, bool on), struct pt_loop *loop);

/* stm32_spi_interrupt - for the interrupt of the SPI */
void stm32_spi_interrupt(struct stm32_spi *it);

#endif
