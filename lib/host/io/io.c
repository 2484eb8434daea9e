/* io.c - read and write bytes and datagrams
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "attempt.h"
#include "../poll/probe.h"
#include "../../socket.h"

#include <pt/host/stream.h>

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* --- bytes ----------------------------------------------------------------------------------- */

static size_t total(const struct iovec *parts, int count)
{
    size_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += parts[i].iov_len;
    return sum;
}

/* Whether a read of 0 bytes has found the end, and not an empty message. */
static bool is_end(struct pt_io *io)
{
    socklen_t length = sizeof(int);
    int type, unread;

    if (!io->socket || io->stream || getsockopt(io->fd, SOL_SOCKET, SO_TYPE, &type, &length))
        return true;
    if (type == SOCK_SEQPACKET) /* has both: a message may follow an empty one */
        return pt_probe_gone_(io) && !ioctl(io->fd, FIONREAD, &unread) && !unread;
    return type == SOCK_STREAM;
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
    return was_read(task, frame, io, readv(io->fd, parts, count), total(parts, count), got);
}

bool pt_io_read_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data, size_t size,
                 size_t *got)
{
    bool suspend;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend, "PT_READ"))
        return suspend;
    return was_read(task, frame, io, read(io->fd, data, size), size, got);
}

/* Write; to a socket without SIGPIPE. */
static ssize_t put_parts(const struct pt_io *io, const struct iovec *parts, int count)
{
    struct msghdr message;

    if (!io->socket)
        return writev(io->fd, parts, count);
    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    return sendmsg(io->fd, &message, PT_NO_SIGNAL_);
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

/* --- as a stream ------------------------------------------------------------------------------ */

/* PT_OK if IO may be tried now, PT_EAGAIN if the task must wait first. */
static pt_status may_move(struct pt_io *io, bool writing)
{
    const char *name = writing ? "a write to its stream" : "a read of its stream";

    check_owner(io, name);
    if (!io->system)
        return pt_io_closed_(io, name);
    if (!(writing ? io->writable : io->readable) && !pt_io_arrives_(io))
        return PT_EAGAIN;
    return PT_OK;
}

/* The code of an attempt that has failed. */
static pt_status not_moved(struct pt_io *io, bool writing)
{
    int error = errno;

    if (error == EAGAIN || error == EWOULDBLOCK)
        *(writing ? &io->writable : &io->readable) = false;
    if (error == EAGAIN || error == EWOULDBLOCK || error == EINTR)
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
    result = read(io->fd, data, size);
    if (result < 0)
        return not_moved(io, false);
    if (!result && is_end(io))
        return PT_ECLOSED;
    *got = (size_t)result;
    moved(io, *got, size, false);
    return PT_OK;
}

static pt_status try_write(void *object, const void *data, size_t size, size_t *put)
{
    struct pt_io *io = (struct pt_io *)object;
    const struct iovec part = {(void *)(uintptr_t)data, size};
    pt_status status = may_move(io, true);
    ssize_t result;

    if (status != PT_OK)
        return status;
    result = put_parts(io, &part, 1);
    if (result < 0)
        return not_moved(io, true);
    *put = (size_t)result;
    moved(io, *put, size, true);
    return PT_OK;
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
    static const struct pt_stream_ops ops = {try_read, try_write, prepare_wait};
    struct pt_stream stream;

    stream.ops = &ops;
    stream.object = io;
    return stream;
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
    result = recvmsg(io->fd, &message, 0);
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
    if (sendto(io->fd, data, size, PT_NO_SIGNAL_, to, length) >= 0)
        return false;
    if (errno == EAGAIN &&
        pt_probe_ready_(io, true)) /* a peer's queue is full, which no poller reports */
        return retry_later(task, io);
    return failed(task, frame, io, true);
}
