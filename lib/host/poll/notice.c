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

void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, unsigned directions)
{
    struct pt_slot_ *slot = (unsigned)fd < system->count ? &system->places[fd] : NULL;
    struct pt_io *io = slot ? slot->io : NULL;

    if (fd == system->wakeup[0]) {
        pt_wakeup_drain_(system);
    } else if (!io || slot->generation != generation) {
        return;
    } else if (pt_slot_is_left_(slot)) {
        slot->missed |= directions;
    } else {
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
    }
}
