/* hal.h - the parts of hal.c that a test sets and reads
 * SPDX-License-Identifier: MIT */
#ifndef HAL_H
#define HAL_H

#include "hardware.h"
#include "main.h"

/* A channel. Once it was asked to let go it goes on for LAG ticks, or for ever. */
struct channel {
    DMA_Stream_TypeDef registers; /* its first member */
    DMA_HandleTypeDef handle;
    struct hardware hardware;
    uint8_t *memory; /* of a channel that writes memory; else NULL */
    uint16_t size, at;
    uint16_t lag;
    bool hangs;
};

/* The HAL raises an error at byte AT of all that go over the bus, counted from 1; 0: none. */
struct failure {
    uint16_t at;
    uint32_t code;
    bool of_dma; /* a channel tells of it, and one runs on */
};

extern struct channel i2c_tx, i2c_rx, spi_tx, spi_rx;
extern I2C_HandleTypeDef hi2c1;
extern SPI_HandleTypeDef hspi1;
extern struct failure i2c_failure, spi_failure;
extern bool i2c_is_new;  /* a block of a newer family */
extern uint8_t i2c_held; /* so many clocks until a device lets go of SDA */
extern pt_time i2c_stop_lag;
extern unsigned i2c_inits, spi_inits, i2c_stops;
extern void (*hal_said)(const char *who, const char *what); /* or NULL */

/* hal_open - as after CubeMX's MX_..._Init; I2C with DMA or without */
void hal_open(bool by_dma);

#endif
