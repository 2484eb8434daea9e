/* store.c - two logs, of which the one with the higher number is right
 * SPDX-License-Identifier: MIT */
#include "store.h"

/* A sector begins with MAGIC, how often both were erased, and the checksum of these; a record with
 * its key, its length, and the checksum of all of it. Numbers begin with their low byte. */
enum { BEGIN = 16, HEAD = 8, PART = 16 };
#define MAGIC 0x31737470u
#define NO_KEY 0xffffu

static uint32_t get(const uint8_t *from, uint8_t bytes)
{
    uint32_t number = 0;

    while (bytes)
        number = number << 8 | from[--bytes];
    return number;
}

static void set(uint8_t *to, uint32_t number, uint8_t bytes)
{
    for (; bytes; bytes--, number >>= 8)
        *to++ = (uint8_t)number;
}

/* CRC-32, bit by bit: begin with 0. */
static uint32_t checksum(uint32_t crc, const uint8_t *from, uint16_t length)
{
    crc = ~crc;
    for (; length; length--) {
        crc ^= *from++;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t checksum_of(uint16_t key, const uint8_t *from, uint16_t length)
{
    uint8_t head[4];

    set(head, key, 2);
    set(head + 2, length, 2);
    return checksum(checksum(0, head, 4), from, length);
}

/* In whole units of the flash. */
static uint32_t whole(const struct store *store, uint16_t length)
{
    uint32_t unit = store->flash->unit;

    return (length + unit - 1) & ~(unit - 1);
}

static uint32_t behind(const struct store *store, uint32_t at, uint16_t length)
{
    return at + HEAD + whole(store, length);
}

static uint32_t place(const struct store *store, uint8_t sector, uint32_t at)
{
    return store->at + sector * store->flash->sector + at;
}

static uint32_t here(const struct store *store, uint32_t at)
{
    return place(store, store->current, at);
}

static bool is_blank(const uint8_t *bytes, uint8_t length)
{
    while (length && *bytes == 0xff)
        bytes++, length--;
    return !length;
}

/* --- what is there ------------------------------------------------------------------------- */

static bool is_newer(const struct store_look *self)
{
    return get(self->head, 4) == MAGIC && get(self->head + 8, 4) == checksum(0, self->head, 8) &&
           (!self->end || (int32_t)(get(self->head + 4, 4) - self->erases) > 0);
}

static uint16_t part_of(uint16_t length, uint16_t done)
{
    return (uint16_t)(length - done < PART ? length - done : PART);
}

static void is_found(struct store_look *self)
{
    self->current = self->sector;
    self->erases = get(self->head + 4, 4);
    self->end = BEGIN;
}

static uint32_t in_log(const struct store_look *self, uint32_t at)
{
    return place(self->store, self->current, at);
}

static void take_over(const struct store_look *self)
{
    self->store->erases = self->erases;
    self->store->end = self->end;
    self->store->current = self->current;
    self->store->torn = self->torn;
    self->store->known = true;
}

PT_ASYNC(store_look, self)
{
    if (self->store->known)
        PT_RETURN(PT_OK);
    self->current = 1; /* so that the first one is 0 */
    for (self->sector = 0; self->sector < 2; self->sector++) {
        PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
               .at = place(self->store, self->sector, 0), .in = self->head, .ins = BEGIN);
        if (is_newer(self))
            is_found(self);
    }
    self->torn = !self->end;
    while (!self->torn && self->end + HEAD <= self->store->flash->sector) {
        PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
               .at = in_log(self, self->end), .in = self->head, .ins = HEAD);
        if (is_blank(self->head, HEAD))
            break;
        self->length = (uint16_t)get(self->head + 2, 2);
        self->torn = behind(self->store, self->end, self->length) > self->store->flash->sector;
        self->crc = checksum(0, self->head, 4);
        for (self->done = 0; !self->torn && self->done < self->length; self->done += self->part) {
            self->part = part_of(self->length, self->done);
            PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
                   .at = in_log(self, self->end + HEAD + self->done), .in = self->bytes,
                   .ins = self->part);
            self->crc = checksum(self->crc, self->bytes, self->part);
        }
        self->torn = self->torn || self->crc != get(self->head + 4, 4);
        if (!self->torn)
            self->end = behind(self->store, self->end, self->length);
    }
    take_over(self);
}
PT_END

PT_ASYNC(store_open, self)
{
    if (!self->store->lock.owner) /* else it was opened, and somebody uses it */
        pt_lock_init(&self->store->lock);
    PT_WITH_LOCK(&self->held, &self->store->lock) {
        self->store->known = false;
        PT_TRY(&self->look, store_look, .store = self->store);
        PT_RETURN(self->store->end ? PT_OK : STORE_NONE);
    }
}
PT_END

PT_ASYNC(store_find, self)
{
    self->found = 0;
    self->length = 0;
    for (; self->begin < self->store->end; self->begin = self->next) {
        PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
               .at = here(self->store, self->begin), .in = self->head, .ins = HEAD);
        self->next = behind(self->store, self->begin, (uint16_t)get(self->head + 2, 2));
        if (get(self->head, 2) == self->key) {
            self->found = self->begin;
            self->length = (uint16_t)get(self->head + 2, 2);
            self->crc = get(self->head + 4, 4);
        }
    }
}
PT_END

