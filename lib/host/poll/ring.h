/* ring.h - a ring of io_uring with a lasting poll of each descriptor
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_RING_H
#define PT_LIB_RING_H

#include <pt/host/io.h>

#ifdef PT_HAVE_URING

#include <liburing.h>

/* The first member of system->state. */
struct pt_uring_ {
    struct io_uring ring;
    bool made;       /* there is a ring */
    unsigned events; /* the ring has room for so many */
    bool small;      /* that was too few */
    bool stale;      /* a new ring is needed */
    int refused;     /* the errno of the last try to make one */
};

/* Make a ring; false with errno. */
bool pt_uring_open_(struct pt_uring_ *it);
void pt_uring_close_(struct pt_uring_ *it);

/* Begin the poll of a descriptor, and end it: as in struct pt_poller. */
int pt_uring_add_(struct pt_system *system, int fd, unsigned generation, unsigned level);
void pt_uring_remove_(struct pt_system *system, int fd, bool closes);

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
