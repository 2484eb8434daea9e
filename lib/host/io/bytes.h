/* bytes.h - the end of the input, and a write that raises no signal
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_BYTES_H
#define PT_LIB_BYTES_H

#include "../poll/probe.h"
#include "../../socket.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

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

/* Write; to a socket without SIGPIPE. */
static inline ssize_t put_parts(const struct pt_io *io, const struct iovec *parts, int count)
{
    struct msghdr message;

    if (!io->socket)
        return writev(io->fd, parts, count);
    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    return sendmsg(io->fd, &message, PT_NO_SIGNAL_);
}

#endif