PT_ASYNC(store_read, self)
{
    PT_WITH_LOCK(&self->held, &self->store->lock) {
        PT_TRY(&self->in_turn.look, store_look, .store = self->store);
        PT_TRY(&self->in_turn.find, store_find, .store = self->store, .key = self->key,
               .begin = BEGIN);
        self->length = self->in_turn.find.length;
        if (!self->length)
            PT_RETURN(STORE_NONE);
        if (self->length > self->size)
            PT_RETURN(PT_ERANGE);
        PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
               .at = here(self->store, self->in_turn.find.found + HEAD), .in = self->to,
               .ins = self->length);
        if (checksum_of(self->key, self->to, self->length) != self->in_turn.find.crc)
            PT_RETURN(STORE_DAMAGED);
    }
}
PT_END

/* --- what changes it ----------------------------------------------------------------------- */

static uint16_t fill(struct store_put *self)
{
    uint16_t units = (uint16_t)whole(self->store, self->part);

    for (uint16_t i = 0; self->from && i < self->part; i++)
        self->bytes[i] = self->from[self->done + i];
    for (uint16_t i = self->part; i < units; i++)
        self->bytes[i] = 0xff;
    return units;
}

/* The head first: a record whose bytes have begun is never taken for the free end of the log. */
PT_ASYNC(store_put, self)
{
    set(self->bytes, self->key, 2);
    set(self->bytes + 2, self->length, 2);
    set(self->bytes + 4, self->crc, 4);
    PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_PROGRAM,
           .at = self->at, .out = self->bytes, .outs = HEAD);
    for (self->done = 0; self->done < self->length; self->done += self->part) {
        self->part = part_of(self->length, self->done);
        if (!self->from)
            PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
                   .at = self->place + self->done, .in = self->bytes, .ins = self->part);
        PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_PROGRAM,
               .at = self->at + HEAD + self->done, .out = self->bytes, .outs = fill(self));
    }
}
PT_END

static const uint8_t *fill_head(struct store_move *self)
{
    set(self->head, MAGIC, 4);
    set(self->head + 4, self->store->erases + 1, 4);
    set(self->head + 8, checksum(0, self->head, 8), 4);
    set(self->head + 12, 0xffffffff, 4);
    return self->head;
}

static void is_moved(struct store_move *self)
{
    self->store->current ^= 1;
    self->store->erases++;
    self->store->end = self->to;
    self->store->torn = false;
    self->store->known = true;
}

static uint32_t there(const struct store *store, uint32_t at)
{
    return place(store, store->current ^ 1, at);
}

PT_ASYNC(store_move, self)
{
    for (;;) {
        self->to = BEGIN;
        for (self->at = BEGIN; self->at < self->store->end;
             self->at = behind(self->store, self->at, self->its_length)) {
            PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_READ,
                   .at = here(self->store, self->at), .in = self->head, .ins = HEAD);
            self->its_key = (uint16_t)get(self->head, 2);
            self->its_length = (uint16_t)get(self->head + 2, 2);
            if (!self->its_length || self->its_key == self->key)
                continue;
            PT_TRY(&self->find, store_find, .store = self->store, .key = self->its_key,
                   .begin = behind(self->store, self->at, self->its_length));
            if (self->find.found)
                continue; /* a later one counts */
            if (self->copies)
                PT_TRY(&self->put, store_put, .store = self->store,
                       .at = there(self->store, self->to), .key = self->its_key,
                       .length = self->its_length, .crc = get(self->head + 4, 4),
                       .place = here(self->store, self->at + HEAD));
            self->to = behind(self->store, self->to, self->its_length);
        }
        if (self->length && self->copies)
            PT_TRY(&self->put, store_put, .store = self->store, .at = there(self->store, self->to),
                   .key = self->key, .length = self->length,
                   .crc = checksum_of(self->key, self->from, self->length), .from = self->from);
        if (self->length)
            self->to = behind(self->store, self->to, self->length);
        if (self->to > self->store->flash->sector)
            PT_RETURN(STORE_FULL);
        if (self->copies)
            break;
        self->copies = true;
        self->store->known = false; /* from here on */
        PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_ERASE,
               .at = there(self->store, 0));
    }
    PT_TRY(&self->job, flash_job, .flash = self->store->flash, .does = FLASH_PROGRAM,
           .at = there(self->store, 0), .out = fill_head(self), .outs = BEGIN);
    is_moved(self);
}
PT_END

static bool has_room(const struct store *store, uint16_t length)
{
    return !store->torn && behind(store, store->end, length) <= store->flash->sector;
}

static void is_put(struct store_write *self)
{
    self->store->end = behind(self->store, self->store->end, self->length);
    self->store->known = true;
}

/* Cut off, it can be in the flash all the same: who comes next must get what a reader behind a reset
 * would get. */
PT_ASYNC(store_write, self)
{
    if (self->key == NO_KEY)
        PT_RETURN(PT_EINVAL);
    PT_WITH_LOCK(&self->held, &self->store->lock) {
        PT_TRY(&self->in_turn.look, store_look, .store = self->store);
        if (has_room(self->store, self->length)) {
            self->store->known = false;
            PT_TRY(&self->in_turn.put, store_put, .store = self->store,
                   .at = here(self->store, self->store->end), .key = self->key,
                   .length = self->length, .crc = checksum_of(self->key, self->from, self->length),
                   .from = self->from);
            is_put(self);
        } else {
            PT_TRY(&self->in_turn.move, store_move, .store = self->store, .key = self->key,
                   .from = self->from, .length = self->length);
        }
    }
}
PT_END
