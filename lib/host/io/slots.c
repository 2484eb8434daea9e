/* slots.c - the table of a system's descriptors: their owners, those that borrow them, moves
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "slots.h"

#include "../../needs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

void pt_io_clear_(struct pt_io *io)
{
    memset(io, 0, sizeof *io);
    io->fd = io->held = -1;
}

/* Make room for the slot of descriptor FD. */
static bool reserve(struct pt_system *system, int fd)
{
    unsigned count = system->count ? system->count : 64;
    struct pt_slot_ *places;

    if ((unsigned)fd < system->count)
        return true;
    while (count <= (unsigned)fd)
        count *= 2;
    places = realloc(system->places, count * sizeof *places);
    if (!places)
        return false;
    memset(places + system->count, 0, (count - system->count) * sizeof *places);
    system->places = places;
    system->count = count;
    return true;
}

/* Let the poller report a descriptor that some pt_io can have already; JOINS is a new one, or NULL.
 * Other code can have closed it since, and its number can be another file's. 0; EPERM: it is always
 * ready; or another errno, and nothing has changed. */
static int report(struct pt_system *system, int fd, const struct pt_io *joins, bool is_file)
{
    struct pt_slot_ *slot = &system->places[fd];
    const unsigned level = pt_slot_level_(slot, joins);
    bool again = pt_slot_is_polled_(slot);
    int error = is_file ? EPERM : system->poller->add(system, fd, slot->generation + 1, level);

    if (error == EEXIST && again)
        return 0;
    if (error == EPERM && again)
        system->poller->remove(system, fd, false);
    if (error && error != EPERM)
        return error;
    slot->generation++;
    for (struct pt_io *io = slot->borrowers; io; io = io->beside) {
        io->polled = !error;
        if (io->watched && error)
            pt_polled_tell_(pt_polled_of_(io), pt_polled_of_(io)->wanted);
    }
    return error;
}

int pt_slot_enter_(struct pt_io *io, struct pt_system *system, int fd, bool is_file)
{
    struct pt_slot_ *slot;
    int error = reserve(system, fd) ? report(system, fd, io, is_file) : ENOMEM;

    if (error && error != EPERM)
        return error;
    slot = &system->places[fd];
    io->beside = io->borrowed ? slot->borrowers : NULL;
    *(io->borrowed ? &slot->borrowers : &slot->io) = io;
    io->system = system;
    io->fd = fd;
    io->polled = !error;
    return 0;
}

int pt_slot_renew_(struct pt_io *io)
{
    int error = report(io->system, io->fd, NULL, false);

    return error == EPERM ? 0 : error;
}

void pt_slot_leave_(struct pt_slot_ *slot, const struct pt_io *io)
{
    struct pt_io **link = io->borrowed ? &slot->borrowers : &slot->io;

    PT_NEEDS_(!io->borrowed || pt_slot_has_(slot, io),
              "the pt_io is a copy of an open one: see pt_io_take", "pt_io_release");
    while (io->borrowed && *link != io)
        link = &(*link)->beside;
    *link = io->beside;
    if (!pt_slot_first_(slot))
        slot->level = 0;
}

/* --- moves ----------------------------------------------------------------------------------- */

void pt_io_take_(struct pt_io *to, struct pt_io *from)
{
    struct pt_slot_ *slot = from->system ? pt_io_slot_(from) : NULL;

    PT_NEEDS_(!from->system ||
                  (!from->readers.first && !from->writers.first && !from->hangups.first),
              "a task waits for the descriptor: it can move when nobody does", "pt_io_take");
    PT_NEEDS_(!from->system || !from->borrowed,
              "the pt_io is borrowed: call pt_io_borrow for another one", "pt_io_take");
    *to = *from;
    pt_io_clear_(from);
    if (!slot)
        return;
    if (!pt_slot_is_left_(slot))
        slot->missed = 0;
    slot->io = &pt_stand_ins_[to->polled];
    to->readable = to->writable = false; /* so that an operation looks at the slot */
}

/* A copy of the descriptor was closed meanwhile, and made the file blocking. */
static void stay_nonblocking(struct pt_io *io)
{
    int flags = fcntl(io->fd, F_GETFL);

    if (flags < 0 || flags & O_NONBLOCK || fcntl(io->fd, F_SETFL, flags | O_NONBLOCK))
        return;
    io->restores = true;
    io->shares = false;
    io->system->sharing--;
}

bool pt_io_arrives_(struct pt_io *io)
{
    struct pt_slot_ *slot = pt_io_slot_(io);

    if (!slot || io->borrowed || !pt_slot_is_left_(slot))
        return false;
    slot->io = io;
    io->readable = io->writable = true;
    io->ended |= (slot->missed & PT_HANGUP_) != 0;
    io->stream &= !(slot->missed & PT_URGENT_);
    if (io->shares)
        stay_nonblocking(io);
    return true;
}
