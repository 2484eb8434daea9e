/* eeprom.h - a model of an AT24C02 on I2C: pages of 8 bytes that wrap, and 5 ms to write one
 * SPDX-License-Identifier: MIT
 *
 * It is strict: a START or a STOP while it sends, before it has seen a refusal, is lost, and it
 * holds SDA low until it has had nine clocks. */
#ifndef EEPROM_H
#define EEPROM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { EEPROM_ADDRESS = 0x50, EEPROM_PAGE = 8, EEPROM_SIZE = 256, EEPROM_CLOCKS = 9 };

struct eeprom {
    uint8_t bytes[EEPROM_SIZE], page[EEPROM_PAGE];
    uint8_t new;      /* a bit for each byte of the page that has arrived */
    uint8_t at, last; /* the next byte; where the last page is */
    bool addressed, placed, sends, gone;
    unsigned clocks;     /* until it lets go of SDA */
    uint8_t broken;      /* how often it was sending */
    uint64_t until;      /* it writes until then */
    uint64_t write_time; /* in the units of the time that it is given */
};

/* A START or a STOP while it sends: it does not see it. */
static inline void eeprom_break(struct eeprom *it)
{
    if (!it->sends)
        return;
    it->clocks = EEPROM_CLOCKS;
    it->broken++;
}

static inline void eeprom_stop(struct eeprom *it, uint64_t now)
{
    eeprom_break(it);
    if (it->new) {
        it->until = now + it->write_time;
        it->last = it->at / EEPROM_PAGE * EEPROM_PAGE;
    }
    for (unsigned i = 0; i < EEPROM_PAGE; i++)
        if (it->new & 1u << i)
            it->bytes[it->at / EEPROM_PAGE * EEPROM_PAGE + i] = it->page[i];
    it->new = 0;
    it->addressed = it->sends = false;
}

/* A START and an address: whether it acknowledges. */
static inline bool eeprom_start(struct eeprom *it, uint64_t now, uint8_t address, bool read)
{
    eeprom_break(it);
    it->new = 0; /* a page that no STOP ends is not written */
    it->placed = false;
    it->addressed = address == EEPROM_ADDRESS && !it->gone && !it->clocks && now >= it->until;
    it->sends = it->addressed && read;
    return it->addressed;
}

/* A byte for it: whether it acknowledges. */
static inline bool eeprom_take(struct eeprom *it, uint8_t byte)
{
    if (!it->addressed || it->gone)
        return false;
    if (!it->placed) {
        it->at = byte;
        it->placed = true;
        return true;
    }
    it->page[it->at % EEPROM_PAGE] = byte;
    it->new |= (uint8_t)(1u << it->at % EEPROM_PAGE);
    it->at = (uint8_t)(it->at / EEPROM_PAGE * EEPROM_PAGE + (it->at + 1) % EEPROM_PAGE);
    return true;
}

/* A byte from it, which the controller acknowledges or refuses. */
static inline uint8_t eeprom_give(struct eeprom *it, bool acknowledged)
{
    if (!it->sends || it->gone)
        return 0xff;
    it->sends = acknowledged;
    return it->bytes[it->at++];
}

/* It is taken away: a page that it writes is lost. */
static inline void eeprom_take_away(struct eeprom *it, uint64_t now)
{
    if (now < it->until)
        memset(it->bytes + it->last, 0xff, EEPROM_PAGE);
    it->until = now;
    it->gone = true;
}

static inline void eeprom_clock(struct eeprom *it)
{
    if (it->clocks)
        it->clocks--;
}

#endif
