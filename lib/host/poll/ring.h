/* ring.h - a ring of io_uring with a lasting poll of each descriptor
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_RING_H
#define PT_LIB_RING_H

#include <pt/host/io.h>

#ifdef PT_HAVE_URING

#include <liburing.h>

/* What else uses a ring, beside the polls. */
struct pt_uring_use_ {
    /* The ring is about to end, LOST if it has lost a completion; there is a new one. */
    void (*leave)(struct pt_system *system, bool lost);
    void (*enter)(struct pt_system *system);

    /* Whether the poll of a descriptor has to report nothing but the end; from now on it has to
     * report all, because another pt_io waits for the descriptor, too. */
    bool (*asks_end)(const struct pt_system *system, int fd);
    void (*share)(struct pt_system *system, int fd);
};

/* The first member of system->state. */
struct pt_uring_ {
    struct io_uring ring;
    bool made;                       /* there is a ring */
    unsigned events;                 /* the ring has room for so many */
    bool small;                      /* that was too few */
    bool stale;                      /* a new ring is needed */
    struct pt_batches_ *batches;     /* connections whose bytes go by it, or NULL */
    const struct pt_uring_use_ *use; /* what they do with the ring; or NULL */
    int refused;                     /* the errno of the last try to make one */
};

#define PT_URING_NOBODY_ UINT64_MAX /* the descriptor -1: the completion is ignored */

static inline struct pt_uring_ *pt_uring_of_(const struct pt_system *system)
{
    return (struct pt_uring_ *)system->state;
}

/* Make a ring; false with errno. */
bool pt_uring_open_(struct pt_uring_ *it);
void pt_uring_close_(struct pt_uring_ *it);

/* Begin the poll of a descriptor, and end it: as in struct pt_poller. */
int pt_uring_add_(struct pt_system *system, int fd, unsigned generation, unsigned level);
void pt_uring_remove_(struct pt_system *system, int fd, bool closes);

/* What the poll of a descriptor has to report has changed: begin another one. */
void pt_uring_change_(struct pt_system *system, int fd);

/* Whether completions have found no room, and wait in the kernel. */
static inline bool pt_uring_has_overflown_(const struct io_uring *ring)
{
    return __atomic_load_n(ring->sq.kflags, __ATOMIC_RELAXED) & IORING_SQ_CQ_OVERFLOW;
}

/* Prepare the end of the requests with this user data. */
void pt_uring_cancel_(struct pt_system *system, uint64_t user_data);

/* Let the next wait report what the slot of a descriptor lacks, which only pollsets have. */
void pt_uring_again_(struct pt_system *system, int fd);

/* The kernel returned RESULT. Make a new ring if one is needed; true if it is made, and the caller
 * must try again with it. */
bool pt_uring_renew_(struct pt_system *system, int result);

/* Whether a descriptor was added and has not been removed. */
bool pt_uring_knows_(const struct pt_system *system, int fd, unsigned generation);

/* Whether there are events that no wait has brought: they can be over. */
bool pt_uring_has_events_(const struct io_uring *ring);

/* The INDEXth completion that has not been taken. */
const struct io_uring_cqe *pt_uring_told_(const struct io_uring *ring, unsigned index);

#endif
#endif
