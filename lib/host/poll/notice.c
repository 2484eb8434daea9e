/* notice.c - what a poller reports of a descriptor: note it, and wake the tasks that wait for it
 * SPDX-License-Identifier: MIT */
#include "poller.h"
#include "probe.h"
#include "wakeup.h"

void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, unsigned directions)
{
    struct pt_io *io = (unsigned)fd < system->count ? system->places[fd].io : NULL;

    if (fd == system->wakeup[0]) {
        pt_wakeup_drain_(system);
    } else if (io && system->places[fd].generation == generation) {
        if (directions & PT_HANGUP_)
            io->ended = true;
        if (directions & PT_URGENT_)
            io->stream = false; /* a read stops before urgent data, although there is more */
        if (directions & PT_READABLE_) {
            io->readable = true;
            pt_wait_list_complete_(&io->readers, PT_OK, 0);
        }
        if (directions & PT_WRITABLE_) {
            io->writable = true;
            pt_wait_list_complete_(&io->writers, PT_OK, 0);
        }
        if (io->hangups.first && pt_probe_gone_(io)) /* check it here: a select does not */
            pt_wait_list_complete_(&io->hangups, PT_OK, 0);
    }
}
