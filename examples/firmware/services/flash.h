/* flash.h - flash memory, whatever it is on: read, program, erase, while the loop runs
 * SPDX-License-Identifier: MIT
 *
 *     PT_TRY(&self->job, flash_job, .flash = flash, .does = FLASH_ERASE, .at = 0x1000);
 *     PT_TRY(&self->job, flash_job, .flash = flash, .does = FLASH_PROGRAM, .at = 0x1000,
 *            .out = self->bytes, .outs = sizeof self->bytes);
 *
 * It is a controller of transfer.h: the flash of a part, whose interrupt comes when it is idle; or
 * services/nor_flash.h, a memory on SPI. So a job that is canceled has ended when the flash no longer
 * reads or writes the memory of the task. What a job has begun in the flash can be half done; it is
 * read as bytes, whatever they are, also if the flash has an ECC that is wrong there: with a code
 * instead, a store whose power went could not be opened again. */
#ifndef DRIVERS_FLASH_H
#define DRIVERS_FLASH_H

#include "drivers/transfer.h"

enum { FLASH_READ, FLASH_PROGRAM, FLASH_ERASE };

/* A flash. A chip's file has a struct of its own that begins with this, and opens it by
 * controller_open. Its START looks at DOES and AT: it fills IN from the place AT; or programs OUT
 * there; or makes the sector of AT 0xff. */
struct flash {
    struct controller controller; /* its first member */
    uint32_t sector;              /* bytes that an erase makes 0xff */
    uint8_t unit;                 /* a program's place and size are multiples of it: 1, 2, 4 or 8 */
    uint8_t does;                 /* the job */
    uint32_t at;                  /* its place; a sector begins at a multiple of its size */
};

/* flash_job - one job, alone on the flash; awaited
 * Ends with the code of the flash, or the reason of a cancel. */
struct flash_job {
    struct pt pt;
    struct flash *flash;
    uint8_t does;
    uint32_t at;
    const uint8_t *out;
    uint8_t *in;
    uint16_t outs, ins;
    struct pt_held held;
    struct transfer transfer;
};
PT_DECLARE(flash_job);

#endif
