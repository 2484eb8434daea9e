/* sd.h - an SD card on SPI: blocks of 512 bytes, with the checksums that tell a damaged one
 * SPDX-License-Identifier: MIT
 *
 *     static const struct spi_device slow = {.bus = &spi, .hertz = 400000, .pin = 0};
 *     static const struct spi_device fast = {.bus = &spi, .hertz = 20000000, .pin = 0};
 *     static struct sd card = {.slow = &slow, .fast = &fast};
 *
 *     PT_TRY(&self->start, sd_start, .card = &card);
 *     PT_TRY(&self->read, sd_read, .card = &card, .block = 0, .to = self->bytes);
 *
 * A card is busy by itself after a write, up to 250 ms: the next operation asks once a millisecond
 * whether it is idle. In between the bus is free for other devices.
 *
 * A card that has got a command takes what comes next for the block. So a cancel or a timeout ends
 * an operation before its command, or after its block, some 5 ms later: a block is old or new,
 * never both. This needs no flag and no second state: the block is sent by a cleanup, and nothing
 * cuts off a cleanup. */
#ifndef DEVICES_SD_H
#define DEVICES_SD_H

#include "drivers/codes.h"
#include "drivers/spi.h"

enum { SD_BLOCK = 512 };

/* A card. Its user sets the first two. */
struct sd {
    const struct spi_device *slow, *fast; /* the same pin, to start it and then */
    bool by_block;    /* it counts in blocks, as cards over 2 GB do; older ones count in bytes */
    uint8_t commands; /* private: that it got from tasks which read and write, modulo 256 */
};

/* sd_command - private: a command, and the first byte of the answer; awaited */
struct sd_command {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t argument;
    uint8_t code;
    uint8_t tries;
    uint8_t answer; /* result */
    uint8_t bytes[6];
    struct transfer transfer;
};
PT_DECLARE(sd_command);

/* sd_act - private: a command, its answer and its block; awaited
 * All of it is the cleanup: a card that has got half of this waits for the rest. */
struct sd_act {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t argument;
    const uint8_t *from; /* the block: this, or that, or none */
    uint8_t *to;
    uint8_t code;
    uint8_t rests;   /* bytes behind the answer */
    uint8_t rest[4]; /* result */
    pt_status how;   /* result */
    uint8_t byte;
    uint8_t sum[2];
    struct pt_scope limit;
    struct sd_command command;
    struct transfer transfer;
};
PT_DECLARE(sd_act);

/* sd_selected - private: one selection: if the card is idle, a command with all that belongs to it;
 * awaited
 * PT_EAGAIN if it is busy. Then, deselected, the card gets 8 clocks to let go of its line, on a bus
 * that the caller holds: the next device would be read with the card's bits in its own. */
struct sd_selected {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t argument;
    const uint8_t *from;
    uint8_t *to;
    uint8_t code, rests;
    uint8_t drains; /* first 64 bytes so often: a reset of this processor has cut a block off */
    uint8_t byte;
    struct pt_held held;
    struct pt_scope limit;
    struct sd_act act;
    struct transfer transfer;
};
PT_DECLARE(sd_selected);

/* sd_ask - private: sd_selected, with the bus to the end; awaited */
struct sd_ask {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t argument;
    const uint8_t *from;
    uint8_t *to;
    uint8_t code, rests, drains;
    struct pt_held held;
    struct sd_selected selected;
};
PT_DECLARE(sd_ask);

/* sd_do - private: sd_ask, once the card is idle; awaited */
struct sd_do {
    struct pt pt;
    struct sd *card;
    uint32_t block;
    const uint8_t *from;
    uint8_t *to;
    uint8_t code;
    uint8_t seen; /* its commands */
    pt_time until;
    struct sd_ask ask;
};
PT_DECLARE(sd_do);

/* sd_start - make the card ready, which takes it up to a second; awaited
 * After power-up, or when it was put in. Ends with PT_OK; SD_NONE if no card answers; SD_REFUSED if
 * it does not get ready; or a code of spi. Meanwhile a read or a write of another task ends with a
 * code: it cannot come between the card's answers. */
struct sd_start {
    struct pt pt;
    struct sd *card;
    pt_time until;
    uint8_t tries;
    bool is_old; /* it does not know command 8 */
    struct pt_held held;
    struct transfer transfer;
    struct sd_ask ask;
};
PT_DECLARE(sd_start);

/* sd_read - read one block; awaited
 * Ends with PT_OK; SD_NONE; SD_REFUSED, as a block beyond the end is; SD_FAILED, if the card cannot
 * read it, or is busy for half a second with one block; SD_DAMAGED, if it came with a wrong checksum; or a code of spi. */
struct sd_read {
    struct pt pt;
    struct sd *card;
    uint32_t block;
    uint8_t *to; /* 512 bytes */
    struct sd_do act;
};
PT_DECLARE(sd_read);

/* sd_write - write one block, and wait until the card is idle; awaited
 * Ends as sd_read. Cut off while the card is busy, the block is written all the same. */
struct sd_write {
    struct pt pt;
    struct sd *card;
    uint32_t block;
    const uint8_t *from; /* 512 bytes */
    struct sd_do act;
};
PT_DECLARE(sd_write);

#endif
