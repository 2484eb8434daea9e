/* store.h - values that outlive the power: records in two sectors of a flash
 * SPDX-License-Identifier: MIT
 *
 *     static struct store store = {.flash = &flash, .at = 0x3e000};   two sectors from there on
 *
 *     PT_WAIT_COMPLETE(&self->open, store_open, .store = &store);
 *     PT_TRY(&self->write, store_write, .store = &store, .key = SPEED, .from = self->speed,
 *            .length = sizeof self->speed);
 *     PT_WAIT_COMPLETE(&self->read, store_read, .store = &store, .key = SPEED, .to = self->speed,
 *                      .size = sizeof self->speed);
 *
 * The power can go at any moment, in the middle of a byte, and so can the task: a cancel and a
 * timeout are no other. Then the value of a key is the old one or the new one, and those of all
 * other keys are as they were.
 *
 * A sector is a log. A value is appended with its key and a checksum, and the last one of a key
 * counts. Nothing is written twice:
 *
 *     head 7 | speed 3 | mode 1 | speed 4 | (torn)         0xff ...
 *
 * When the sector is full, or the last record torn, what counts goes over to the other sector, and
 * with it the new value. The head comes last: a number, one more than that of the old sector. Until
 * then the old one is right; from then on the new one. The old sector is erased when it is needed:
 * so the number says how often both have been erased. That takes a flash 50 to 400 ms, in which the
 * loop goes on.
 *
 * What no store of this kind can know: a bit that the power left halfway, and that reads as one now
 * and as zero in the cold. A part whose power falls slowly has a brown-out reset against that. */
#ifndef DRIVERS_STORE_H
#define DRIVERS_STORE_H

#include "drivers/codes.h"
#include "flash.h"

/* A store; {.flash = ..., .at = ...}. Read erases. */
struct store {
    struct flash *flash;
    uint32_t at; /* the place of its two sectors */
    /* private but for the first: */
    uint32_t erases; /* how often one of the two was erased, in all; half of it each */
    uint32_t end;    /* of the log, in its sector */
    uint8_t current; /* the sector: 0 or 1 */
    bool torn;       /* nothing can be appended */
    bool known;      /* the flash is like that; else the next operation looks */
    struct pt_lock lock;
};

/* store_look - private: find the log, and its end, unless they are known; awaited
 * After a failure nothing has changed. */
struct store_look {
    struct pt pt;
    struct store *store;
    uint32_t erases, end;
    uint8_t sector, current;
    bool torn;
    uint16_t length, done, part;
    uint32_t crc;
    uint8_t head[16], bytes[16];
    struct flash_job job;
};
PT_DECLARE(store_look);

/* store_open - find out what is there; awaited, before all else
 * STORE_NONE if there is nothing: the store is empty, and can be used. Otherwise PT_OK, or a code of
 * the flash, or the reason of a cancel: then the next operation looks again. */
struct store_open {
    struct pt pt;
    struct store *store;
    struct pt_held held;
    struct store_look look;
};
PT_DECLARE(store_open);

/* store_find - private: the last record of a KEY from BEGIN on; awaited */
struct store_find {
    struct pt pt;
    struct store *store;
    uint16_t key;
    uint32_t begin;
    uint32_t found; /* its place in the sector; 0: there is none */
    uint16_t length;
    uint32_t crc;
    uint32_t next;
    uint8_t head[8];
    struct flash_job job;
};
PT_DECLARE(store_find);

/* store_put - private: append a record; its bytes are in memory, or at a PLACE of the flash; awaited */
struct store_put {
    struct pt pt;
    struct store *store;
    uint32_t at; /* where to */
    uint16_t key, length;
    uint32_t crc;
    const uint8_t *from; /* or NULL */
    uint32_t place;
    uint16_t done, part;
    uint8_t bytes[16];
    struct flash_job job;
};
PT_DECLARE(store_put);

/* store_move - private: what counts goes to the other sector, and a new value with it; awaited */
struct store_move {
    struct pt pt;
    struct store *store;
    uint16_t key, length;
    const uint8_t *from;
    bool copies; /* in the second round: in the first one it adds up */
    uint32_t at, to;
    uint16_t its_key, its_length;
    uint8_t head[16];
    struct store_find find;
    struct store_put put;
    struct flash_job job;
};
PT_DECLARE(store_move);

/* store_read - read the value of KEY; awaited
 * LENGTH is its length. STORE_NONE if it has no value; PT_ERANGE if it is longer than SIZE;
 * STORE_DAMAGED if its checksum is wrong; or a code of the flash. */
struct store_read {
    struct pt pt;
    struct store *store;
    uint16_t key; /* not 0xffff */
    uint8_t *to;
    uint16_t size;
    uint16_t length; /* result */
    struct pt_held held;
    union {
        struct store_look look;
        struct store_find find;
    } in_turn;
    struct flash_job job;
};
PT_DECLARE(store_read);

/* store_write - the value of KEY is now FROM, of LENGTH bytes; awaited
 * Without bytes the key has no value any more. PT_OK when it is in the flash. STORE_FULL if all
 * values together are more than a sector: nothing has changed, and nothing was erased. PT_EINVAL for
 * the key 0xffff. Or a code of the flash, or the reason of a cancel: the value is the old one or the
 * new one, and which of them it is, the next operation finds out: it looks first. To go
 * over to the other sector takes an erase, and a read for each pair of records: a limit that is
 * shorter never gets there, and erases each time. */
struct store_write {
    struct pt pt;
    struct store *store;
    uint16_t key; /* not 0xffff */
    const uint8_t *from;
    uint16_t length;
    struct pt_held held;
    union {
        struct store_look look;
        struct store_put put;
        struct store_move move;
    } in_turn;
};
PT_DECLARE(store_write);

#endif
