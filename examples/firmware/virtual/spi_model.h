/* spi_model.h - an SPI bus of the virtual board, with the devices that a test puts on it
 * SPDX-License-Identifier: MIT
 *
 * As i2c_model.h: it takes its time for each byte, and lets go late. It has no interrupt for that:
 * the driver asks. A block of an SD card is 515 bytes, and sd.h gives it 250 ms: that takes more
 * ticks than a board's 1000 a second, as -DPT_TICKS_PER_SEC=100000 has. */
#ifndef SPI_MODEL_H
#define SPI_MODEL_H

#include "drivers/spi.h"
#include "hardware.h"

/* A device. Its functions are called in the interrupt. */
struct spi_part {
    uint8_t pin;                                              /* its chip select */
    uint8_t (*exchange)(struct spi_part *self, uint8_t byte); /* it gets a byte, and sends one */
    void (*select)(struct spi_part *self, bool on);           /* or NULL */
    struct spi_part *next;                                    /* private */
};

struct spi_model {
    struct spi_bus bus; /* its first member */
    struct hardware hardware;
    struct spi_part *parts;
    pt_time pace;  /* ticks for each byte; 1 if it is 0 */
    uint16_t lag;  /* how many more bytes it moves after an abort */
    bool hangs;    /* after an abort it never lets go */
    bool overruns; /* the next transfer is too fast */
    /* private: */
    struct spi_part *part; /* the one that is selected */
    uint16_t byte;         /* the next one */
    uint16_t left;         /* bytes after the abort */
    bool aborted, moves;
};

/* spi_model_open - make a bus without devices; the fields up to OVERRUNS can be set at any time */
void spi_model_open(struct spi_model *it, struct pt_loop *loop);

/* spi_model_add - put a device on the bus */
void spi_model_add(struct spi_model *it, struct spi_part *part);

#endif
