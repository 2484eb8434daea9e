/* batch_ring.c - connections whose bytes go by a ring of io_uring: when the ring is another one
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "batch.h"

#ifdef PT_HAVE_URING

#include <errno.h>
#include <poll.h>

/* Only the thread of a ring can ask for completions that had no room. */
static bool has_lost(struct pt_system *system)
{
    struct io_uring *ring = &pt_uring_of_(system)->ring;

    pt_batch_take_all_(system);
    while (pt_uring_has_overflown_(ring)) {
        io_uring_cq_advance(ring, io_uring_cq_ready(ring));
        if (io_uring_get_events(ring) < 0)
            return true;
        pt_batch_take_all_(system);
    }
    return false;
}

static void leave(struct pt_system *system, bool lost)
{
    struct pt_batches_ *all = pt_uring_of_(system)->batches;

    lost |= has_lost(system);
    for (unsigned i = 0; i < system->count; i++) {
        struct pt_batched_ *it = system->places[i].batched;

        if (!it)
            continue;
        it->lost |= lost && (it->receiving || it->sending);
        if (it->lost) {
            it->in_error = it->out_error = ENOBUFS;
            pt_batch_drop_(all, it);
        }
        it->wants_data |= it->receiving;
        it->wants_room |= it->polling;
        it->receiving = it->polling = false;
        it->sending = 0;
        pt_batch_leave_list_(it);
        pt_batch_queue_(all, it);
        if (lost)
            pt_system_notice_(system, it->fd, system->places[it->fd].generation, POLLIN | POLLOUT);
    }
}

static void enter(struct pt_system *system)
{
    struct pt_batches_ *all = pt_uring_of_(system)->batches;

    all->works = pt_batch_provide_(system, all);
    for (unsigned i = 0; i < system->count; i++)
        if (system->places[i].batched) /* without a ring nothing was asked for */
            pt_batch_queue_(all, system->places[i].batched);
}

static bool asks_end(const struct pt_system *system, int fd)
{
    const struct pt_batched_ *it = system->places[fd].batched;

    return it && !it->shared && pt_batch_works_(system);
}

static void share(struct pt_system *system, int fd)
{
    if (system->places[fd].batched)
        system->places[fd].batched->shared = true;
}

bool pt_batch_open_(struct pt_system *system)
{
    static const struct pt_uring_use_ use = {leave, enter, asks_end, share};
    struct pt_uring_ *uring = pt_uring_of_(system);

    if (!uring->batches && uring->made) {
        uring->batches = pt_batch_make_();
        uring->use = uring->batches ? &use : NULL;
        if (uring->batches)
            uring->batches->works = pt_batch_provide_(system, uring->batches);
    }
    return uring->batches && pt_batch_works_(system);
}

#else

typedef int pt_batch_ring_is_not_here_;

#endif
