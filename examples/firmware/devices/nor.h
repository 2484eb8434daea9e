/* nor.h - a flash memory on SPI with JEDEC's commands: W25Q, MX25L, GD25Q, S25FL, up to 16 MB
 * SPDX-License-Identifier: MIT
 *
 *     static const struct spi_device flash = {.bus = &spi, .hertz = 20000000, .mode = 0, .pin = 1};
 *
 *     PT_TRY(&self->erase, nor_erase, .spi = &flash, .at = 0x1000);
 *     PT_TRY(&self->program, nor_program, .spi = &flash, .at = 0x1000, .from = self->bytes,
 *            .length = sizeof self->bytes);
 *
 * The flash is busy by itself after a command that changes it: 3 ms for a page, 400 ms for a
 * sector. Each operation first asks once a millisecond whether it is idle. In between the bus is
 * free for other devices, and the processor asleep.
 *
 * A cancel or a timeout leaves the bus free and the flash deselected. What it has begun by itself,
 * it ends by itself; the next operation, of any task, waits for that. An erase has begun or not. A
 * page can be partly programmed, from its begin on. */
#ifndef DEVICES_NOR_H
#define DEVICES_NOR_H

#include "drivers/codes.h"
#include "drivers/spi.h"

enum { NOR_PAGE = 256, NOR_SECTOR = 4096 };

/* nor_step - private: one command, from its select to its deselect; awaited */
struct nor_step {
    struct pt pt;
    const struct spi_device *spi;
    const uint8_t *out;
    uint8_t *in;
    uint16_t outs, ins;
    uint32_t at;
    uint8_t code, heads; /* the command; its bytes, with the place */
    uint8_t head[4];
    struct pt_held selected;
    struct transfer transfer;
};
PT_DECLARE(nor_step);

/* nor_ask - wait until the flash is idle, then give it a command; awaited
 * The other operations are made of it; without a CODE it only waits. Ends with PT_OK; NOR_NONE if
 * there is no flash; NOR_BUSY if it is not idle in 4 seconds, in which other tasks
 * can have had ten sectors erased; or a code of spi. */
struct nor_ask {
    struct pt pt;
    const struct spi_device *spi;
    const uint8_t *out;
    uint8_t *in;
    uint16_t outs, ins;
    uint32_t at;
    uint8_t code, heads;
    bool changes; /* the command needs the permission to write */
    uint8_t status;
    pt_time until;
    struct pt_held held;
    struct nor_step step;
};
PT_DECLARE(nor_ask);

/* nor_id - read who made it, its family, and the logarithm of its size in bytes; awaited */
struct nor_id {
    struct pt pt;
    const struct spi_device *spi;
    uint8_t id[3]; /* result */
    struct nor_ask ask;
};
PT_DECLARE(nor_id);

/* nor_read - read LENGTH bytes at the place AT; awaited */
struct nor_read {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t at;
    uint8_t *to;
    uint16_t length;
    struct nor_ask ask;
};
PT_DECLARE(nor_read);

/* nor_program - program LENGTH bytes at the place AT, page by page, until they are stored; awaited
 * The sectors were erased before: it only makes ones zero. When it is cut off, AT is behind the
 * last page that is known to be stored, and LENGTH what is left. The size is not checked: a
 * place behind the end of the flash is one at its begin. */
struct nor_program {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t at;
    const uint8_t *from;
    uint16_t length;
    uint16_t part; /* private: what is sent of this page */
    struct nor_ask ask;
};
PT_DECLARE(nor_program);

/* nor_erase - make the bytes of the sector of AT 0xff; awaited */
struct nor_erase {
    struct pt pt;
    const struct spi_device *spi;
    uint32_t at;
    struct nor_ask ask;
};
PT_DECLARE(nor_erase);

#endif
