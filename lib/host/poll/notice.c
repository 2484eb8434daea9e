/* notice.c - what a poller reports of a descriptor: note it, and wake the tasks that wait for it
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
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

static unsigned watch_lacks(const struct pt_polled_ *it)
{
    unsigned lacks = PT_ERROR_;

    if (it->told)
        return 0;
    lacks |= it->wanted & POLLIN ? PT_READABLE_ : 0;
    lacks |= it->wanted & POLLPRI ? PT_URGENT_ : 0;
    lacks |= it->wanted & POLLOUT ? PT_WRITABLE_ : 0;
    return lacks;
}

unsigned pt_slot_lacks_(const struct pt_slot_ *slot)
{
    unsigned lacks = 0;

    for (const struct pt_io *io = pt_slot_first_(slot); io; io = pt_slot_after_(slot, io)) {
        if (io->watched) {
            lacks |= watch_lacks(pt_polled_of_(io));
            continue;
        }
        lacks |= io->readable ? 0 : PT_READABLE_;
        lacks |= io->writable ? 0 : PT_WRITABLE_;
        lacks |= io->hangups.first ? PT_HANGUP_ : 0;
    }
    return lacks;
}

unsigned pt_slot_level_(const struct pt_slot_ *slot, const struct pt_io *joins)
{
    const struct pt_io *first = pt_slot_first_(slot);

    if (joins && !joins->watched)
        return 0;
    for (const struct pt_io *io = first; io; io = pt_slot_after_(slot, io))
        if (!io->watched)
            return 0;
    return PT_WATCHED_ | pt_slot_lacks_(slot) | (joins ? watch_lacks(pt_polled_of_(joins)) : 0);
}

/* --- the descriptors of a pollset ------------------------------------------------------------ */

void pt_polled_move_(struct pt_polled_ *it, struct pt_links_ *list)
{
    struct pt_links_ *links = &it->links;

    links->next->before = links->before;
    links->before->next = links->next;
    links->next = list;
    links->before = list->before;
    links->before->next = list->before = links;
}

bool pt_polled_tell_(struct pt_polled_ *it, int events)
{
    const struct pt_system *system = it->set->system;
    bool first = !it->told;

    events &= it->wanted | POLLERR | POLLHUP | POLLNVAL;
    if (!events)
        return false;
    it->told = it->heard == system->looks ? it->told | events : events;
    it->heard = system->looks;
    if (first)
        pt_polled_move_(it, &it->set->ready);
    pt_event_set(&it->set->changed);
    return first;
}

/* --- events ---------------------------------------------------------------------------------- */

static unsigned directions_of(int events)
{
    unsigned directions = 0;

    if (events & (POLLIN | POLLPRI | PT_ENDED_ | POLLHUP | POLLERR | POLLNVAL))
        directions |= PT_READABLE_;
    if (events & (POLLOUT | POLLHUP | POLLERR | POLLNVAL))
        directions |= PT_WRITABLE_;
    if (events & (PT_ENDED_ | POLLHUP | POLLERR))
        directions |= PT_HANGUP_;
    if (events & POLLPRI)
        directions |= PT_URGENT_;
    return directions;
}

/* The events that can tell that the other side has gone; without POLLRDHUP any can. */
enum { GONE = PT_POLLRDHUP_ ? PT_HANGUP_ : ~0 };

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
    if (directions & GONE && io->hangups.first && pt_probe_gone_(io)) /* a select does not check */
        pt_wait_list_complete_all_(&io->hangups, PT_OK, 0);
}

/* As long as it is ready, a descriptor that is reported level-triggered would end each wait,
 * although nobody asks for more now: the poller is to ask for what is lacked alone. If it does so
 * already, it has told of an error or a hang-up, which would come again at each change. A loop that
 * has other work does not wait. */
static void stop_asking(struct pt_system *system, int fd)
{
    const struct pt_slot_ *slot = &system->places[fd];

    if (slot->level && slot->level != pt_slot_level_(slot, NULL) && pt_loop_idle(system->loop))
        system->poller->again(system, fd);
}

void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, int events)
{
    struct pt_slot_ *slot = (unsigned)fd < system->count ? &system->places[fd] : NULL;
    const unsigned directions = directions_of(events);
    bool news = false;

    if (fd == system->wakeup[0]) {
        pt_wakeup_drain_(system);
        return;
    }
    if (!slot || slot->generation != generation)
        return;
    if (pt_slot_is_left_(slot))
        slot->missed |= (uint8_t)directions;
    else if (slot->io)
        tell(slot->io, directions);
    for (struct pt_io *io = slot->borrowers; io; io = io->beside)
        if (io->watched)
            news |= pt_polled_tell_(pt_polled_of_(io), events);
        else
            tell(io, directions);
    if (!news)
        stop_asking(system, fd);
}
