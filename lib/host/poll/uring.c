/* uring.c - the poller of io_uring: a lasting poll of each descriptor, in the loop thread's ring
 * SPDX-License-Identifier: MIT
 *
 * Only readiness goes through the ring; tasks read and write themselves. A ring belongs to the
 * thread that made it. When the loop has moved to another thread, or the kernel has lost an event,
 * a new ring is made, and all descriptors are polled again. The old one ends first: its polls hold
 * their files, and only its thread could cancel them. While the process has no descriptor left for
 * the new ring, poll(2) is used. */
#define _GNU_SOURCE
#include "poller.h"

#ifdef PT_HAVE_URING

#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 256, EVENTS = 4096, MOST = 65536, COMPLETIONS = 256 };
enum { SOON = 10 }; /* milliseconds between two tries to make a new ring */

#define NOBODY UINT64_MAX /* the descriptor -1: the completion is ignored */

struct state {
    struct io_uring ring;
    bool made;                              /* there is a ring */
    unsigned events;                        /* the ring has room for so many */
    bool small;                             /* that was too few */
    bool stale;                             /* a new ring is needed */
    int refused;                            /* the errno of the last try to make one */
    unsigned count;                         /* how many completions there are */
    struct pollfd completions[COMPLETIONS]; /* these could have an event */
};

/* Make a ring: 0 or an errno. With these flags the kernel does its work in the loop's thread, when
 * that thread asks. A kernel older than Linux 6.1 does not know them. */
static int make(struct io_uring *ring, unsigned events)
{
    struct io_uring_params options;
    int error;

    memset(&options, 0, sizeof options);
    options.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                    IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_CQSIZE;
    options.cq_entries = events;
    error = -io_uring_queue_init_params(REQUESTS, ring, &options);
    return error == EINVAL ? ENOSYS : error;
}

