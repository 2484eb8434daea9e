/* notice.c - what a poller reports of a descriptor: note it, and wake the tasks that wait for it
 * SPDX-License-Identifier: MIT */
#include "poller.h"
#include "probe.h"
#include "wakeup.h"

struct pt_io pt_stand_ins_[2] = {{.readable = true, .writable = true},
                                 {.readable = true, .writable = true, .polled = true}};

bool pt_slot_is_left_(const struct pt_slot_ *slot)
{
    return slot->io == &pt_stand_ins_[0] || slot->io == &pt_stand_ins_[1];
}

bool pt_slot_has_(const struct pt_slot_ *slot, const struct pt_io *io)
{
    const struct pt_io *it = pt_slot_first_(slot);

    while (it && it != io)
        it = pt_slot_after_(slot, it);
    return it != NULL;
}

unsigned pt_slot_lacks_(const struct pt_slot_ *slot)
{
    unsigned lacks = 0;

    for (const struct pt_io *io = pt_slot_first_(slot); io; io = pt_slot_after_(slot, io)) {
        lacks |= io->readable ? 0 : PT_READABLE_;
        lacks |= io->writable ? 0 : PT_WRITABLE_;
        lacks |= io->hangups.first ? PT_HANGUP_ : 0;
    }
    return lacks;
}

static void tell(struct pt_io *io, unsigned directions)
{
    if (directions & PT_HANGUP_)
        io->ended = true;
    if (directions & PT_URGENT_)
        io->stream = false; /* a read stops before urgent data, although there is more */
    if (directions & PT_READABLE_) {
        io->readable = true;
        pt_wait_list_complete_all_(&io->readers, PT_OK, 0);
    }
    if (directions & PT_WRITABLE_) {
        io->writable = true;
        pt_wait_list_complete_all_(&io->writers, PT_OK, 0);
    }
    if (io->hangups.first && pt_probe_gone_(io)) /* check it here: a select does not */
        pt_wait_list_complete_all_(&io->hangups, PT_OK, 0);
    if (io->told)
        pt_event_set(io->told);
}

void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, unsigned directions)
{
    struct pt_slot_ *slot = (unsigned)fd < system->count ? &system->places[fd] : NULL;

    if (fd == system->wakeup[0]) {
        pt_wakeup_drain_(system);
        return;
    }
    if (!slot || slot->generation != generation)
        return;
    if (pt_slot_is_left_(slot))
        slot->missed |= directions;
    else if (slot->io)
        tell(slot->io, directions);
    for (struct pt_io *io = slot->borrowers; io; io = io->beside)
        tell(io, directions);
}
