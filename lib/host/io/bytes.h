/* bytes.h - the end of the input, and a write that raises no signal
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_BYTES_H
#define PT_LIB_BYTES_H

#include "../poll/poller.h"
#include "../poll/probe.h"
#include "../../socket.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Whether a read of 0 bytes has found the end, and not an empty message. */
static inline bool is_end(struct pt_io *io)
{
    socklen_t length = sizeof(int);
    int type, unread;

    if (!io->socket || io->stream || getsockopt(io->fd, SOL_SOCKET, SO_TYPE, &type, &length))
        return true;
    if (type == SOCK_SEQPACKET) /* has both: a message may follow an empty one */
        return pt_probe_gone_(io) && !ioctl(io->fd, FIONREAD, &unread) && !unread;
    return type == SOCK_STREAM;
}

/* Read. */
static inline ssize_t get_bytes(struct pt_io *io, void *data, size_t size)
{
    const struct iovec part = {data, size};

    return io->batched ? io->system->poller->batching->read(io, &part, 1)
                       : read(io->fd, data, size);
}

static inline ssize_t get_parts(struct pt_io *io, const struct iovec *parts, int count)
{
    return io->batched ? io->system->poller->batching->read(io, parts, count)
                       : readv(io->fd, parts, count);
}

/* Write; to a socket without SIGPIPE. */
static inline ssize_t put_parts(struct pt_io *io, const struct iovec *parts, int count)
{
    if (io->batched)
        return io->system->poller->batching->write(io, parts, count);
    return io->socket ? pt_socket_send_(io->fd, parts, count) : writev(io->fd, parts, count);
}

#endif
