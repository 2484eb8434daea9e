/* pollset.c - the descriptors and the time that a library waits for
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "../../fork.h"
#include "../../needs.h"
#include "descriptor.h"

#include <pt/host/pollset.h>

#include <errno.h>
#include <stdlib.h>

static struct pt_polled_ *watch_of(struct pt_links_ *links)
{
    return (struct pt_polled_ *)(void *)((char *)links - offsetof(struct pt_polled_, links));
}

enum { SHARE = 32 }; /* reports before the task yields */

/* The descriptor FD of a set, or NULL. Its owner can have closed it: then it is reported until the
 * set forgets it. */
static struct pt_polled_ *find(struct pt_pollset *set, int fd)
{
    const struct pt_system *system = set->system;
    struct pt_io *io =
        fd >= 0 && (unsigned)fd < system->count ? system->places[fd].borrowers : NULL;
    struct pt_links_ *links = set->ready.next;

    while (io && (!io->watched || pt_polled_of_(io)->set != set))
        io = io->beside;
    if (io)
        return pt_polled_of_(io);
    while (links != &set->ready && (watch_of(links)->fd != fd || watch_of(links)->io.system))
        links = links->next;
    return links != &set->ready ? watch_of(links) : NULL;
}

static void forget(struct pt_polled_ *it)
{
    it->io.watched = false;
    pt_io_release(&it->io);
    it->links.next->before = it->links.before;
    it->links.before->next = it->links.next;
    free(it);
}

/* The first of a list; NULL: it is empty. */
static struct pt_polled_ *first(const struct pt_links_ *list)
{
    return list->next != list ? watch_of(list->next) : NULL;
}

void pt_pollset_open(struct pt_pollset *set, struct pt_system *system)
{
    PT_NEEDS_SYSTEM_(system, "pt_pollset_open");
    set->system = system;
    set->ready.next = set->ready.before = &set->ready;
    set->others.next = set->others.before = &set->others;
    pt_event_init(&set->changed);
    set->timed = set->told_time = false;
    set->looks = 0;
    set->done = 0;
    set->error = 0;
}

void pt_pollset_close(struct pt_pollset *set)
{
    if (!set->system)
        return;
    while (first(&set->ready))
        forget(first(&set->ready));
    while (first(&set->others))
        forget(first(&set->others));
    set->system = NULL;
    pt_event_set(&set->changed);
}

static void check_open(const struct pt_pollset *set, const char *name)
{
    PT_NEEDS_(set->system, "the pt_pollset is not open: see pt_pollset_open", name);
}

/* A new descriptor of the set, which the poller does not know; NULL: no memory. */
static struct pt_polled_ *add(struct pt_pollset *set, int fd)
{
    struct pt_polled_ *it = calloc(1, sizeof *it);

    if (!it)
        return NULL;
    pt_io_clear_(&it->io);
    it->io.borrowed = true;
    it->io.watched = true;
    it->set = set;
    it->fd = fd;
    it->links.next = it->links.before = &it->links;
    pt_polled_move_(it, &set->others);
    return it;
}

/* Let the poller look again, unless it will: the library can have left something. */
static void look_again(struct pt_polled_ *it)
{
    const struct pt_system *system = it->set->system;
    const struct pt_slot_ *slot = pt_io_slot_(&it->io);

    if (slot && system->poller->again && pt_slot_lacks_(slot) & ~slot->level)
        system->poller->again(it->set->system, it->fd);
}

/* Nothing is known of a descriptor: the poller tells. */
static void clear(struct pt_polled_ *it)
{
    it->told = 0;
    pt_polled_move_(it, &it->set->others);
}

/* Watch a descriptor anew, NULL if there was no memory: its number can be another file's since the
 * last call. 0 or an errno. */
static int watch(struct pt_polled_ *it, int events)
{
    int kind = it && !it->io.system ? pt_io_kind_(it->fd) : 0, error;

    if (!it || kind < 0)
        return it ? errno : ENOMEM;
    it->wanted = events;
    clear(it);
    if (it->io.system)
        error = pt_slot_renew_(&it->io);
    else
        error = pt_slot_enter_(&it->io, it->set->system, it->fd, kind == PT_IO_FILE_);
    if (error)
        return error;
    if (it->io.polled)
        look_again(it);
    else
        pt_polled_tell_(it, events);
    return 0;
}