static bool open_(struct pt_system *system)
{
    struct state *state = malloc(sizeof *state);
    int error;

    if (!state)
        return false;
    state->events = EVENTS;
    state->small = state->stale = false;
    state->made = true;
    state->refused = 0;
    state->count = 0;
    error = make(&state->ring, EVENTS);
    if (error) {
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

    if (state->made)
        io_uring_queue_exit(&state->ring);
    free(state);
}

/* --- requests to the kernel ------------------------------------------------------------------- */

/* A place for a request; NULL while the kernel takes none. */
static struct io_uring_sqe *place(struct io_uring *ring)
{
    struct io_uring_sqe *request = io_uring_get_sqe(ring);

    if (!request && io_uring_submit(ring) >= 0)
        request = io_uring_get_sqe(ring);
    return request;
}

static uint64_t key(int fd, unsigned generation)
{
    return (uint64_t)generation << 32 | (unsigned)fd;
}

/* Prepare a poll. It reports each change, as with EPOLLET, until it is canceled or ends. */
static struct io_uring_sqe *ask(struct pt_system *system, int fd, unsigned generation)
{
    struct state *state = system->state;
    struct io_uring_sqe *request = place(&state->ring);
    unsigned events = POLLIN | POLLPRI | POLLOUT | POLLRDHUP;

    if (!request)
        return NULL;
    if (fd == system->wakeup[0])
        events = POLLIN; /* the loop does not wait to write to it */
    io_uring_prep_poll_multishot(request, fd, events);
    io_uring_sqe_set_data64(request, key(fd, generation));
    return request;
}

/* Whether a descriptor was added and has not been removed. */
static bool is_known(const struct pt_system *system, int fd, unsigned generation)
{
    const struct pt_slot_ *slot = (unsigned)fd < system->count ? &system->places[fd] : NULL;

    return fd == system->wakeup[0] ||
           (slot && slot->io && slot->generation == generation && slot->io->polled);
}

/* The kernel returned RESULT. Make a new ring if one is needed; true if it is made, and the caller
 * must try again with it. */
static bool renewed(struct pt_system *system, int result)
{
    struct state *state = system->state;

    if (result == -EEXIST || result == -EBADR) /* another thread's ring, or a lost event */
        state->stale = true;
    if (state->small && state->events < MOST)
        state->events *= 2;
    state->small = false;
    if (!state->stale)
        return false;
    if (state->made)
        io_uring_queue_exit(&state->ring);
    state->refused = make(&state->ring, state->events);
    state->made = !state->refused;
    if (!state->made)
        return false;
    state->stale = !ask(system, system->wakeup[0], 0);
    for (unsigned i = 0; i < system->count; i++)
        if (is_known(system, (int)i, system->places[i].generation))
            state->stale |= !ask(system, (int)i, system->places[i].generation);
    return true;
}

/* The INDEXth completion that has not been taken. */
static const struct io_uring_cqe *told(const struct io_uring *ring, unsigned index)
{
    return &ring->cq.cqes[(*ring->cq.khead + index) & ring->cq.ring_mask];
}

/* 0, or an errno if the poll ended at once: it is refused, or the descriptor is always ready. */
static int refusal(const struct io_uring *ring, uint64_t user_data)
{
    unsigned count = io_uring_cq_ready(ring);
    const struct io_uring_cqe *last = told(ring, count - 1);

    if (!count || last->user_data != user_data || last->flags & IORING_CQE_F_MORE)
        return 0;
    return last->res < 0 && last->res != -EINVAL ? -last->res : EPERM;
}

/* Submit a poll: 0 or a negative errno. */
static int begin(struct pt_system *system, int fd, unsigned generation)
{
    struct state *state = system->state;
    struct io_uring_sqe *request = ask(system, fd, generation);
    int result = request ? io_uring_submit(&state->ring) : -ENOMEM;

    if (!request || !io_uring_sq_ready(&state->ring))
        return result < 0 ? result : -refusal(&state->ring, key(fd, generation));
    io_uring_prep_nop(request); /* not taken: it will be with the next requests */
    io_uring_sqe_set_data64(request, NOBODY);
    return result >= 0 || result == -EAGAIN ? -ENOMEM : result;
}

static int add(struct pt_system *system, int fd, unsigned generation)
{
    struct state *state = system->state;
    int result = state->made ? begin(system, fd, generation) : 0;

    if (renewed(system, result))
        result = begin(system, fd, generation);
    return state->made ? -result : state->refused;
}

/* Cancel the poll. POLL_REMOVE would leave a poll that is just reporting an event. The poll holds
 * the file, so the kernel must end it before the descriptor is closed: otherwise the other side
 * would not see the close. */
static int end(struct pt_system *system, int fd)
{
    struct state *state = system->state;
    struct io_uring_sqe *request = place(&state->ring);
    int result;

    state->stale |= !request;
    if (request) {
        io_uring_prep_cancel64(request, key(fd, system->places[fd].generation), 0);
        io_uring_sqe_set_data64(request, NOBODY);
    }
    do
        result = io_uring_submit_and_get_events(&state->ring);
    while (result >= 0 &&
           __atomic_load_n(state->ring.sq.kflags, __ATOMIC_RELAXED) & IORING_SQ_TASKRUN);
    return result;
}

static void remove_(struct pt_system *system, int fd)
{
    struct state *state = system->state;

    if (state->made && renewed(system, end(system, fd)))
        end(system, fd);
}

/* --- events ----------------------------------------------------------------------------------- */

/* An event can be over by now, and any event can be reported as urgent data: poll(2) knows the
 * state. If it refuses so many at once, ask for each by itself. If that fails, too, a new ring will
 * report the events. */
static void settle(struct pt_system *system)
{
    struct state *state = system->state;
    bool known = !state->count || poll(state->completions, state->count, 0) >= 0;

    for (unsigned i = 0; i < state->count; i++) {
        struct pollfd *completion = &state->completions[i];
        int fd = completion->fd, events;
        unsigned directions = 0;

        if (!known && poll(completion, 1, 0) < 0) {
            state->stale = true;
            continue;
        }
        events = completion->revents;
        if (events & (POLLIN | POLLPRI | POLLRDHUP | POLLHUP | POLLERR))
            directions |= PT_READABLE_;
        if (events & (POLLRDHUP | POLLHUP | POLLERR))
            directions |= PT_HANGUP_;
        if (events & POLLPRI)
            directions |= PT_URGENT_;
        if (events & (POLLOUT | POLLHUP | POLLERR))
            directions |= PT_WRITABLE_;
        pt_system_notice_(system, fd, system->places[fd].generation, directions);
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

/* Note an event for settle. False: its descriptor was removed. */
static bool take(struct pt_system *system, const struct io_uring_cqe *event)
{
    struct state *state = system->state;
    unsigned generation = (unsigned)(event->user_data >> 32);
    int fd = (int)(uint32_t)event->user_data;

    if (!is_known(system, fd, generation))
        return false;
    if (fd == system->wakeup[0])
        pt_system_notice_(system, fd, 0, PT_READABLE_);
    else
        note(system, fd);
    if (!(event->flags & IORING_CQE_F_MORE) && event->res != -EBADF) { /* no room, or no memory */
        state->stale = true;
        state->small |= event->res >= 0;
    }
    return true;
}

/* With TIMEOUT 0, enter the kernel only if it has something to do. */
static int wait_events(struct io_uring *ring, int64_t timeout)
{
    struct __kernel_timespec span;
    struct io_uring_cqe *event;

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

    if (timeout < 0 || timeout > SOON * 1000000)
        timeout = SOON * 1000000;
    if (poll(&wakeup, 1, (int)((timeout + 999999) / 1000000)) > 0)
        pt_system_notice_(system, wakeup.fd, 0, PT_READABLE_);
    for (unsigned i = 0; i < system->count; i++)
        if (is_known(system, (int)i, system->places[i].generation))
            note(system, (int)i);
    settle(system);
    return pt_loop_ready(system->loop) > 0;
}

static int wait_(struct pt_system *system, int64_t timeout)
{
    struct state *state = system->state;
    unsigned count;
    int known = 0;

    renewed(system, 0);
    if (state->stale)
        return do_without(system, timeout);
    if (renewed(system, wait_events(&state->ring, timeout)))
        wait_events(&state->ring, timeout);
    if (!state->made)
        return do_without(system, timeout);
    count = io_uring_cq_ready(&state->ring);
    for (unsigned i = 0; i < count; i++)
        known += take(system, told(&state->ring, i));
    io_uring_cq_advance(&state->ring, count);
    settle(system);
    return known;
}

const struct pt_poller pt_poller_io_uring_ = {"io_uring", open_, close_, add, remove_, wait_};

#else

typedef int pt_io_uring_is_not_here_;

#endif
