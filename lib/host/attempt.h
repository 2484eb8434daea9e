/* attempt.h - what comes before and after each attempt of an operation
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_ATTEMPT_H
#define PT_LIB_ATTEMPT_H

#include "poll/poller.h"

#include <errno.h>

/* How long a task rests before it tries again what the system has no room for. */
#define PT_IO_PAUSE_ PT_MS(10)

/* Suspend until the descriptor is ready in a direction, as the system has said that it is not. */
static inline bool wait_for(struct pt_task *task, struct pt_io *io, bool writable)
{
    if (writable)
        io->writable = false;
    else
        io->readable = false;
    io->done = 0;
    io->opcode = PT_OP_PARK;
    pt_task_wait_in_list_(task, writable ? &io->writers : &io->readers, PT_WHY_IO);
    return true;
}

/* Suspend for a turn, or for a while. */
static inline bool let_others_run(struct pt_io *io)
{
    io->done = 0;
    io->opcode = PT_OP_YIELD;
    return true;
}

static inline bool rest_for_a_while(struct pt_task *task, struct pt_io *io)
{
    pt_wait_(task, PT_IO_PAUSE_);
    io->opcode = PT_OP_WAIT;
    return true;
}

/* Whether a descriptor is ready: what is known may be out of date, so the system is asked. */
static inline bool is_ready(const struct pt_io *io, bool writable)
{
    struct pollfd state;
    int count;

    if (!io->polled)
        return true;
    state.fd = io->fd;
    state.events = writable ? POLLOUT : POLLIN;
    do
        count = poll(&state, 1, 0);
    while (count < 0 && errno == EINTR); /* a signal says nothing of the descriptor */
    return count != 0;
}

/* Before an attempt: whether it is to be made. Else *SUSPEND says whether the task suspends. */
static inline bool may_try(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable,
                           bool *suspend)
{
    *suspend = false;
    if (!io->system)
        frame->status = PT_ECLOSED;
    else if (!(writable ? io->writable : io->readable))
        *suspend = wait_for(task, io, writable);
    else if (pt_io_share_is_over_(io))
        *suspend = let_others_run(io);
    else
        return true;
    return false;
}

/* What an attempt that failed comes to: whether the task suspends. */
static inline bool failed(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable)
{
    int error = errno;

    if (error == EAGAIN || error == EWOULDBLOCK)
        return wait_for(task, io, writable);
    if (error == EINTR)
        return let_others_run(io);
    frame->status = error == EPIPE ? (pt_status)PT_ECLOSED : pt_io_fail_(io, error);
    return false;
}

/* An attempt moved COUNT bytes of the WANTED. Less than was asked for: it is drained, or full. */
static inline void moved(struct pt_io *io, size_t count, size_t wanted, bool writable)
{
    if (count == wanted || !io->stream)
        return;
    if (writable)
        io->writable = false;
    else
        io->readable = io->ended;
}

#endif
