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

enum { SHARE = 32 }; /* reports before the task yields */

/* A descriptor of a set. */
struct pt_polled_ {
    struct pt_polled_ *next;
    struct pt_io io;
    int fd;
    short events;
};

/* Where the list has descriptor FD, or its end. */
static struct pt_polled_ **find(struct pt_pollset *set, int fd)
{
    struct pt_polled_ **link = &set->polled;

    while (*link && (*link)->fd != fd)
        link = &(*link)->next;
    return link;
}

static void forget(struct pt_polled_ **link)
{
    struct pt_polled_ *it = *link;

    *link = it->next;
    pt_io_release(&it->io);
    free(it);
}

void pt_pollset_open(struct pt_pollset *set, struct pt_system *system)
{
    PT_NEEDS_SYSTEM_(system, "pt_pollset_open");
    set->system = system;
    set->polled = NULL;
    pt_event_init(&set->changed);
    set->timed = set->told_time = false;
    set->done = 0;
    set->error = 0;
}

void pt_pollset_close(struct pt_pollset *set)
{
    if (!set->system)
        return;
    while (set->polled)
        forget(&set->polled);
    set->system = NULL;
    pt_event_set(&set->changed);
}

static void check_open(const struct pt_pollset *set, const char *name)
{
    PT_NEEDS_(set->system, "the pt_pollset is not open: see pt_pollset_open", name);
}

/* Watch FD anew: its number can be another file's since the last call. */
static pt_status watch(struct pt_pollset *set, struct pt_polled_ *it)
{
    pt_status status = PT_OK;
    int error = 0;

    if (!it->io.system)
        status = pt_io_borrow(&it->io, set->system, it->fd);
    else if (pt_forked_since_(set->system->forks))
        return PT_EPERM;
    else
        error = pt_slot_renew_(&it->io);
    if (error)
        status = pt_io_fail_(&it->io, error);
    if (status != PT_OK)
        set->error = it->io.error;
    it->io.told = &set->changed;
    return status;
}

pt_status pt_pollset_set(struct pt_pollset *set, int fd, int events)
{
    struct pt_polled_ **link = find(set, fd);
    pt_status status;

    check_open(set, "pt_pollset_set");
    if (!*link && events) {
        *link = calloc(1, sizeof **link);
        if (!*link) {
            set->error = ENOMEM;
            return PT_ENOMEM;
        }
        (*link)->fd = fd;
    }
    if (!*link)
        return PT_OK;
    (*link)->events = (short)events;
    status = events ? watch(set, *link) : (pt_status)PT_OK;
    if (!events || status != PT_OK)
        forget(link);
    pt_event_set(&set->changed);
    return status;
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

/* The events of a descriptor, as far as they are wanted, or an error; 0: it is not ready. */
static int look(struct pt_polled_ *it)
{
    struct pollfd state = {it->fd, it->events, 0};
    bool in = it->events & ~POLLOUT, out = it->events & POLLOUT;
    int count;

    if (!it->io.system)
        return POLLNVAL;
    if (!(in && it->io.readable) && !(out && it->io.writable))
        return 0; /* the poller will tell */
    do
        count = poll(&state, 1, 0);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return it->events; /* the library finds out */
    if (!count && in)
        it->io.readable = false;
    if (!count && out)
        it->io.writable = false;
    return state.revents;
}

/* Move a descriptor behind the others. */
static void rotate(struct pt_pollset *set, struct pt_polled_ *it)
{
    *find(set, it->fd) = it->next;
    *find(set, -1) = it;
    it->next = NULL;
}

static void report(struct pt_pollset_wait *self, int fd, int events)
{
    self->fd = fd;
    self->events = events;
    self->set->told_time = fd < 0;
    self->set->timed &= fd >= 0;
    self->set->done++;
}

/* Report what is ready, or due; false: nothing is. */
static bool take(struct pt_pollset_wait *self, pt_time now)
{
    struct pt_pollset *set = self->set;
    bool due = set->timed && !pt_time_before(now, set->deadline);
    int events = 0;

    for (struct pt_polled_ *it = set->polled; it && (!due || set->told_time); it = it->next) {
        events = look(it);
        if (events) {
            rotate(set, it);
            report(self, it->fd, events);
            return true;
        }
    }
    if (due)
        report(self, -1, 0);
    return due;
}

PT_ASYNC(pt_pollset_wait, self)
{
    PT_NEEDS_FIELD_(self, set, "pt_pollset_wait");
    check_open(self->set, "pt_pollset_wait");
    if (self->set->done >= SHARE) {
        self->set->done = 0;
        PT_YIELD();
    }
    while (self->set->system && !take(self, PT_NOW())) {
        self->set->done = 0;
        pt_event_clear(&self->set->changed);
        PT_SELECT(&self->next, PT_CASE_EVENT(&self->set->changed),
                  PT_CASE_IF(self->set->timed, PT_CASE_UNTIL(self->set->deadline)));
    }
    PT_RETURN(self->set->system ? PT_OK : PT_ECLOSED);
}
PT_END
