/* io.c - descriptors: opened, closed, and each operation, tried first
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "poll/poller.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a listener waits for a descriptor when there is none left. */
#define NO_DESCRIPTOR_PAUSE PT_MS(10)

/* --- opening and closing --------------------------------------------------------------------- */

/* Room for a descriptor's slot. */
static bool reserve(struct pt_system *system, int fd)
{
    unsigned count = system->count ? system->count : 64;
    struct pt_slot_ *slots;

    if ((unsigned)fd < system->count)
        return true;
    while (count <= (unsigned)fd)
        count *= 2;
    slots = realloc(system->slots, count * sizeof *slots);
    if (!slots)
        return false;
    memset(slots + system->count, 0, (count - system->count) * sizeof *slots);
    system->slots = slots;
    system->count = count;
    return true;
}

static pt_status fail(struct pt_io *io, int error)
{
    io->error = error;
    return error == ENOMEM ? PT_ENOMEM : PT_EIO;
}

pt_status pt_io_open(struct pt_io *io, struct pt_system *system, int fd)
{
    int flags = fcntl(fd, F_GETFL), error;

    memset(io, 0, sizeof *io);
    io->fd = -1;
    if (flags < 0 || (!(flags & O_NONBLOCK) && fcntl(fd, F_SETFL, flags | O_NONBLOCK)))
        return fail(io, errno);
    if (!reserve(system, fd))
        return PT_ENOMEM;
    error = system->poller->add(system, fd, ++system->slots[fd].generation);
    if (error && error != EPERM)
        return fail(io, error);
    system->slots[fd].io = io;
    io->system = system;
    io->fd = fd;
    io->polled = !error;
    io->readable = io->writable = true;
    io->budget = PT_IO_BUDGET;
    return PT_OK;
}

void pt_io_close(struct pt_io *io)
{
    struct pt_system *system = io->system;

    if (!system)
        return;
    if (io->polled)
        system->poller->remove(system, io->fd);
    system->slots[io->fd].io = NULL;
    close(io->fd);
    io->system = NULL;
    io->fd = -1;
    pt_crowd_serve_(&io->readers, PT_ECLOSED, 0);
    pt_crowd_serve_(&io->writers, PT_ECLOSED, 0);
}

pt_status pt_io_shutdown(struct pt_io *io, int how)
{
    return shutdown(io->fd, how) ? fail(io, errno) : (pt_status)PT_OK;
}

pt_status pt_socket(struct pt_io *io, struct pt_system *system, int domain, int type, int protocol)
{
    int fd = socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    pt_status status;

    if (fd < 0) {
        memset(io, 0, sizeof *io);
        io->fd = -1;
        return fail(io, errno);
    }
    status = pt_io_open(io, system, fd);
    if (status != PT_OK)
        close(fd);
    return status;
}

pt_status pt_listen(struct pt_io *io, struct pt_system *system, const struct sockaddr *address,
                    socklen_t length, bool ports_shared)
{
    pt_status status = pt_socket(io, system, address->sa_family, SOCK_STREAM, 0);
    const int on = 1;
    int error;

    if (status != PT_OK)
        return status;
    if (setsockopt(io->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        (ports_shared && setsockopt(io->fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on)) ||
        bind(io->fd, address, length) || listen(io->fd, SOMAXCONN)) {
        error = errno;
        pt_io_close(io);
        return fail(io, error);
    }
    return PT_OK;
}

/* --- trying ---------------------------------------------------------------------------------- */

/* Wait until the descriptor is ready in a direction, as the system has said that it is not. */
static bool wait_for(struct pt_task *task, struct pt_io *io, bool writable)
{
    if (writable)
        io->writable = false;
    else
        io->readable = false;
    io->budget = PT_IO_BUDGET;
    pt_task_crowd_(task, writable ? &io->writers : &io->readers, PT_WHY_IO);
    return true;
}

/* Before an attempt: whether it is to be made. Else *SUSPEND says whether the task suspends. */
static bool may_try(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable,
                    bool *suspend)
{
    *suspend = false;
    if (!io->system) {
        frame->status = PT_ECLOSED;
        return false;
    }
    if (!(writable ? io->writable : io->readable)) {
        *suspend = wait_for(task, io, writable);
        return false;
    }
    if (!io->budget) {
        io->budget = PT_IO_BUDGET;
        *suspend = true; /* for a turn */
        return false;
    }
    io->budget--;
    return true;
}

/* What an attempt that failed comes to: whether the task suspends. */
static bool failed(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable)
{
    int error = errno;

    if (error == EAGAIN || error == EWOULDBLOCK)
        return wait_for(task, io, writable);
    if (error == EPIPE)
        frame->status = PT_ECLOSED;
    else
        frame->status = fail(io, error);
    return false;
}

/* An attempt moved COUNT bytes of the WANTED. Less than was asked for: it is drained, or full. */
static void moved(struct pt_io *io, size_t count, size_t wanted, bool writable)
{
    if (count == wanted || !io->polled)
        return;
    if (writable)
        io->writable = false;
    else
        io->readable = io->ended;
}

/* --- the operations -------------------------------------------------------------------------- */

static size_t total(const struct iovec *parts, int count)
{
    size_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += parts[i].iov_len;
    return sum;
}

bool pt_io_readv_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                  const struct iovec *parts, int count, size_t *got)
{
    bool suspend;
    ssize_t result;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    do
        result = readv(io->fd, parts, count);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return failed(task, frame, io, false);
    *got = (size_t)result;
    if (!result && total(parts, count))
        frame->status = PT_ECLOSED;
    else
        moved(io, *got, total(parts, count), false);
    return false;
}

