/* modbus.c - a Modbus RTU slave: its registers are read and written over the UART
 * SPDX-License-Identifier: MIT
 *
 * A frame carries no length: it ends when the line is silent. Its first byte arms a timeout and
 * each byte rearms it; when the time is over, the frame is complete. The checksum is updated with
 * each byte, so a frame too long for the buffer can be told from a damaged one: it is refused. */
#include "tasks.h"

enum { READ_HOLDING = 3, READ_INPUT = 4, WRITE_ONE = 6, WRITE_SOME = 16, FAILED = 0x80 };
enum { BAD_FUNCTION = 1, BAD_ADDRESS = 2, BAD_VALUE = 3 };
enum { READ_MOST = 125, WRITE_MOST = 123 }; /* maximum registers in a request */

/* CRC-16, reflected; over data followed by its checksum it is 0. */
static uint16_t crc_with(uint16_t crc, uint8_t byte)
{
    crc ^= byte;
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc >> 1 ^ (crc & 1 ? 0xa001 : 0));
    return crc;
}

static uint16_t word_at(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static void put_word(uint8_t *at, uint16_t word)
{
    at[0] = (uint8_t)(word >> 8);
    at[1] = (uint8_t)word;
}

static void take(struct modbus *slave, uint8_t byte)
{
    if (slave->length < sizeof slave->frame)
        slave->frame[slave->length] = byte;
    if (slave->length < UINT16_MAX)
        slave->length++;
    slave->crc = crc_with(slave->crc, byte);
}

/* --- requests: each returns 0 and leaves the answer in the frame, or returns an error code ---- */

static bool within(uint16_t first, uint16_t count, uint16_t all)
{
    return first < all && count <= all - first;
}

static uint8_t read_some(struct modbus *slave, const uint16_t *from, uint8_t all)
{
    uint16_t first = word_at(&slave->frame[2]), count = word_at(&slave->frame[4]);

    if (slave->length != 8 || count < 1 || count > READ_MOST)
        return BAD_VALUE;
    if (!within(first, count, all))
        return BAD_ADDRESS;
    slave->frame[2] = (uint8_t)(2 * count);
    for (uint16_t i = 0; i < count; i++)
        put_word(&slave->frame[3 + 2 * i], from[first + i]);
    slave->length = (uint16_t)(3 + 2 * count);
    return 0;
}

static uint8_t write_one(struct modbus *slave)
{
    uint16_t at = word_at(&slave->frame[2]);

    if (slave->length != 8)
        return BAD_VALUE;
    if (!within(at, 1, slave->holdings))
        return BAD_ADDRESS;
    slave->holding[at] = word_at(&slave->frame[4]);
    slave->length = 6;
    return 0;
}

static uint8_t write_some(struct modbus *slave)
{
    uint16_t first = word_at(&slave->frame[2]), count = word_at(&slave->frame[4]);

    if (count < 1 || count > WRITE_MOST || slave->length != 9 + 2 * count ||
        slave->frame[6] != 2 * count)
        return BAD_VALUE;
    if (!within(first, count, slave->holdings))
        return BAD_ADDRESS;
    for (uint16_t i = 0; i < count; i++)
        slave->holding[first + i] = word_at(&slave->frame[7 + 2 * i]);
    slave->length = 6;
    return 0;
}

static uint8_t carry_out(struct modbus *slave)
{
    uint8_t function = slave->frame[1], why;

    if (function == READ_HOLDING)
        return read_some(slave, slave->holding, slave->holdings);
    if (function == READ_INPUT)
        return read_some(slave, slave->input, slave->inputs);
    if (function != WRITE_ONE && function != WRITE_SOME)
        return BAD_FUNCTION;
    why = function == WRITE_ONE ? write_one(slave) : write_some(slave);
    if (!why && slave->written)
        slave->written(slave);
    return why;
}

/* Replace a complete frame by its answer; false if there is none. A request to address 0 is a
 * broadcast: it is carried out and not answered. */
static bool answer(struct modbus *slave)
{
    uint8_t address = slave->frame[0], why;
    uint16_t crc = 0xffff;

    if (slave->crc != 0 || slave->length < 4 || (address != slave->address && address != 0))
        return false;
    why = carry_out(slave);
    if (why) {
        slave->frame[1] |= FAILED;
        slave->frame[2] = why;
        slave->length = 3;
    }
    for (uint16_t i = 0; i < slave->length; i++)
        crc = crc_with(crc, slave->frame[i]);
    slave->frame[slave->length++] = (uint8_t)crc;
    slave->frame[slave->length++] = (uint8_t)(crc >> 8);
    return address != 0;
}

PT_ASYNC(modbus, self)
{
    for (;;) {
        self->length = 0;
        self->crc = 0xffff;
        while (!board_has_input())
            PT_PARK();
        PT_WITH_TIMEOUT(&self->limit, self->silence) {
            for (;;) {
                while (!board_has_input())
                    PT_PARK();
                take(self, (uint8_t)board_get());
                PT_REARM(&self->limit, self->silence);
            }
        }
        if (answer(self))
            PT_TRY(&self->send, send, .bytes = self->frame, .length = self->length);
    }
}
PT_END
