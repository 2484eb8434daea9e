/* stream.c - a descriptor as a stream: what readers and writers read and write
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "attempt.h"
#include "bytes.h"

#include <pt/host/stream.h>

#include <unistd.h>

/* IO is not ready in a direction: PT_EAGAIN. The task need not wait for it, and can try again when
 * something else has run: the system has to tell then. */
static pt_status not_ready(struct pt_io *io, bool writing)
{
    *(writing ? &io->writable : &io->readable) = false;
    if (io->batched)
        io->system->poller->batching->want(io, writing);
    return PT_EAGAIN;
}

/* PT_OK if IO may be tried now, PT_EAGAIN if the task must wait first. */
static pt_status may_move(struct pt_io *io, bool writing)
{
    const char *name = writing ? "a write to its stream" : "a read of its stream";

    check_owner(io, name);
    if (!io->system)
        return pt_io_closed_(io, name);
    if (!(writing ? io->writable : io->readable) && !pt_io_arrives_(io))
        return not_ready(io, writing);
    return PT_OK;
}

/* The code of an attempt that has failed. */
static pt_status not_moved(struct pt_io *io, bool writing)
{
    int error = errno;

    if (error == EAGAIN || error == EWOULDBLOCK)
        return not_ready(io, writing);
    if (error == EINTR)
        return PT_EAGAIN;
    return error == EPIPE ? (pt_status)PT_ECLOSED : pt_io_fail_(io, error);
}

static pt_status try_read(void *object, void *data, size_t size, size_t *got)
{
    struct pt_io *io = (struct pt_io *)object;
    pt_status status = may_move(io, false);
    ssize_t result;

    if (status != PT_OK)
        return status;
    result = get_bytes(io, data, size);
    if (result < 0)
        return not_moved(io, false);
    if (!result && is_end(io))
        return PT_ECLOSED;
    *got = (size_t)result;
    moved(io, *got, size, false);
    return PT_OK;
}

static pt_status try_parts(void *object, const struct iovec *parts, int count, size_t *put)
{
    struct pt_io *io = (struct pt_io *)object;
    pt_status status = may_move(io, true);
    size_t size = 0;
    ssize_t result;

    if (status != PT_OK)
        return status;
    result = put_parts(io, parts, count);
    if (result < 0)
        return not_moved(io, true);
    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    *put = (size_t)result;
    moved(io, *put, size, true);
    return PT_OK;
}

static pt_status try_write(void *object, const void *data, size_t size, size_t *put)
{
    const struct iovec part = {(void *)(uintptr_t)data, size};

    return try_parts(object, &part, 1, put);
}

/* Waits until the poller reports IO; after EINTR only for a turn. */
static PT_ASYNC(pt_stream_wait_, self)
{
    if (!self->io->system) /* closed meanwhile: the next attempt says so */
        PT_RETURN(PT_OK);
    if (self->writing ? self->io->writable : self->io->readable)
        PT_YIELD();
    else
        PT_PARK_IF_(wait_for(pt_current_, self->io, self->writing));
    PT_RETURN(self->pt.status);
}
PT_END

static struct pt *prepare_wait(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    PT_INIT(spare, pt_stream_wait_, .io = (struct pt_io *)object, .writing = writing);
    return &spare->pt;
}

struct pt_stream pt_io_stream(struct pt_io *io)
{
    static const struct pt_stream_ops ops = {try_read, try_write, prepare_wait, try_parts};
    struct pt_stream stream;

    stream.ops = &ops;
    stream.object = io;
    return stream;
}
