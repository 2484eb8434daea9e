/* io.c - what is done with a descriptor: each operation, tried first
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "poll/poller.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* How long a task rests before it tries again what the system has no room for. */
#define PAUSE PT_MS(10)

/* --- trying ---------------------------------------------------------------------------------- */

/* Suspend until the descriptor is ready in a direction, as the system has said that it is not. */
static bool wait_for(struct pt_task *task, struct pt_io *io, bool writable)
{
    if (writable)
        io->writable = false;
    else
        io->readable = false;
    io->budget = PT_IO_BUDGET;
    io->rest = PT_OP_PARK;
    pt_task_crowd_(task, writable ? &io->writers : &io->readers, PT_WHY_IO);
    return true;
}

/* Suspend for a turn, or for a while. */
static bool let_others_run(struct pt_io *io)
{
    io->budget = PT_IO_BUDGET;
    io->rest = PT_OP_YIELD;
    return true;
}

static bool rest_for_a_while(struct pt_task *task, struct pt_io *io)
{
    pt_wait_(task, PAUSE);
    io->rest = PT_OP_WAIT;
    return true;
}

/* Before an attempt: whether it is to be made. Else *SUSPEND says whether the task suspends. */
static bool may_try(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable,
                    bool *suspend)
{
    *suspend = false;
    if (!io->system)
        frame->status = PT_ECLOSED;
    else if (!(writable ? io->writable : io->readable))
        *suspend = wait_for(task, io, writable);
    else if (!io->budget)
        *suspend = let_others_run(io);
    else
        return io->budget--;
    return false;
}

/* What an attempt that failed comes to: whether the task suspends. */
static bool failed(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable)
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
static void moved(struct pt_io *io, size_t count, size_t wanted, bool writable)
{
    if (count == wanted || !io->stream)
        return;
    if (writable)
        io->writable = false;
    else
        io->readable = io->ended;
}

/* --- bytes ----------------------------------------------------------------------------------- */

static size_t total(const struct iovec *parts, int count)
{
    size_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += parts[i].iov_len;
    return sum;
}

/* A read of WANTED bytes gave RESULT. */
static bool was_read(struct pt_task *task, struct pt *frame, struct pt_io *io, ssize_t result,
                     size_t wanted, size_t *got)
{
    if (result < 0)
        return failed(task, frame, io, false);
    *got = (size_t)result;
    if (!result && wanted)
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
    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    return was_read(task, frame, io, readv(io->fd, parts, count), total(parts, count), got);
}

bool pt_io_read_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data, size_t size,
                 size_t *got)
{
    bool suspend;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    return was_read(task, frame, io, read(io->fd, data, size), size, got);
}

/* To a socket without the signal of a broken pipe. */
static ssize_t put_parts(const struct pt_io *io, const struct iovec *parts, int count)
{
    struct msghdr message;

    if (!io->socket)
        return writev(io->fd, parts, count);
    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    return sendmsg(io->fd, &message, MSG_NOSIGNAL);
}

bool pt_io_writev_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                   const struct iovec *parts, int count, size_t *put)
{
    bool suspend;
    ssize_t result;

    *put = 0;
    if (!may_try(task, frame, io, true, &suspend))
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

/* --- connections ----------------------------------------------------------------------------- */

/* An accept failed for what is not the listener's: there is no room for a connection just now. */
static bool no_room(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
           error == ENOSPC;
}

/* Or it is of one connection, which is gone: accept(2) of Linux reports its errors, too. */
static bool gone(int error)
{
    switch (error) {
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENOPROTOOPT:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH: return true;
    default: return false;
    }
}

bool pt_io_accept_(struct pt_task *task, struct pt *frame, struct pt_io *io, struct pt_io *peer)
{
    pt_status status;
    bool suspend;
    int fd, error;

    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    fd = accept4(io->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && gone(errno))
        return let_others_run(io);
    if (fd < 0 && no_room(errno))
        return rest_for_a_while(task, io);
    if (fd < 0)
        return failed(task, frame, io, false);
    status = pt_io_adopt_(peer, io->system, fd, io->stream ? PT_IO_CONNECTION_ : PT_IO_SOCKET_);
    if (status == PT_OK)
        return false;
    error = peer->error;
    close(fd);
    if (no_room(error))
        return rest_for_a_while(task, io);
    frame->status = status == PT_EIO ? pt_io_fail_(io, error) : status;
    return false;
}

bool pt_io_connect_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                    const struct sockaddr *address, socklen_t length)
{
    socklen_t size = sizeof errno;
    int error = 0;
    bool suspend;

    if (!may_try(task, frame, io, true, &suspend))
        return suspend;
    /* What an earlier attempt has come to: not every system tells that by connect. */
    if (!getsockopt(io->fd, SOL_SOCKET, SO_ERROR, &error, &size) && !error)
        error = connect(io->fd, address, length) ? errno : 0;
    if (!error || error == EISCONN)
        return false;
    if (error == EINPROGRESS || error == EALREADY)
        return wait_for(task, io, true);
    if (error == EAGAIN) /* too many wait at a Unix socket, of which no poller tells */
        return rest_for_a_while(task, io);
    errno = error;
    return failed(task, frame, io, true);
}

/* --- datagrams, and what others do ------------------------------------------------------------ */

bool pt_io_recvfrom_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data,
                     size_t size, size_t *got, struct sockaddr_storage *from)
{
    socklen_t length = sizeof *from;
    bool suspend;
    ssize_t result;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    result = recvfrom(io->fd, data, size, 0, (struct sockaddr *)from, &length);
    if (result < 0)
        return failed(task, frame, io, false);
    *got = (size_t)result;
    return false;
}

bool pt_io_sendto_(struct pt_task *task, struct pt *frame, struct pt_io *io, const void *data,
                   size_t size, const struct sockaddr *to, socklen_t length)
{
    bool suspend;

    if (!may_try(task, frame, io, true, &suspend))
        return suspend;
    return sendto(io->fd, data, size, MSG_NOSIGNAL, to, length) < 0 &&
           failed(task, frame, io, true);
}

bool pt_io_ready_(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable)
{
    struct pollfd state;
    bool suspend;

    if (!may_try(task, frame, io, writable, &suspend) || !io->polled)
        return suspend;
    state.fd = io->fd;
    state.events = writable ? POLLOUT : POLLIN;
    return !poll(&state, 1, 0) && wait_for(task, io, writable);
}
