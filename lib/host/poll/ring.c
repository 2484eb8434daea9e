/* ring.c - a ring of io_uring with a lasting poll of each descriptor
 * SPDX-License-Identifier: MIT
 *
 * A ring belongs to the thread that made it. When the loop has moved to another thread, or the
 * kernel has lost an event, a new ring is made, and all descriptors are polled again. The old one
 * ends first: its polls hold their files, and only its thread could cancel them. */
#define _GNU_SOURCE
#include "poller.h"
#include "ring.h"

#ifdef PT_HAVE_URING

#include <errno.h>
#include <poll.h>
#include <string.h>

enum { REQUESTS = 256, EVENTS = 4096, MOST = 65536 };

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

bool pt_uring_open_(struct pt_uring_ *it)
{
    it->events = EVENTS;
    it->small = it->stale = false;
    it->batches = NULL;
    it->use = NULL;
    it->refused = make(&it->ring, EVENTS);
    it->made = !it->refused;
    if (!it->made)
        errno = it->refused;
    return it->made;
}

void pt_uring_close_(struct pt_uring_ *it)
{
    if (it->made)
        io_uring_queue_exit(&it->ring);
}

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

static unsigned events_of(unsigned level)
{
    return (level & PT_READABLE_ ? POLLIN : 0) | (level & PT_WRITABLE_ ? POLLOUT : 0) |
           (level & PT_URGENT_ ? POLLPRI : 0);
}

/* Prepare a poll. It reports each change, as with EPOLLET, until it is canceled or ends; with
 * LEVEL it ends when it has reported one of these directions. */
static struct io_uring_sqe *ask(struct pt_system *system, int fd, unsigned generation,
                                unsigned level)
{
    struct pt_uring_ *it = system->state;
    struct io_uring_sqe *request = place(&it->ring);
    unsigned events = POLLIN | POLLPRI | POLLOUT | POLLRDHUP;

    if (!request)
        return NULL;
    if (fd == system->wakeup[0])
        events = POLLIN; /* the loop does not wait to write to it */
    else if (it->use && it->use->asks_end(system, fd))
        events = POLLRDHUP;
    if (fd != system->wakeup[0])
        system->places[fd].level = (uint8_t)level;
    if (level)
        io_uring_prep_poll_add(request, fd, events_of(level));
    else
        io_uring_prep_poll_multishot(request, fd, events);
    io_uring_sqe_set_data64(request, key(fd, generation));
    return request;
}

void pt_uring_cancel_(struct pt_system *system, uint64_t user_data)
{
    struct pt_uring_ *it = system->state;
    struct io_uring_sqe *request = it->made ? place(&it->ring) : NULL;

    it->stale |= it->made && !request; /* the end of the ring ends them */
    if (!request)
        return;
    io_uring_prep_cancel64(request, user_data, IORING_ASYNC_CANCEL_ALL);
    io_uring_sqe_set_data64(request, PT_URING_NOBODY_);
}

/* Prepare the end of a poll. POLL_REMOVE would leave one that is just reporting an event. */
static void stop(struct pt_system *system, int fd)
{
    pt_uring_cancel_(system, key(fd, system->places[fd].generation));
}

void pt_uring_again_(struct pt_system *system, int fd)
{
    struct pt_uring_ *it = system->state;
    struct pt_slot_ *slot = &system->places[fd];
    const unsigned level = pt_slot_level_(slot, NULL);

    if (it->stale || !it->made) /* a new ring polls what is lacked */
        return;
    if (slot->level != PT_WATCHED_) /* one is left, perhaps from an owner */
        stop(system, fd);
    slot->level = PT_WATCHED_;
    if (level != PT_WATCHED_ && !ask(system, fd, slot->generation, level))
        it->stale = true;
}

void pt_uring_change_(struct pt_system *system, int fd)
{
    struct pt_uring_ *it = system->state;

    stop(system, fd);
    if (it->made && !it->stale && !ask(system, fd, system->places[fd].generation, 0))
        it->stale = true;
}

/* Poll a descriptor in a new ring; false: there is no place. */
static bool ask_anew(struct pt_system *system, int fd)
{
    struct pt_slot_ *slot = &system->places[fd];
    const unsigned level = pt_slot_level_(slot, NULL);

    slot->level = (uint8_t)level;
    return level == PT_WATCHED_ || ask(system, fd, slot->generation, level);
}

bool pt_uring_knows_(const struct pt_system *system, int fd, unsigned generation)
{
    const struct pt_slot_ *slot = (unsigned)fd < system->count ? &system->places[fd] : NULL;
    const struct pt_io *io = slot ? pt_slot_first_(slot) : NULL;

    return fd == system->wakeup[0] || (io && slot->generation == generation && io->polled);
}

