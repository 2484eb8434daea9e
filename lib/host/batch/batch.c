/* batch.c - connections whose bytes go by a ring of io_uring: their requests and completions
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "batch.h"

#ifdef PT_HAVE_URING

#include "../../socket.h"

#include <errno.h>
#include <poll.h>

/* What a completion is of, beside the descriptor and the connection: a poll has 0. */
enum { RECEIVE = 1, SEND, ASK };
enum { KIND_AT = 30 };

/* --- what the kernel has done ----------------------------------------------------------------- */

/* A send of out has ended with RESULT, a count or a negative errno: the events to report. */
static int sent(struct pt_batches_ *all, struct pt_batched_ *it, int result)
{
    const bool breaks = result < 0 && result != -EAGAIN && result != -EINTR;
    const bool tells = breaks || it->full;

    it->first += result > 0 ? (unsigned)result : 0;
    it->full = result < (int)it->sending;
    it->wants_room |= it->full;
    it->sending = 0;
    if (breaks)
        it->out_error = -result;
    if (breaks || it->first == it->end)
        pt_batch_drop_(all, it);
    pt_batch_leave_list_(it);
    if (it->out || it->wants_data || it->wants_room)
        pt_batch_queue_(all, it);
    return tells && !it->out ? POLLOUT : 0;
}

/* The same for a receive. */
static int received(struct pt_batches_ *all, struct pt_batched_ *it, int result, unsigned flags)
{
    it->receiving = false;
    if (result == -ECANCELED) { /* its thread has ended */
        it->wants_data = true;
        pt_batch_queue_(all, it);
        return 0;
    }
    if (result > 0) {
        it->in_buffer = (uint16_t)(flags >> IORING_CQE_BUFFER_SHIFT);
        it->in = pt_batch_buffer_(all, it->in_buffer);
        it->in_size = (unsigned)result;
        it->filled = result == PT_BATCH_ROOM_;
    } else if (result < 0 && result != -ENOBUFS && result != -EAGAIN && result != -EINTR) {
        it->in_error = -result;
    } /* else a read finds out: the end, or bytes for which no buffer was free */
    return POLLIN;
}

static void tell(struct pt_system *system, const struct pt_batched_ *it, int events)
{
    if (events)
        pt_system_notice_(system, it->fd, system->places[it->fd].generation, events);
}

/* A poll has told of room. Tasks can wait for it behind what was left: they hear of it when that is
 * sent. */
static void has_room(struct pt_system *system, struct pt_batched_ *it)
{
    it->polling = false;
    if (!it->full) {
        tell(system, it, POLLOUT);
        return;
    }
    it->wants_room = false;
    pt_batch_send_(system, it);
}

bool pt_batch_take_(struct pt_system *system, const struct io_uring_cqe *event)
{
    struct pt_batches_ *all = pt_uring_of_(system)->batches;
    const unsigned kind = (uint32_t)event->user_data >> KIND_AT;
    const unsigned fd = (uint32_t)event->user_data & ((1u << KIND_AT) - 1);
    struct pt_batched_ *it = fd < system->count ? system->places[fd].batched : NULL;

    if (!all || !kind || event->user_data == PT_URING_NOBODY_)
        return false;
    if (it && it->id != (unsigned)(event->user_data >> 32))
        it = NULL;
    if (event->flags & IORING_CQE_F_BUFFER && (!it || event->res <= 0))
        pt_batch_give_(all, event->flags >> IORING_CQE_BUFFER_SHIFT);
    if (it && kind == RECEIVE)
        tell(system, it, received(all, it, event->res, event->flags));
    else if (it && kind == SEND && it->sending)
        tell(system, it, sent(all, it, event->res));
    else if (it && kind == ASK)
        has_room(system, it);
    return true;
}

void pt_batch_sent_(struct pt_system *system)
{
    const struct pt_uring_ *uring = pt_uring_of_(system);
    struct pt_batches_ *all = uring->batches;
    struct pt_batched_ *it;

    while (all && all->sending.next != &all->sending) {
        it = (struct pt_batched_ *)(void *)all->sending.next;
        if ((int)(*uring->ring.sq.khead - it->place) < 0 || pt_uring_has_overflown_(&uring->ring))
            break;
        tell(system, it, sent(all, it, (int)it->sending));
    }
}