bool pt_io_read_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data, size_t size,
                 size_t *got)
{
    bool suspend;
    ssize_t result;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    do
        result = read(io->fd, data, size);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return failed(task, frame, io, false);
    *got = (size_t)result;
    if (!result && size)
        frame->status = PT_ECLOSED;
    else
        moved(io, *got, size, false);
    return false;
}

/* To a socket, without the signal of a broken pipe; sendmsg is not for other descriptors. */
static ssize_t put_parts(int fd, const struct iovec *parts, int count)
{
    struct msghdr message;
    ssize_t result;

    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    do
        result = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (result < 0 && errno == EINTR);
    if (result < 0 && errno == ENOTSOCK)
        do
            result = writev(fd, parts, count);
        while (result < 0 && errno == EINTR);
    return result;
}

bool pt_io_writev_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                   const struct iovec *parts, int count, size_t *put)
{
    bool suspend;
    ssize_t result;

    *put = 0;
    if (!may_try(task, frame, io, true, &suspend))
        return suspend;
    result = put_parts(io->fd, parts, count);
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

bool pt_io_accept_(struct pt_task *task, struct pt *frame, struct pt_io *io, struct pt_io *peer)
{
    bool suspend;
    int fd;

    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    do
        fd = accept4(io->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
        task->node.at += NO_DESCRIPTOR_PAUSE;
        return true;
    }
    if (fd < 0)
        return failed(task, frame, io, false);
    frame->status = pt_io_open(peer, io->system, fd);
    if (frame->status != PT_OK)
        close(fd);
    return false;
}

bool pt_io_connect_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                    const struct sockaddr *address, socklen_t length)
{
    bool suspend;
    int result;

    if (!may_try(task, frame, io, true, &suspend))
        return suspend;
    do
        result = connect(io->fd, address, length);
    while (result && errno == EINTR);
    if (!result || errno == EISCONN)
        return false;
    if (errno == EINPROGRESS || errno == EALREADY)
        return wait_for(task, io, true);
    return failed(task, frame, io, true);
}

bool pt_io_recvfrom_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data,
                     size_t size, size_t *got, struct sockaddr_storage *from)
{
    socklen_t length = sizeof *from;
    bool suspend;
    ssize_t result;

    *got = 0;
    if (!may_try(task, frame, io, false, &suspend))
        return suspend;
    do
        result = recvfrom(io->fd, data, size, 0, (struct sockaddr *)from, &length);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return failed(task, frame, io, false);
    *got = (size_t)result;
    return false;
}

bool pt_io_sendto_(struct pt_task *task, struct pt *frame, struct pt_io *io, const void *data,
                   size_t size, const struct sockaddr *to, socklen_t length)
{
    bool suspend;
    ssize_t result;

    if (!may_try(task, frame, io, true, &suspend))
        return suspend;
    do
        result = sendto(io->fd, data, size, MSG_NOSIGNAL, to, length);
    while (result < 0 && errno == EINTR);
    return result < 0 && failed(task, frame, io, true);
}

bool pt_io_ready_(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable)
{
    bool suspend;

    if (may_try(task, frame, io, writable, &suspend) && io->polled) {
        if (writable) /* the caller tries, and comes back if it was in vain */
            io->writable = false;
        else
            io->readable = false;
    }
    return suspend;
}
