/* xmodem.c - receive a file over the UART: check each block, and ask again if it is damaged
 * SPDX-License-Identifier: MIT
 *
 * The receiver leads: it asks for the first block, with a CRC or, if no answer comes, with a
 * checksum. Then it acknowledges each block. There are two timeouts: one for the sender's answer,
 * one for each byte within a packet. The cleanup tells the sender to stop, even if the task is
 * canceled. */
#include "tasks.h"

enum { SOH = 0x01, EOT = 0x04, ACK = 0x06, NAK = 0x15, CAN = 0x18, ASK_CRC = 'C' };
enum { ASKED_CRC = 4 }; /* so many failed requests for a CRC; then ask for a checksum */

/* CRC-16 of XMODEM: highest bit first, start value 0; over data followed by its CRC it is 0. */
static uint16_t crc_of(const uint8_t *at, uint8_t length)
{
    uint16_t crc = 0;

    for (; length; length--) {
        crc ^= (uint16_t)(*at++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0));
    }
    return crc;
}

static uint8_t sum_of(const uint8_t *at, uint8_t length)
{
    uint8_t sum = 0;

    for (; length; length--)
        sum = (uint8_t)(sum + *at++);
    return sum;
}

/* --- receiving ----------------------------------------------------------------------------- */

/* The length of a packet, from its first byte. A sender that gives up sends CAN twice: one can be
 * noise. */
static uint8_t packet_length(const struct xmodem_packet *packet)
{
    switch (packet->bytes[0]) {
    case SOH: return (uint8_t)(3 + XMODEM_BLOCK + (packet->crc ? 2 : 1));
    case CAN: return 2;
    default: return 1;
    }
}

static PT_ASYNC(xmodem_packet, self)
{
    self->length = 0;
    PT_WITH_TIMEOUT(&self->limit, self->patience) {
        do {
            while (!board_has_input())
                PT_PARK();
            self->bytes[self->length++] = (uint8_t)board_get();
            PT_REARM(&self->limit, PT_SEC(1));
        } while (self->length < packet_length(self));
        PT_RETURN(PT_OK);
    }
    PT_RETURN(PT_ETIMEDOUT);
}
PT_END

static PT_ASYNC(xmodem_hush, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1)) {
        for (;;) {
            while (board_get() >= 0)
                PT_REARM(&self->limit, PT_SEC(1));
            PT_PARK();
        }
    }
}
PT_END

/* --- interpreting -------------------------------------------------------------------------- */

enum meaning { NOTHING, TORN, NOISE, STOP, END, BLOCK, REPEATED, MISSING };

static enum meaning meaning(const struct xmodem *self)
{
    const struct xmodem_packet *packet = &self->packet;
    const uint8_t *bytes = packet->bytes, *data = &bytes[3];

    if (packet->pt.status != PT_OK)
        return packet->length ? TORN : NOTHING;
    if (bytes[0] == EOT)
        return END;
    if (bytes[0] == CAN && bytes[1] == CAN)
        return STOP;
    if (bytes[0] != SOH || (bytes[1] ^ bytes[2]) != 0xff)
        return NOISE;
    if (packet->crc ? crc_of(data, XMODEM_BLOCK + 2)
                    : sum_of(data, XMODEM_BLOCK) != data[XMODEM_BLOCK])
        return NOISE;
    if (bytes[1] == self->next)
        return BLOCK;
    return self->begun && bytes[1] == (uint8_t)(self->next - 1) ? REPEATED : MISSING;
}

/* Accept the expected block. */
static pt_status take(struct xmodem *self)
{
    if (!self->take(&self->packet.bytes[3]))
        return PT_ENOMEM;
    self->begun = true;
    self->next++;
    self->failed = 0;
    return PT_OK;
}

/* The reply to a missing or damaged packet. */
static uint8_t again(struct xmodem *self)
{
    self->failed++;
    if (!self->begun && self->failed == ASKED_CRC)
        self->crc = false;
    return !self->begun && self->crc ? ASK_CRC : NAK;
}

/* PT_OK and a reply, or the code to end with. A repeated block means that the last ACK was lost. */
static pt_status heed(struct xmodem *self)
{
    self->reply = ACK;
    switch (self->heard) {
    case END: return PT_OK;
    case STOP: return PT_ECLOSED;
    case MISSING: return PT_EOVERRUN;
    case BLOCK: return take(self);
    case REPEATED: self->failed++; return PT_OK;
    default: self->reply = again(self); return PT_OK;
    }
}

PT_ASYNC(xmodem, self)
{
    static const uint8_t stop[2] = {CAN, CAN};

    self->next = 1;
    self->begun = false;
    self->heard = NOTHING;
    self->reply = self->crc ? ASK_CRC : NAK;
    for (self->failed = 0; self->failed < self->tries;) {
        PT_TRY(&self->send, send, .bytes = &self->reply, .length = 1);
        if (self->heard == END)
            PT_RETURN(PT_OK);
        PT_WAIT_COMPLETE(&self->packet, xmodem_packet, .patience = self->patience,
                         .crc = self->crc);
        self->heard = (uint8_t)meaning(self);
        if (self->heard == NOISE)
            PT_TRY(&self->hush, xmodem_hush);
        self->code = heed(self);
        if (self->code != PT_OK)
            PT_RETURN(self->code);
    }
    PT_RETURN(PT_ETIMEDOUT);

    PT_FINALLY
    if (self->pt.result != PT_OK && self->pt.result != PT_ECLOSED)
        PT_WAIT_COMPLETE(&self->send, send, .bytes = stop, .length = sizeof stop);
}
PT_END
