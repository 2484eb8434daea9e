/* batch.h - connections whose bytes go by a ring of io_uring, those of all by one call
 * SPDX-License-Identifier: MIT
 *
 * A receive is asked for when a read has found nothing, and takes a buffer of the ring only when
 * bytes are there: the kernel uses no memory of a task that waits or is canceled, and a connection
 * has at most one buffer of bytes that were not read. A write copies its bytes, and the next wait
 * of the loop submits them. A send never waits in the kernel: when io_uring_enter returns, it has
 * ended, and what had no room in the socket is sent when a poll has told of room. */
#ifndef PT_LIB_BATCH_H
#define PT_LIB_BATCH_H

#include "../poll/poller.h"
#include "../poll/ring.h"

#ifdef PT_HAVE_URING

/* The buffers in each direction, and how many bytes one has room for. */
enum { PT_BATCH_BUFFERS_ = 256, PT_BATCH_ROOM_ = 4096 };

enum { PT_BATCH_GROUP_ = 1 }; /* the number of the ring of buffers */

/* A connection. */
struct pt_batched_ {
    struct pt_links_ links; /* in one of two lists, or alone */
    int fd;
    unsigned id;
    char *in; /* the bytes that were received and not read */
    unsigned in_size;
    unsigned in_buffer;
    char *out; /* a buffer of what was written: bytes from first to end; NULL: all is sent */
    unsigned first, end;
    unsigned sending;        /* a send of so many of them is prepared */
    unsigned place;          /* and submitted when the ring has taken so many requests */
    int in_error, out_error; /* the errno of the next read, of the next write; or 0 */
    bool filled;             /* what was received has filled its buffer: there can be more */
    bool wants_data;         /* asks for a receive */
    bool wants_room;         /* asks for a poll */
    bool receiving, polling; /* the kernel has that request */
    bool full;               /* the socket had no room for all of out */
    bool shuts;              /* behind out, shut down the writing side */
    bool shared;             /* other pt_io wait for the descriptor, too */
    bool lingers;            /* it is closed, but for out */
    bool lost;               /* some of its bytes are lost: the errors stay */
};

/* What they share in a loop. */
struct pt_batches_ {
    struct pt_links_ asking;  /* the connections that ask for something */
    struct pt_links_ sending; /* those whose send is prepared, in that order */
    unsigned ids;
    bool works; /* the ring has the buffers */
    struct io_uring_buf_ring *ring;
    char *in;                      /* the buffers of what comes */
    char *free[PT_BATCH_BUFFERS_]; /* those of what goes that are not in use */
    unsigned free_count;
};

/* Whether bytes go by the ring now. If not, the calls of the system do it, and polls tell. */
static inline bool pt_batch_works_(const struct pt_system *system)
{
    return pt_uring_of_(system)->made && pt_uring_of_(system)->batches->works;
}

/* --- buffers.c: the list of connections, and their buffers ----------------------------------- */

/* What connections of a system share, without a ring; NULL: there is no memory. */
struct pt_batches_ *pt_batch_make_(void);
void pt_batch_close_(struct pt_system *system);

/* Let the ring have the buffers that no connection holds; false: the kernel does not. */
bool pt_batch_provide_(const struct pt_system *system, struct pt_batches_ *all);

/* Let the kernel have a buffer for what comes. The first byte of one. */
void pt_batch_give_(struct pt_batches_ *all, unsigned buffer);
char *pt_batch_buffer_(const struct pt_batches_ *all, unsigned buffer);

/* What was written is sent, or lost. */
void pt_batch_drop_(struct pt_batches_ *all, struct pt_batched_ *it);

/* Leave a list; join one, as its last. */
void pt_batch_leave_list_(struct pt_batched_ *it);
void pt_batch_join_list_(struct pt_links_ *list, struct pt_batched_ *it);

/* The connection asks for something in the next wait. One whose send is prepared does so when that
 * has ended. */
void pt_batch_queue_(struct pt_batches_ *all, struct pt_batched_ *it);

/* --- batch.c: what a wait does --------------------------------------------------------------- */

/* Before a wait: prepare what the connections ask for. */
void pt_batch_prepare_(struct pt_system *system);

/* Take a completion; false: it is not of a connection. Take all that are there, and leave the rest
 * to the next wait. */
bool pt_batch_take_(struct pt_system *system, const struct io_uring_cqe *event);
void pt_batch_take_all_(struct pt_system *system);

/* All completions that are there were taken: each other send that was submitted has sent all. */
void pt_batch_sent_(struct pt_system *system);

/* Send what was written, and so far was not, by a call of its own. */
void pt_batch_send_(struct pt_system *system, struct pt_batched_ *it);

/* The connection ends: end its requests. */
void pt_batch_cancel_(struct pt_system *system, struct pt_batched_ *it);

/* --- batch_ring.c: the ring ---------------------------------------------------------------- */

/* Begin with the first connection: whether bytes go by the ring. */
bool pt_batch_open_(struct pt_system *system);

/* --- batched.c: the operations of a connection, as in struct pt_batching_ -------------------- */

extern const struct pt_batching_ pt_batching_;

#endif
#endif
