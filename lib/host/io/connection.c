/* connection.c - accept, make, watch and finish connections
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "attempt.h"
#include "../poll/probe.h"
#include "../../socket.h"

#include <pt/host/stream.h>

#include <netinet/in.h>
#include <unistd.h>

/* --- listen and accept ----------------------------------------------------------------------- */

static bool set_on(int fd, int level, int option, int on)
{
    return !setsockopt(fd, level, option, &on, sizeof on);
}

pt_status pt_io_listen_(struct pt_io *io, struct pt_system *system, const struct sockaddr *address,
                        socklen_t length, unsigned options)
{
    pt_status status = pt_socket(io, system, address->sa_family, SOCK_STREAM, 0);
    int error;

    if (status != PT_OK)
        return status;
    if (!set_on(io->fd, SOL_SOCKET, SO_REUSEADDR, 1) ||
        (options & PT_LISTEN_SHARED_ && !set_on(io->fd, SOL_SOCKET, SO_REUSEPORT, 1)) ||
        (options & PT_LISTEN_BOTH_ && !set_on(io->fd, IPPROTO_IPV6, IPV6_V6ONLY, 0)) ||
        bind(io->fd, address, length) || listen(io->fd, SOMAXCONN)) {
        error = errno;
        pt_io_close(io);
        return pt_io_refuse_(io, pt_io_fail_(io, error), error);
    }
    return PT_OK;
}

pt_status pt_listen(struct pt_io *io, struct pt_system *system, const struct sockaddr *address,
                    socklen_t length, bool ports_shared)
{
    return pt_io_listen_(io, system, address, length, ports_shared ? PT_LISTEN_SHARED_ : 0);
}

/* Whether an accept failed because the system has no room for a connection now. */
static bool no_room(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM ||
           error == ENOSPC;
}

/* Whether it failed because the connection is gone: accept(2) of Linux reports its errors, too. */
static bool gone(int error)
{
    switch (error) {
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENOPROTOOPT:
#ifdef ENONET
    case ENONET:
#endif
    case ETIMEDOUT:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH: return true;
    default: return false;
    }
}

/* The connection that IO holds, or the next one. */
static int take_connection(struct pt_io *io)
{
    int fd = io->held;

    io->held = -1;
    return fd >= 0 ? fd : pt_socket_accept_(io->fd);
}

static bool no_room_for_one(struct pt_task *task, struct pt_io *io)
{
    io->system->refused++;
    return retry_later(task, io);
}

bool pt_io_accept_(struct pt_task *task, struct pt *frame, struct pt_io *io, struct pt_io *peer)
{
    pt_status status;
    bool suspend;
    int fd, error;

    pt_io_clear_(peer);
    if (!may_try(task, frame, io, false, &suspend, "PT_ACCEPT"))
        return suspend;
    fd = take_connection(io);
    if (fd < 0 && gone(errno))
        return let_others_run(io);
    if (fd < 0 && no_room(errno))
        return no_room_for_one(task, io);
    if (fd < 0)
        return failed(task, frame, io, false);
    status = pt_io_adopt_(peer, io->system, fd, io->stream ? PT_IO_TCP_ : PT_IO_SOCKET_);
    if (status == PT_OK)
        return false;
    error = peer->error;
    if (no_room(error)) {
        io->held = fd;
        return no_room_for_one(task, io);
    }
    close(fd);
    frame->status = status == PT_EIO ? pt_io_fail_(io, error) : status;
    return false;
}

/* --- connect --------------------------------------------------------------------------------- */

/* The error of a connect in progress. Another connect reports it, too: on Linux, for TCP. */
static int earlier_error(const struct pt_io *io)
{
#if defined(__linux__) && !defined(PT_PLAIN_UNIX)
    const bool told = io->stream;
#else
    const bool told = false;
#endif
    socklen_t length = sizeof(int);
    int error = 0;

    return !told && getsockopt(io->fd, SOL_SOCKET, SO_ERROR, &error, &length) ? errno : error;
}

/* Connect, or ask what has become of that: 0 or an errno. */
static int connect_step(struct pt_io *io, const struct sockaddr *address, socklen_t length)
{
    int error = io->connecting ? earlier_error(io) : 0;

    if (!error && connect(io->fd, address, length))
        error = errno;
    if (io->connecting && error == EISCONN)
        error = 0;
    if (io->connecting && error == EALREADY)
        error = EINPROGRESS;
    io->connecting = error == EINPROGRESS || error == EINTR;
    return error;
}

/* A connect in progress can lead to another address. Nothing undoes it on every system. */
pt_status pt_io_may_connect_(struct pt_io *io)
{
    return io->system && io->connecting ? pt_io_fail_(io, EALREADY) : (pt_status)PT_OK;
}

