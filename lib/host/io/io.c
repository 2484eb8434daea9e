/* io.c - read and write bytes and datagrams
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "attempt.h"
#include "bytes.h"
#include "../poll/probe.h"
#include "../../socket.h"

#include <string.h>
#include <unistd.h>

/* --- bytes ----------------------------------------------------------------------------------- */

static size_t total(const struct iovec *parts, int count)
{
    size_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += parts[i].iov_len;
    return sum;
}

/* A read of WANTED bytes returned RESULT: whether the task must suspend. */
static bool was_read(struct pt_task *task, struct pt *frame, struct pt_io *io, ssize_t result,
                     size_t wanted, size_t *got)
{
    if (result < 0)
        return failed(task, frame, io, false);
    *got = (size_t)result;
    if (!result && wanted && is_end(io))
        frame->status = PT_ECLOSED;
    else
        moved(io, *got, wanted, false);
    return false;
}

bool pt_io_readv_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                  const struct iovec *parts, int count, size_t *got)
{
    bool suspend;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend, "PT_READV"))
        return suspend;
    return was_read(task, frame, io, get_parts(io, parts, count), total(parts, count), got);
}

bool pt_io_read_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data, size_t size,
                 size_t *got)
{
    bool suspend;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend, "PT_READ"))
        return suspend;
    return was_read(task, frame, io, get_bytes(io, data, size), size, got);
}

bool pt_io_writev_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                   const struct iovec *parts, int count, size_t *put)
{
    bool suspend;
    ssize_t result;

    *put = 0;
    if (!may_try(task, frame, io, true, &suspend, "PT_WRITE"))
        return suspend;
    result = put_parts(io, parts, count);
    if (result < 0)
        return failed(task, frame, io, true);
    *put = (size_t)result;
    moved(io, *put, total(parts, count), true);
    return false;
}

bool pt_io_write_(struct pt_task *task, struct pt *frame, struct pt_io *io, const void *data,
                  size_t size, size_t *put)
{
    const struct iovec part = {(void *)(uintptr_t)data, size};

    return pt_io_writev_(task, frame, io, &part, 1, put);
}

/* --- datagrams ------------------------------------------------------------------------------- */

bool pt_io_recvfrom_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data,
                     size_t size, size_t *got, struct sockaddr_storage *from)
{
    struct iovec part = {data, size};
    struct msghdr message;
    bool suspend;
    ssize_t result;

    *got = 0;
    if (from)
        memset(from, 0, sizeof *from);
    if (!may_try(task, frame, io, false, &suspend, "PT_RECVFROM"))
        return suspend;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_name = from;
    message.msg_namelen = from ? sizeof *from : 0;
    result = io->batched ? get_bytes(io, data, size) : recvmsg(io->fd, &message, 0);
    if (was_read(task, frame, io, result, size, got))
        return true;
    if (result >= 0 && message.msg_flags & MSG_TRUNC)
        frame->status = PT_ERANGE;
    return false;
}

bool pt_io_sendto_(struct pt_task *task, struct pt *frame, struct pt_io *io, const void *data,
                   size_t size, const struct sockaddr *to, socklen_t length)
{
    bool suspend;

    if (!may_try(task, frame, io, true, &suspend, "PT_SENDTO"))
        return suspend;
    if (io->batched && !io->system->poller->batching->flush(io))
        return failed(task, frame, io, true);
    if (sendto(io->fd, data, size, PT_NO_SIGNAL_, to, length) >= 0)
        return false;
    if (errno == EAGAIN &&
        pt_probe_ready_(io, true)) /* a peer's queue is full, which no poller reports */
        return retry_later(task, io);
    return failed(task, frame, io, true);
}