pt_status pt_pollset_set(struct pt_pollset *set, int fd, int events)
{
    bool forked; /* the poller is the parent's */
    struct pt_polled_ *it;
    int error;

    check_open(set, "pt_pollset_set");
    forked = events && pt_forked_since_(set->system->forks);
    it = find(set, fd);
    if (!it && events && !forked)
        it = add(set, fd);
    error = events && !forked ? watch(it, events) : 0;
    if (it && (!events || forked || error))
        forget(it);
    if (error)
        set->error = error;
    if (forked)
        return PT_EPERM;
    return error == ENOMEM ? PT_ENOMEM : error ? PT_EIO : PT_OK;
}

void pt_pollset_after(struct pt_pollset *set, pt_time delay)
{
    check_open(set, "pt_pollset_after");
    set->timed = delay != PT_DELAY_NEVER;
    /* Now is a time of the turn: a later one would not be due before the next turn. */
    set->deadline = delay ? set->system->port.now(set->system) + delay : set->system->loop->now;
    pt_event_set(&set->changed);
}

/* --- the wait -------------------------------------------------------------------------------- */

/* What an open descriptor is ready for. After another look of the poller the report is old: ask. */
static int look(const struct pt_polled_ *it)
{
    struct pollfd state = {it->fd, (short)it->wanted, 0};
    int count;

    if (it->heard == it->set->system->looks)
        return it->told;
    do
        count = poll(&state, 1, 0);
    while (count < 0 && errno == EINTR);
    return count < 0 ? it->told : state.revents;
}

/* Take the report of the descriptor that has waited for the longest time: the events, or 0. */
static int take(struct pt_polled_ *it)
{
    int events = it->told;

    if (!it->io.polled || !it->io.system) { /* always ready, or closed: as long as it is here */
        pt_polled_move_(it, &it->set->ready);
        return events;
    }
    events = look(it);
    clear(it);
    look_again(it);
    return events;
}

static void report(struct pt_pollset_wait *self, int fd, int events)
{
    self->fd = fd;
    self->events = events;
    self->set->told_time = fd < 0;
    self->set->timed &= fd >= 0;
    self->set->done++;
}

static bool is_due(const struct pt_pollset *set, pt_time now)
{
    return set->timed && !pt_time_before(now, set->deadline);
}

/* Report what is ready, or due; false: nothing is. The time waits for its turn: for a descriptor,
 * or until the poller has looked for one. */
static bool find_report(struct pt_pollset_wait *self, pt_time now)
{
    struct pt_pollset *set = self->set;
    struct pt_polled_ *it;
    int events = 0;

    while (!(is_due(set, now) && !set->told_time) && !events && (it = first(&set->ready))) {
        events = take(it);
        if (events)
            report(self, it->fd, events);
    }
    if (events || !is_due(set, now) || (set->told_time && set->looks == set->system->looks))
        return events != 0;
    set->looks = set->system->looks;
    report(self, -1, 0);
    return true;
}

/* When to look again, at the latest. In a nanosecond, if the poller must look first. */
static pt_time until(const struct pt_pollset *set, pt_time now)
{
    return is_due(set, now) ? now + 1 : set->deadline;
}

PT_ASYNC(pt_pollset_wait, self)
{
    PT_NEEDS_FIELD_(self, set, "pt_pollset_wait");
    check_open(self->set, "pt_pollset_wait");
    if (self->set->done >= SHARE) {
        self->set->done = 0;
        PT_YIELD();
    }
    while (self->set->system && !find_report(self, PT_NOW())) {
        self->set->done = 0;
        pt_event_clear(&self->set->changed);
        PT_SELECT(&self->next, PT_CASE_EVENT(&self->set->changed),
                  PT_CASE_IF(self->set->timed, PT_CASE_UNTIL(until(self->set, PT_NOW()))));
    }
    PT_RETURN(self->set->system ? PT_OK : PT_ECLOSED);
}
PT_END