bool pt_io_connect_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                    const struct sockaddr *address, socklen_t length)
{
    bool suspend;
    int error;

    if (!may_try(task, frame, io, true, &suspend, "PT_CONNECT"))
        return suspend;
    error = connect_step(io, address, length);
    if (!error)
        return false;
    if (error == EINPROGRESS) {
        io->ended = false; /* it was set before the socket began to connect */
        return wait_for(task, io, true);
    }
    if (error == EAGAIN && address->sa_family == AF_UNIX)
        return retry_later(task, io); /* its listener has no room: no poller reports that */
    if (error == EAGAIN) { /* no port is left, on some systems: no poller reports that, either */
        frame->status = pt_io_fail_(io, error);
        return false;
    }
    errno = error;
    return failed(task, frame, io, true);
}

pt_status pt_io_shutdown(struct pt_io *io, int how)
{
    if (!io->system)
        return pt_io_closed_(io, "pt_io_shutdown");
    if (io->batched && how != SHUT_RD && !io->system->poller->batching->shut(io)) {
        if (how == SHUT_WR)
            return PT_OK;
        how = SHUT_RD;
    }
    return shutdown(io->fd, how) ? pt_io_fail_(io, errno) : (pt_status)PT_OK;
}

/* --- ready or not ---------------------------------------------------------------------------- */

bool pt_io_ready_(struct pt_task *task, struct pt *frame, struct pt_io *io, bool writable)
{
    const char *name = writable ? "PT_WAIT_WRITABLE" : "PT_WAIT_READABLE";
    bool suspend;

    if (!may_wait(task, frame, io, writable, &suspend, name))
        return suspend;
    return !pt_probe_ready_(io, writable) && wait_for(task, io, writable);
}

/* --- whether the other side is there --------------------------------------------------------- */

bool pt_io_hangup_(struct pt_task *task, struct pt *frame, struct pt_io *io)
{
    if (!io->system) {
        frame->status = pt_io_closed_(io, "PT_WAIT_HANGUP");
        return false;
    }
    pt_io_arrives_(io);
    if (pt_io_share_is_over_(io))
        return let_others_run(io);
    if (pt_probe_gone_(io))
        return false;
    io->done = 0;
    io->opcode = PT_OP_PARK;
    wait_in(task, io, &io->hangups);
    return true;
}

/* --- in a select ----------------------------------------------------------------------------- */

static bool take(struct pt_case_ *it, struct pt *frame, bool writable)
{
    struct pt_io *io = it->target;
    bool *known = writable ? &io->writable : &io->readable;

    if (!io->system) {
        frame->status = pt_io_closed_(io, writable ? "PT_CASE_WRITABLE" : "PT_CASE_READABLE");
        return true;
    }
    *known = (*known || pt_io_arrives_(io)) && pt_probe_ready_(io, writable);
    if (io->batched && !*known)
        io->system->poller->batching->want(io, writable);
    return *known;
}

static bool take_readable(struct pt_case_ *it, struct pt *frame)
{
    return take(it, frame, false);
}

static bool take_writable(struct pt_case_ *it, struct pt *frame)
{
    return take(it, frame, true);
}

static bool take_hangup(struct pt_case_ *it, struct pt *frame)
{
    struct pt_io *io = it->target;

    if (!io->system) {
        frame->status = pt_io_closed_(io, "PT_CASE_HANGUP");
        return true;
    }
    pt_io_arrives_(io);
    return pt_probe_gone_(io);
}

void pt_case_hangup_(struct pt_task *task, struct pt_io *io)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(take_hangup, PT_CASE_IN_LIST_, offsetof(struct pt_io, hangups));

    pt_case_add_(task, &kind, io, NULL);
}

void pt_case_io_(struct pt_task *task, struct pt_io *io, bool writable)
{
    static const struct pt_case_kind_ kinds[] = {
        PT_CASE_KIND_(take_readable, PT_CASE_IN_LIST_, offsetof(struct pt_io, readers)),
        PT_CASE_KIND_(take_writable, PT_CASE_IN_LIST_, offsetof(struct pt_io, writers))};

    pt_case_add_(task, &kinds[writable], io, NULL);
}

/* --- the end --------------------------------------------------------------------------------- */

PT_ASYNC(pt_finish, self)
{
    PT_NEEDS_FIELD_(self, io, "pt_finish");
    self->pt.status = pt_io_shutdown(self->io, SHUT_WR);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    do
        PT_READ(self->io, self->data, sizeof self->data, &self->step);
    while (self->pt.status == PT_OK);
    if (self->pt.status != PT_ECLOSED)
        PT_RETURN(self->pt.status);
    PT_FINALLY
    pt_io_close(self->io);
}
PT_END
