/* at24c.h - an EEPROM on I2C: AT24C01 to AT24C512, and those of others (24LC, M24C)
 * SPDX-License-Identifier: MIT
 *
 *     static struct at24c settings = {&bus, .address = 0x50, .wide = 2, .page = 32, .size = 8192};
 *
 *     PT_WITH_TIMEOUT(&self->limit, PT_MS(50)) {
 *         PT_WAIT_COMPLETE(&self->write, at24c_write, .device = &settings, .at = 100,
 *                          .from = self->bytes, .length = sizeof self->bytes);
 *     }
 *
 * The EEPROM stores what arrives up to the end of a page, then needs 5 ms in which it answers to
 * nobody. at24c_write sends a page, and asks again each tick until it is answered. All of that,
 * page for page, is in the one block of the caller. Between two questions the bus is free.
 *
 * A cancel or a timeout stops at any byte, and then a STOP ends the page: what has arrived is
 * stored. So each byte is old or new, new ones before old ones, and perhaps the EEPROM is busy
 * with the last page. The next operation, of any task, asks until it is not. */
#ifndef DEVICES_AT24C_H
#define DEVICES_AT24C_H

#include "drivers/i2c.h"

/* An EEPROM, one for all tasks. Its user sets all but the last. */
struct at24c {
    struct i2c_bus *bus;
    uint8_t address; /* 0x50 to 0x57, by its pins; up to AT24C16 the lowest of its addresses */
    uint8_t wide;    /* bytes of a place in it: 1 up to AT24C16, else 2 */
    uint16_t page;   /* in bytes; smaller than it has is slow, larger wraps */
    uint32_t size;   /* in bytes */
    uint8_t answers; /* private: to all tasks, modulo 256 */
};

/* at24c_ask - one transaction at the place AT, tried again while the EEPROM writes; awaited
 * The other operations are made of it. Without OUT and IN it waits until all is stored. Ends with
 * PT_OK; I2C_NO_DEVICE if it answers no task for 250 ms; or another code of i2c. */
struct at24c_ask {
    struct pt pt;
    struct at24c *device;
    uint32_t at;
    const uint8_t *out;
    uint8_t *in;
    uint16_t outs, ins;
    struct i2c i2c;
    pt_time until;
    uint8_t head[2];
    uint8_t seen; /* of its answers */
};
PT_DECLARE(at24c_ask);

/* at24c_read - read LENGTH bytes at the place AT; awaited
 * Ends as at24c_ask, or with PT_ERANGE, before anything happens, if they are not all within. */
struct at24c_read {
    struct pt pt;
    struct at24c *device;
    uint32_t at;
    uint8_t *to;
    uint16_t length;
    struct at24c_ask ask;
};
PT_DECLARE(at24c_read);

/* at24c_write - write LENGTH bytes at the place AT, and wait until they are stored; awaited
 * Ends as at24c_read. After PT_OK all is stored. Else AT is behind the last page that is known to
 * be stored, and LENGTH what is left. */
struct at24c_write {
    struct pt pt;
    struct at24c *device;
    uint32_t at;
    const uint8_t *from;
    uint16_t length;
    uint16_t part; /* private: what is sent of this page */
    struct at24c_ask ask;
};
PT_DECLARE(at24c_write);

#endif
