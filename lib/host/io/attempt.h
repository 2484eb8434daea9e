/* attempt.h - the steps before and after each attempt of an operation
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_ATTEMPT_H
#define PT_LIB_ATTEMPT_H

#include "descriptor.h"
#include "../../needs.h"

#include <errno.h>

/* How long a task waits before it tries again when the system has no room. */
#define PT_IO_PAUSE_ PT_MS(10)

/* Wait in a list of a pt_io. A snapshot of the loop shows the descriptor. */
static inline void wait_in(struct pt_task *task, struct pt_io *io, struct pt_wait_list_ *list)
{
    pt_task_wait_in_list_(task, list, PT_WHY_IO);
    task->waiter.item = io;
}

/* The system has reported that a descriptor is not ready in a direction: suspend until it is. */
static inline bool wait_for(struct pt_task *task, struct pt_io *io, bool writable)
{
    struct pt_slot_ *slot = pt_io_slot_(io);

    PT_NEEDS_(!slot || pt_slot_has_(slot, io), "the pt_io is a copy of an open one: see pt_io_take",
              "a wait for a descriptor");
    if (writable)
        io->writable = false;
    else
        io->readable = false;
    if (io->batched)
        io->system->poller->batching->want(io, writable);
    io->done = 0;
    io->opcode = PT_OP_PARK;
    wait_in(task, io, writable ? &io->writers : &io->readers);
    return true;
}

/* Suspend for a turn. */
static inline bool let_others_run(struct pt_io *io)
{
    io->done = 0;
    io->opcode = PT_OP_YIELD;
    return true;
}

/* Suspend for PT_IO_PAUSE_. */
static inline bool retry_later(struct pt_task *task, struct pt_io *io)
{
    pt_wait_(task, PT_IO_PAUSE_);
    io->opcode = PT_OP_WAIT;
    return true;
}

/* Before an attempt of NAME, an operation or a wait: whether to make it. If not, *SUSPEND is
 * whether the task must suspend. */
static inline bool may_wait(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable,
                            bool *suspend, const char *name)
{
    *suspend = false;
    if (!io->system)
        frame->status = pt_io_closed_(io, name);
    else if (!(writable ? io->writable : io->readable) && !pt_io_arrives_(io))
        *suspend = wait_for(task, io, writable);
    else if (pt_io_share_is_over_(io))
        *suspend = let_others_run(io);
    else
        return true;
    return false;
}

/* Stop the operation NAME, which reads or writes, on an IO that only waits. */
static inline void check_owner(const struct pt_io *io, const char *name)
{
    PT_NEEDS_(!io->borrowed, "the pt_io is borrowed, it only waits: see pt_io_borrow", name);
}

/* The same for what reads or writes. */
static inline bool may_try(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable,
                           bool *suspend, const char *name)
{
    check_owner(io, name);
    return may_wait(task, frame, io, writable, suspend, name);
}

/* After a failed attempt: whether the task must suspend. */
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

/* An attempt moved COUNT of WANTED bytes. If COUNT is less, the descriptor is drained, or full. */
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