void pt_batch_take_all_(struct pt_system *system)
{
    const struct io_uring *ring = &pt_uring_of_(system)->ring;

    for (unsigned i = 0; i < io_uring_cq_ready(ring); i++) {
        struct io_uring_cqe *event = &ring->cq.cqes[(*ring->cq.khead + i) & ring->cq.ring_mask];

        if (pt_batch_take_(system, event))
            event->user_data = PT_URING_NOBODY_;
    }
    pt_batch_sent_(system);
}

void pt_batch_send_(struct pt_system *system, struct pt_batched_ *it)
{
    ssize_t result;

    it->sending = it->end - it->first;
    result =
        sendto(it->fd, it->out + it->first, it->sending, MSG_DONTWAIT | PT_NO_SIGNAL_, NULL, 0);
    tell(system, it, sent(pt_uring_of_(system)->batches, it, result < 0 ? -errno : (int)result));
}

/* --- requests -------------------------------------------------------------------------------- */

static uint64_t key(const struct pt_batched_ *it, unsigned kind)
{
    return (uint64_t)it->id << 32 | kind << KIND_AT | (unsigned)it->fd;
}

/* The kernel does not wait for room; and it tells only of a send that has not sent all, since with
 * MSG_WAITALL that is a failure. */
static void prepare_send(struct pt_system *system, struct pt_batched_ *it)
{
    struct pt_uring_ *uring = pt_uring_of_(system);
    struct io_uring_sqe *request = io_uring_get_sqe(&uring->ring);

    it->sending = it->end - it->first;
    it->place = uring->ring.sq.sqe_tail;
    io_uring_prep_send(request, it->fd, it->out + it->first, it->sending,
                       MSG_DONTWAIT | MSG_WAITALL | PT_NO_SIGNAL_);
    request->flags |= IOSQE_CQE_SKIP_SUCCESS;
    io_uring_sqe_set_data64(request, key(it, SEND));
    pt_batch_join_list_(&uring->batches->sending, it);
}

static void prepare_receive(struct pt_system *system, struct pt_batched_ *it)
{
    struct io_uring_sqe *request = io_uring_get_sqe(&pt_uring_of_(system)->ring);

    io_uring_prep_recv(request, it->fd, NULL, 0, 0);
    request->ioprio = IORING_RECVSEND_POLL_FIRST; /* a read has found nothing, or all */
    request->flags |= IOSQE_BUFFER_SELECT;
    request->buf_group = PT_BATCH_GROUP_;
    io_uring_sqe_set_data64(request, key(it, RECEIVE));
    it->receiving = true;
    it->wants_data = false;
}

static void prepare_poll(struct pt_system *system, struct pt_batched_ *it)
{
    struct io_uring_sqe *request = io_uring_get_sqe(&pt_uring_of_(system)->ring);

    io_uring_prep_poll_add(request, it->fd, POLLOUT);
    io_uring_sqe_set_data64(request, key(it, ASK));
    it->polling = true;
    it->wants_room = false;
}

/* Prepare what a connection asks for: false if there is no place for the three. */
static bool prepare(struct pt_system *system, struct pt_batched_ *it)
{
    struct io_uring *ring = &pt_uring_of_(system)->ring;

    if (io_uring_sq_space_left(ring) < 3)
        io_uring_submit(ring);
    if (io_uring_sq_space_left(ring) < 3)
        return false;
    it->wants_data &= !it->receiving && !it->in_size;
    it->wants_room &= !it->polling;
    if (it->wants_data)
        prepare_receive(system, it);
    if (it->wants_room)
        prepare_poll(system, it);
    if (it->out && !it->full && !it->sending)
        prepare_send(system, it);
    return true;
}

void pt_batch_prepare_(struct pt_system *system)
{
    struct pt_batches_ *all = pt_uring_of_(system)->batches;
    const struct pt_links_ *last = all ? all->asking.before : NULL;
    bool more = all && last != &all->asking;

    while (more) {
        struct pt_batched_ *it = (struct pt_batched_ *)(void *)all->asking.next;

        more = &it->links != last;
        pt_batch_leave_list_(it);
        if (!pt_batch_works_(system) && it->out) {
            pt_batch_send_(system, it);
        } else if (pt_batch_works_(system) && !prepare(system, it)) {
            pt_batch_queue_(all, it);
            more = false;
        }
    }
}

void pt_batch_cancel_(struct pt_system *system, struct pt_batched_ *it)
{
    if (it->receiving)
        pt_uring_cancel_(system, key(it, RECEIVE));
    if (it->polling)
        pt_uring_cancel_(system, key(it, ASK));
    pt_batch_leave_list_(it);
}

#else

typedef int pt_batch_is_not_here_;

#endif
