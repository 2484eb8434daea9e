/* stm32_hal_spi.h - an SPI bus over ST's HAL, by DMA
 * SPDX-License-Identifier: MIT
 *
 *     static struct stm32_hal_spi bus;
 *
 *     MX_DMA_Init();
 *     MX_SPI1_Init();                              STM32CubeMX writes these
 *     stm32_hal_spi_open(&bus, &hspi1, HAL_RCC_GetPCLK2Freq(), choose, &loop);
 *
 * In CubeMX: full-duplex master, 8 bits, NSS by software, a channel of DMA each way, and the
 * interrupts of both channels and of the bus. A chip select is a pin, which the board drives. The
 * file defines the HAL's callbacks; they ignore a bus that was not opened here.
 *
 * The HAL waits in a loop, in the interrupt of the end, for the last byte on the wires. */
#ifndef CHIPS_STM32_HAL_SPI_H
#define CHIPS_STM32_HAL_SPI_H

#include "drivers/codes.h"
#include "drivers/spi.h"
#include "stm32_hal.h"

struct stm32_hal_spi {
    struct spi_bus bus; /* its first member */
    SPI_HandleTypeDef *hal;
    struct stm32_hal dma; /* its channels, and what it ends with */
    uint32_t clock;
    void (*choose)(uint8_t pin, bool on); /* pull a chip select low */
    uint16_t done;                        /* bytes of the parts before */
    uint16_t length;                      /* of the part that runs */
    bool wants_new;                       /* initialize it before the next transfer */
};

/* stm32_hal_spi_open - a bus that the HAL has initialized, whose block has a CLOCK in hertz, for the
 * tasks of LOOP; once for each */
void stm32_hal_spi_open(struct stm32_hal_spi *it, SPI_HandleTypeDef *hal, uint32_t clock,
                        void (*choose)(uint8_t pin, bool on), struct pt_loop *loop);

#endif