bool pt_uring_renew_(struct pt_system *system, int result)
{
    struct pt_uring_ *it = system->state;

    if (result == -EEXIST || result == -EBADR) /* another thread's ring, or a lost event */
        it->stale = true;
    if (it->small && it->events < MOST)
        it->events *= 2;
    it->small = false;
    if (!it->stale)
        return false;
    if (it->made && it->use)
        it->use->leave(system, result == -EBADR);
    if (it->made)
        io_uring_queue_exit(&it->ring);
    it->refused = make(&it->ring, it->events);
    it->made = !it->refused;
    if (!it->made)
        return false;
    if (it->use)
        it->use->enter(system);
    it->stale = !ask(system, system->wakeup[0], 0, 0);
    for (unsigned i = 0; i < system->count; i++)
        if (pt_uring_knows_(system, (int)i, system->places[i].generation))
            it->stale |= !ask_anew(system, (int)i);
    return true;
}

const struct io_uring_cqe *pt_uring_told_(const struct io_uring *ring, unsigned index)
{
    return &ring->cq.cqes[(*ring->cq.khead + index) & ring->cq.ring_mask];
}

bool pt_uring_has_events_(const struct io_uring *ring)
{
    return io_uring_cq_ready(ring) ||
           __atomic_load_n(ring->sq.kflags, __ATOMIC_RELAXED) & IORING_SQ_TASKRUN;
}

/* 0, or an errno if the poll ended at once: it is refused, or the descriptor is always ready. A
 * poll with LEVEL may end at once. */
static int refusal(const struct io_uring *ring, uint64_t user_data, unsigned level)
{
    unsigned count = io_uring_cq_ready(ring);
    const struct io_uring_cqe *last = pt_uring_told_(ring, count - 1);

    if (!count || last->user_data != user_data || last->flags & IORING_CQE_F_MORE)
        return 0;
    if (level && last->res >= 0)
        return 0;
    return last->res < 0 && last->res != -EINVAL ? -last->res : EPERM;
}

/* Submit a poll: 0 or a negative errno. */
static int begin(struct pt_system *system, int fd, unsigned generation, unsigned level)
{
    struct pt_uring_ *it = system->state;
    struct io_uring_sqe *request = ask(system, fd, generation, level);
    int result = request ? io_uring_submit(&it->ring) : -ENOMEM;

    if (!request || !io_uring_sq_ready(&it->ring))
        return result < 0 ? result : -refusal(&it->ring, key(fd, generation), level);
    io_uring_prep_nop(request); /* not taken: it will be with the next requests */
    io_uring_sqe_set_data64(request, PT_URING_NOBODY_);
    return result >= 0 || result == -EAGAIN ? -ENOMEM : result;
}

int pt_uring_add_(struct pt_system *system, int fd, unsigned generation, unsigned level)
{
    struct pt_uring_ *it = system->state;
    bool again =
        fd != system->wakeup[0] && pt_uring_knows_(system, fd, system->places[fd].generation);
    int result = 0;

    if (again && it->use)
        it->use->share(system, fd);
    if (again) /* that poll can hold a file that was closed since */
        pt_uring_remove_(system, fd, false);
    /* While events wait for room, a poll ends at once, as if the descriptor were always ready. */
    it->small |= it->made && pt_uring_has_overflown_(&it->ring);
    it->stale |= it->small;
    if (it->made && !it->stale)
        result = begin(system, fd, generation, level);
    if (pt_uring_renew_(system, result))
        result = begin(system, fd, generation, level);
    it->stale |= again && result && result != -EPERM; /* a new ring has the poll of the others */
    return it->made ? -result : it->refused;
}

/* Cancel the poll. It holds the file, so the kernel must end it before the descriptor is closed:
 * otherwise the other side would not see the close. A call does up to 20 pieces of the kernel's
 * work, and a flag tells of more. What adds a piece sets the flag behind it, perhaps when it is
 * done: then the flag stays until more comes. So the number of calls has a limit, by four pieces
 * for each descriptor. What the kernel has not taken would be asked of the next file with that
 * number: only a new ring is without it. */
static int end(struct pt_system *system, int fd)
{
    struct pt_uring_ *it = system->state;
    unsigned calls = 2 + system->count / 5;
    int result;

    stop(system, fd);
    do
        result = io_uring_submit_and_get_events(&it->ring);
    while (result >= 0 && --calls &&
           __atomic_load_n(it->ring.sq.kflags, __ATOMIC_RELAXED) & IORING_SQ_TASKRUN);
    it->stale |= io_uring_sq_ready(&it->ring) > 0;
    return result;
}

void pt_uring_remove_(struct pt_system *system, int fd, bool closes)
{
    struct pt_uring_ *it = system->state;

    (void)closes; /* a poll keeps its file open */
    if (it->made && pt_uring_renew_(system, end(system, fd)))
        end(system, fd);
}

#else

typedef int pt_ring_is_not_here_;

#endif
