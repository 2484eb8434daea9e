/* probe.c - questions to poll(2) about one descriptor
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "probe.h"

#include "poller.h"

#include <errno.h>
#include <sys/socket.h>

/* Ask for EVENTS, without waiting: what poll(2) returns, and in *REPORTED the events. */
static int ask(const struct pt_io *io, short events, short *reported)
{
    struct pollfd state = {io->fd, events, 0};
    int count;

    do
        count = poll(&state, 1, 0);
    while (count < 0 && errno == EINTR); /* a signal tells nothing about the descriptor */
    *reported = state.revents;
    return count;
}

bool pt_probe_ready_(const struct pt_io *io, bool writable)
{
    int known = io->batched ? io->system->poller->batching->knows(io, writable) : -1;
    short reported;

    if (known >= 0)
        return known;
    return !io->polled || io->held >= 0 || ask(io, writable ? POLLOUT : POLLIN, &reported) != 0;
}

#if !PT_POLLRDHUP_
/* Whether a read would find the end. If there is nothing to read, mark the descriptor not readable:
 * the poller then reports what comes next, which can be the end. */
static bool reads_end(struct pt_io *io)
{
    socklen_t length = sizeof(int);
    ssize_t got;
    char byte;
    int type;

    if (!io->socket || getsockopt(io->fd, SOL_SOCKET, SO_TYPE, &type, &length) ||
        (type != SOCK_STREAM && type != SOCK_SEQPACKET))
        return false;
    got = recv(io->fd, &byte, 1, MSG_PEEK);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        io->readable = false;
    return !got;
}
#else
#define reads_end(io) ((void)(io), false)
#endif

bool pt_probe_gone_(struct pt_io *io)
{
    short reported;
    int count;

    if (!io->polled)
        return false;
    count = ask(io, POLLHUP | PT_POLLRDHUP_, &reported); /* macOS reports POLLHUP only when asked */
    if (count > 0 && io->socket && reported == POLLERR)
        count = 0; /* its error queue has a message, or a datagram was refused */
    return count > 0 || reads_end(io);
}
