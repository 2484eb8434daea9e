/* epoll.c - the poller of Linux: edge-triggered, one registration for the life of a descriptor
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "poller.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256 };

struct state {
    int fd;
    int outer;   /* another loop waits for this one, which has FD; -1: none does */
    bool coarse; /* the kernel has no epoll_pwait2: timeouts are in milliseconds */
    bool copied; /* a copy of a descriptor was still open after its close */
    struct epoll_event events[EVENTS];
};

static bool open_(struct pt_system *system)
{
    struct state *state = malloc(sizeof *state);

    if (!state)
        return false;
    state->coarse = state->copied = false;
    state->outer = -1;
    state->fd = epoll_create1(EPOLL_CLOEXEC);
    if (state->fd < 0) {
        int error = errno;

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

    close(state->fd);
    if (state->outer >= 0)
        close(state->outer);
    free(state);
}

/* In an instance, register a descriptor, or change what is registered: 0 or an errno. */
static int change(int instance, const struct pt_system *system, int operation, int fd,
                  unsigned generation, unsigned level)
{
    struct epoll_event event;

    event.events = EPOLLIN | EPOLLPRI | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    if (level & (PT_READABLE_ | PT_WRITABLE_ | PT_URGENT_ | PT_ERROR_))
        event.events = (level & PT_READABLE_ ? EPOLLIN : 0) |
                       (level & PT_WRITABLE_ ? EPOLLOUT : 0) | (level & PT_URGENT_ ? EPOLLPRI : 0);
    else if (level)
        event.events = EPOLLET; /* nothing: an error comes whatever is asked for, but once */
    if (fd == system->wakeup[0])
        event.events = EPOLLIN | EPOLLET; /* the loop does not wait to write to it */
    event.data.u64 = (uint64_t)generation << 32 | (unsigned)fd;
    return epoll_ctl(instance, operation, fd, &event) ? errno : 0;
}

/* The same in the instance of the system. */
static int control(struct pt_system *system, int operation, int fd, unsigned generation,
                   unsigned level)
{
    const struct state *state = system->state;
    int error = change(state->fd, system, operation, fd, generation, level);

    if (!error && fd != system->wakeup[0])
        system->places[fd].level = (uint8_t)level;
    return error;
}

/* Level-triggered for pollsets alone. */
static int add(struct pt_system *system, int fd, unsigned generation, unsigned level)
{
    const struct pt_slot_ *slot = fd != system->wakeup[0] ? &system->places[fd] : NULL;
    bool polled = slot && pt_slot_is_polled_(slot);
    int error;

    if (polled && (level || slot->level) && !control(system, EPOLL_CTL_MOD, fd, generation, level))
        return 0; /* else it is another file by now */
    error = control(system, EPOLL_CTL_ADD, fd, generation, level);
    if (error == EEXIST && !polled) /* its copy has its number again */
        error = control(system, EPOLL_CTL_MOD, fd, generation, level);
    return error;
}

/* A change of a registration reports what is ready, edge-triggered, too. */
static void again(struct pt_system *system, int fd)
{
    const struct pt_slot_ *slot = &system->places[fd];

    control(system, EPOLL_CTL_MOD, fd, slot->generation, pt_slot_level_(slot, NULL));
}

/* The close of a file's last descriptor removes it, too, and saves a call. A copy, for example of
 * a child, keeps it registered: a program that has such copies is found by the first event. */
static void remove_(struct pt_system *system, int fd, bool closes)
{
    const struct state *state = system->state;

    if (!closes || state->copied)
        epoll_ctl(state->fd, EPOLL_CTL_DEL, fd, NULL);
}

/* epoll_pwait2(2): an older C library does not have it. */
static int pwait2(int fd, struct epoll_event *events, int room, const struct timespec *span)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && !defined(PT_PLAIN_UNIX)
    return epoll_pwait2(fd, events, room, span, NULL);
#elif defined(SYS_epoll_pwait2)
    const int64_t parts[2] = {span ? span->tv_sec : 0, span ? span->tv_nsec : 0};

    return (int)syscall(SYS_epoll_pwait2, fd, events, room, span ? parts : NULL, NULL, (size_t)0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* Wait for TIMEOUT nanoseconds, in the finest unit that the kernel takes. */
static int wait_events(struct state *state, int64_t timeout)
{
    if (!state->coarse) {
        struct timespec span;
        int count;

        span.tv_sec = (time_t)(timeout / 1000000000);
        span.tv_nsec = (long)(timeout % 1000000000);
        count = pwait2(state->fd, state->events, EVENTS, timeout < 0 ? NULL : &span);
        if (count >= 0 || (errno != ENOSYS && errno != EPERM))
            return count; /* an old sandbox returns EPERM for a call that it does not know */
        state->coarse = true;
    }
    return epoll_wait(state->fd, state->events, EVENTS,
                      timeout < 0 ? -1 : (int)((timeout + 999999) / 1000000));
}

/* Whether the poller has a descriptor of this generation. */
static bool knows(const struct pt_system *system, int fd, unsigned generation)
{
    const struct pt_slot_ *slot = (unsigned)fd < system->count ? &system->places[fd] : NULL;

    return fd == system->wakeup[0] ||
           (slot && slot->generation == generation && pt_slot_is_polled_(slot));
}

/* Let the other loop wait for an instance: 0 or an errno. */
static int surround(const struct state *state, int instance)
{
    struct epoll_event event;

    event.events = EPOLLIN;
    event.data.fd = instance;
    return epoll_ctl(state->outer, EPOLL_CTL_ADD, instance, &event) ? errno : 0;
}

/* Register in a new instance what the old one has. False: there is no room for it. */
static bool copy(const struct pt_system *system, int instance)
{
    int error = change(instance, system, EPOLL_CTL_ADD, system->wakeup[0], 0, 0);

    for (unsigned i = 0; i < system->count && error != ENOMEM && error != ENOSPC; i++) {
        const struct pt_slot_ *slot = &system->places[i];

        if (pt_slot_is_polled_(slot)) /* its file can be closed, too */
            error = change(instance, system, EPOLL_CTL_ADD, (int)i, slot->generation, slot->level);
    }
    return error != ENOMEM && error != ENOSPC;
}

/* A file is registered whose descriptor was closed, and that a copy keeps open: level-triggered it
 * would end each wait, and only that descriptor could remove it. So begin anew; if that fails, the
 * next such event tries again. */
static void renew(struct pt_system *system)
{
    struct state *state = system->state;
    int old = state->fd, fresh = epoll_create1(EPOLL_CLOEXEC);

    state->copied = true;
    if (fresh < 0)
        return;
    if (!copy(system, fresh) || (state->outer >= 0 && surround(state, fresh))) {
        close(fresh);
        return;
    }
    if (state->outer >= 0)
        epoll_ctl(state->outer, EPOLL_CTL_DEL, old, NULL); /* a forked process can keep it open */
    close(old);
    state->fd = fresh;
}

static int wait_(struct pt_system *system, int64_t timeout)
{
    struct state *state = system->state;
    int count = wait_events(state, timeout);
    bool stale = false;

    for (int i = 0; i < count; i++) {
        int fd = (int)(uint32_t)state->events[i].data.u64;
        unsigned generation = (unsigned)(state->events[i].data.u64 >> 32);

        stale |= !knows(system, fd, generation);
        /* The events have the values of those of poll(2). */
        pt_system_notice_(system, fd, generation, (int)state->events[i].events);
    }
    if (stale)
        renew(system);
    return count < 0 ? 0 : count;
}

/* It has to stay the same; the instance does not. */
static int descriptor(const struct pt_system *system)
{
    struct state *state = system->state;
    int error;

    if (state->outer >= 0)
        return state->outer;
    state->outer = epoll_create1(EPOLL_CLOEXEC);
    error = state->outer < 0 ? 0 : surround(state, state->fd);
    if (error) {
        close(state->outer);
        state->outer = -1;
        errno = error;
    }
    return state->outer;
}

const struct pt_poller pt_poller_epoll_ = {"epoll", open_, close_,     add, again,
                                           remove_, wait_, descriptor, NULL};

#endif
