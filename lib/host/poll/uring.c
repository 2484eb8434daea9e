/* uring.c - the poller of io_uring
 * SPDX-License-Identifier: MIT
 *
 * Readiness goes through the ring, and with pt_io_batch the bytes of a connection, too. While the
 * process has no descriptor left for a ring, poll(2) is used. */
#define _GNU_SOURCE
#include "../batch/batch.h"

#ifdef PT_HAVE_URING

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

enum { COMPLETIONS = 256 };
enum { SOON = 10 }; /* milliseconds between two tries to make a new ring */

struct state {
    struct pt_uring_ polls; /* its first member */
    bool old;               /* the ring had events before the wait, when others ran */
    unsigned count;         /* how many completions there are */
    struct pollfd completions[COMPLETIONS]; /* these could have an event */
};

static bool open_(struct pt_system *system)
{
    struct state *state = malloc(sizeof *state);
    int error;

    if (!state)
        return false;
    state->count = 0;
    state->old = false;
    if (pt_uring_open_(&state->polls)) {
        system->state = state;
        return true;
    }
    error = errno;
    free(state);
    errno = error;
    return false;
}

static void close_(struct pt_system *system)
{
    struct state *state = system->state;

    pt_uring_close_(&state->polls);
    pt_batch_close_(system);
    free(state);
}

/* Pollsets can still lack what was not there. */
static void tell(struct pt_system *system, int fd, int events)
{
    const struct pt_slot_ *slot = &system->places[fd];

    pt_system_notice_(system, fd, slot->generation, events);
    if (slot->level == PT_WATCHED_ && pt_slot_lacks_(slot))
        pt_uring_again_(system, fd);
}

/* An event can be over by now, and any event can be reported as urgent data: poll(2) knows the
 * state. If it refuses so many at once, ask for each by itself. If that fails, too, a new ring will
 * report the events. */
static void settle(struct pt_system *system)
{
    struct state *state = system->state;
    bool known = !state->count || poll(state->completions, state->count, 0) >= 0;

    for (unsigned i = 0; i < state->count; i++) {
        struct pollfd *completion = &state->completions[i];

        if (!known && poll(completion, 1, 0) < 0)
            state->polls.stale = true;
        else
            tell(system, completion->fd, completion->revents);
    }
    state->count = 0;
}

/* A descriptor has an event, or could have: note it for settle. */
static void note(struct pt_system *system, int fd)
{
    struct state *state = system->state;

    if (state->count == COMPLETIONS)
        settle(system);
    state->completions[state->count].fd = fd;
    state->completions[state->count++].events = POLLIN | POLLPRI | POLLOUT | POLLRDHUP;
}

/* A poll with a level has ended; others have not: poll(2) tells. */
static void again(struct pt_system *system, int fd)
{
    if (pt_slot_level_(&system->places[fd], NULL))
        pt_uring_again_(system, fd);
    else
        note(system, fd);
}

/* Take a completion, or note its event for settle. False: its descriptor was removed. */
static bool take(struct pt_system *system, const struct io_uring_cqe *event)
{
    struct state *state = system->state;
    unsigned generation = (unsigned)(event->user_data >> 32);
    int fd = (int)(uint32_t)event->user_data;

    if (pt_batch_take_(system, event))
        return true;
    if (!pt_uring_knows_(system, fd, generation) || event->res == -ECANCELED)
        return false;
    if (fd == system->wakeup[0]) {
        pt_system_notice_(system, fd, 0, POLLIN);
    } else if (system->places[fd].level && event->res > 0) {
        system->places[fd].level = PT_WATCHED_; /* the poll has ended */
        if (state->old)
            note(system, fd);
        else
            tell(system, fd, event->res);
        return true;
    } else {
        note(system, fd);
    }
    if (!(event->flags & IORING_CQE_F_MORE) && event->res != -EBADF) { /* no room, or no memory */
        state->polls.stale = true;
        state->polls.small |= event->res >= 0;
    }
    return true;
}

/* Before a wait of TIMEOUT: prepare what the connections ask for. What a send or a ring that was
 * replaced has told can have made tasks ready: then it does not last. */
static int64_t prepare(struct pt_system *system, int64_t timeout)
{
    pt_batch_prepare_(system);
    return pt_loop_idle(system->loop) ? timeout : 0;
}

/* With TIMEOUT 0, enter the kernel only if it has something to do. */
static int wait_events(struct pt_system *system, int64_t timeout)
{
    struct pt_uring_ *polls = system->state;
    struct io_uring *ring = &polls->ring;
    struct __kernel_timespec span;
    struct io_uring_cqe *event;

    timeout = prepare(system, timeout);
    if (!timeout && !io_uring_sq_ready(ring))
        return io_uring_peek_cqe(ring, &event);
    span.tv_sec = timeout / 1000000000;
    span.tv_nsec = timeout % 1000000000;
    return io_uring_submit_and_wait_timeout(ring, &event, 1, timeout < 0 ? NULL : &span, NULL);
}

/* A new ring cannot be made, because no descriptor is left, for example: ask poll(2) for all
 * descriptors, and again soon. */
static int do_without(struct pt_system *system, int64_t timeout)
{
    struct pollfd wakeup = {system->wakeup[0], POLLIN, 0};

    timeout = prepare(system, timeout);
    if (timeout < 0 || timeout > SOON * 1000000)
        timeout = SOON * 1000000;
    if (poll(&wakeup, 1, (int)((timeout + 999999) / 1000000)) > 0)
        pt_system_notice_(system, wakeup.fd, 0, POLLIN);
    for (unsigned i = 0; i < system->count; i++)
        if (pt_uring_knows_(system, (int)i, system->places[i].generation))
            note(system, (int)i);
    settle(system);
    return pt_loop_ready(system->loop) > 0;
}

static int wait_(struct pt_system *system, int64_t timeout)
{
    struct state *state = system->state;
    unsigned count;
    int known = 0;

    settle(system);
    pt_uring_renew_(system, 0);
    if (state->polls.stale)
        return do_without(system, timeout);
    state->old = pt_uring_has_events_(&state->polls.ring);
    if (pt_uring_renew_(system, wait_events(system, timeout)))
        wait_events(system, timeout);
    if (!state->polls.made)
        return do_without(system, timeout);
    count = io_uring_cq_ready(&state->polls.ring);
    for (unsigned i = 0; i < count; i++)
        known += take(system, pt_uring_told_(&state->polls.ring, i));
    io_uring_cq_advance(&state->polls.ring, count);
    pt_batch_sent_(system);
    settle(system);
    return known;
}

const struct pt_poller pt_poller_io_uring_ = {"io_uring",       open_, close_, pt_uring_add_, again,
                                              pt_uring_remove_, wait_, NULL,   &pt_batching_};

#else

typedef int pt_io_uring_is_not_here_;

#endif
