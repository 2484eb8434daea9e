/* slots.h - the table of a system's descriptors: their owners, those that borrow them, moves
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_SLOTS_H
#define PT_LIB_SLOTS_H

#include "../poll/poller.h"

/* Make IO a closed one. */
void pt_io_clear_(struct pt_io *io);

/* Give descriptor FD to a closed IO, or let IO borrow it. 0, or an errno: nothing has changed. */
int pt_slot_enter_(struct pt_io *io, struct pt_system *system, int fd, bool is_file);

/* Let the poller report the descriptor of an open IO again, for what its pollsets want now: its
 * number can be another file's. The same codes. */
int pt_slot_renew_(struct pt_io *io);

/* IO has its slot no more; the poller goes on. */
void pt_slot_leave_(struct pt_slot_ *slot, const struct pt_io *io);

/* The slot of an open IO; NULL in a forked process that has closed its parent's system. */
static inline struct pt_slot_ *pt_io_slot_(const struct pt_io *io)
{
    struct pt_slot_ *slot =
        (unsigned)io->fd < io->system->count ? &io->system->places[io->fd] : NULL;

    return slot && pt_slot_first_(slot) ? slot : NULL;
}

/* pt_io_take leaves a stand-in in the slot, since the address of its result is unknown. The
 * first operation on that calls this: now the slot has IO, which may be tried. False if it had. */
bool pt_io_arrives_(struct pt_io *io);

#endif
