/* epoll.c - the poller of Linux: edge-triggered, one registration for the life of a descriptor
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "poller.h"

#ifdef __linux__

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256 };

struct state {
    int fd;
    bool coarse; /* the kernel has no epoll_pwait2: timeouts are in milliseconds */
    struct epoll_event events[EVENTS];
};

static bool open_(struct pt_system *system)
{
    struct state *state = malloc(sizeof *state);

    if (!state)
        return false;
    state->coarse = false;
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
    free(state);
}

static int add(struct pt_system *system, int fd, unsigned generation)
{
    const struct state *state = system->state;
    struct epoll_event event;

    event.events = EPOLLIN | EPOLLPRI | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    if (fd == system->wakeup[0])
        event.events = EPOLLIN | EPOLLET; /* the loop does not wait to write to it */
    event.data.u64 = (uint64_t)generation << 32 | (unsigned)fd;
    return epoll_ctl(state->fd, EPOLL_CTL_ADD, fd, &event) ? errno : 0;
}

static void remove_(struct pt_system *system, int fd)
{
    const struct state *state = system->state;

    epoll_ctl(state->fd, EPOLL_CTL_DEL, fd, NULL); /* a copy of fd would keep it registered */
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

static int wait_(struct pt_system *system, int64_t timeout)
{
    struct state *state = system->state;
    int count = wait_events(state, timeout);

    for (int i = 0; i < count; i++) {
        uint32_t events = state->events[i].events;
        uint64_t data = state->events[i].data.u64;
        unsigned directions = 0;

        if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
            directions |= PT_READABLE_;
        if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
            directions |= PT_HANGUP_;
        if (events & EPOLLPRI)
            directions |= PT_READABLE_ | PT_URGENT_;
        if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR))
            directions |= PT_WRITABLE_;
        pt_system_notice_(system, (int)(uint32_t)data, (unsigned)(data >> 32), directions);
    }
    return count < 0 ? 0 : count;
}

static int descriptor(const struct pt_system *system)
{
    const struct state *state = system->state;

    return state->fd;
}

const struct pt_poller pt_poller_epoll_ = {"epoll", open_, close_, add, remove_, wait_, descriptor};

#endif
