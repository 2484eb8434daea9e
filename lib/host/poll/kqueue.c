/* kqueue.c - the poller of the BSDs and macOS: a filter for each direction, edge-triggered
 * SPDX-License-Identifier: MIT
 *
 * Its tests run on a model of kevent (test/host/kevent), not on these systems. */
#define _GNU_SOURCE
#include "../../fork.h"
#include "poller.h"

#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || \
    defined(__DragonFly__) || defined(PT_KQUEUE_MODEL)

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/event.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, CHANGES = 64 };

struct state {
    int fd;
    int count;                      /* of changes */
    struct kevent changes[CHANGES]; /* for the next wait */
    struct kevent events[EVENTS];
};

static bool open_(struct pt_system *system)
{
    struct state *state = malloc(sizeof *state);
    int error;

    if (!state)
        return false;
    state->count = 0;
    state->fd = kqueue();
    if (state->fd < 0 || fcntl(state->fd, F_SETFD, FD_CLOEXEC)) {
        error = errno;
        if (state->fd >= 0)
            close(state->fd);
        free(state);
        errno = error;
        return false;
    }
    system->state = state;
    return true;
}

static void close_(struct pt_system *system)
{
    struct state *state = system->state;

    /* A child does not inherit it: the number can be another's. */
    if (!pt_forked_since_(system->forks))
        close(state->fd);
    free(state);
}

static void set(struct kevent *change, int fd, int filter, int flags, unsigned generation)
{
    EV_SET(change, (uintptr_t)fd, (short)filter, (unsigned short)flags, 0, 0,
           (void *)(uintptr_t)generation);
}

/* Change a filter of a descriptor: 0 or an errno. */
static int change(const struct state *state, int fd, int filter, int flags, unsigned generation)
{
    struct kevent change;

    set(&change, fd, filter, flags, generation);
    return kevent(state->fd, &change, 1, NULL, 0, NULL) < 0 ? errno : 0;
}

/* Forget what the next wait would change of a descriptor. */
static void drop(struct state *state, int fd)
{
    int kept = 0;

    for (int i = 0; i < state->count; i++)
        if (state->changes[i].ident != (uintptr_t)fd)
            state->changes[kept++] = state->changes[i];
    state->count = kept;
}

/* One direction is enough: a pipe's end has only one. Devices that have none are not polled. */
static int add(struct pt_system *system, int fd, unsigned generation, unsigned level)
{
    struct state *state = system->state;
    bool writes = fd != system->wakeup[0] && (!level || level & PT_WRITABLE_);
    bool reads = !writes || !level || level & (PT_READABLE_ | PT_URGENT_);
    int in = reads ? change(state, fd, EVFILT_READ, EV_ADD | EV_CLEAR, generation) : EINVAL;
    int out = writes ? change(state, fd, EVFILT_WRITE, EV_ADD | EV_CLEAR, generation) : in;

    if (!in || !out) {
        drop(state, fd); /* they have the generation before */
        return 0;
    }
    in = reads ? in : out;
    return in == EINVAL || in == ENODEV ? EPERM : in;
}

/* A filter that is added again reports what is ready. */
static void again(struct pt_system *system, int fd)
{
    struct state *state = system->state;
    const unsigned lacks = pt_slot_lacks_(&system->places[fd]);
    const int filters[] = {lacks & (PT_READABLE_ | PT_URGENT_) ? EVFILT_READ : 0,
                           lacks & PT_WRITABLE_ ? EVFILT_WRITE : 0};

    for (int i = 0; i < 2; i++) {
        if (filters[i] && state->count == CHANGES)
            change(state, fd, filters[i], EV_ADD | EV_CLEAR, system->places[fd].generation);
        else if (filters[i])
            set(&state->changes[state->count++], fd, filters[i], EV_ADD | EV_CLEAR,
                system->places[fd].generation);
    }
}

static void remove_(struct pt_system *system, int fd, bool closes)
{
    (void)closes;
    drop(system->state, fd);
    change(system->state, fd, EVFILT_READ, EV_DELETE, 0);
    change(system->state, fd, EVFILT_WRITE, EV_DELETE, 0);
}

static int wait_(struct pt_system *system, int64_t timeout)
{
    struct state *state = system->state;
    struct timespec span;
    int count;

    span.tv_sec = (time_t)(timeout / 1000000000);
    span.tv_nsec = (long)(timeout % 1000000000);
    count = kevent(state->fd, state->changes, state->count, state->events, EVENTS,
                   timeout < 0 ? NULL : &span);
    state->count = 0;
    for (int i = 0; i < count; i++) {
        const struct kevent *event = &state->events[i];
        int events = event->filter == EVFILT_READ ? POLLIN : POLLOUT;

        if (event->flags & EV_ERROR) /* a change failed: its file was closed */
            continue;
        if (event->flags & EV_EOF)
            events |= event->filter == EVFILT_READ ? PT_ENDED_ : POLLHUP;
#ifdef EV_OOBAND /* the BSDs do not report it */
        if (event->flags & EV_OOBAND)
            events |= POLLPRI;
#endif
        pt_system_notice_(system, (int)event->ident, (unsigned)(uintptr_t)event->udata, events);
    }
    return count < 0 ? 0 : count;
}

static int descriptor(const struct pt_system *system)
{
    const struct state *state = system->state;

    return state->fd;
}

const struct pt_poller pt_poller_kqueue_ = {"kqueue", open_, close_,     add, again,
                                            remove_,  wait_, descriptor, NULL};

#else

typedef int pt_kqueue_is_not_here_;

#endif
