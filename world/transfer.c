/* transfer.c - the calls that send and receive bytes through sockets
 * SPDX-License-Identifier: MIT */
#include "network.h"

#include "calls.h"

#include <errno.h>

enum { SENDFILE = 16384 /* bytes of a file, at most */ };

static ssize_t stream_receive(struct socket *socket, void *data, size_t size, bool peek)
{
    return socket->file.kind == &unix_kind ? unix_receive(socket, data, size, peek)
                                           : connection_receive(socket, data, size, peek);
}

/* FROM is the sender of a datagram, and CUT whether there was no room for all of it. */
static ssize_t receive_from(int fd, void *data, size_t size, int flags, struct sockaddr_in *from,
                            bool *cut)
{
    struct socket *socket = socket_at(fd);
    bool peek = flags & MSG_PEEK, datagrams = socket && socket->file.kind == &datagram_kind;

    if (flags & ~(MSG_PEEK | MSG_DONTWAIT | MSG_NOSIGNAL))
        world_unknown("recv with flags %#x", (unsigned)flags);
    *cut = false;
    from->sin_family = AF_UNSPEC;
    return socket ? AFTER_WAIT(&socket->file, socket->file.nonblocking || flags & MSG_DONTWAIT,
                               datagrams ? datagram_receive(socket, data, size, peek, from, cut)
                                         : stream_receive(socket, data, size, peek))
                  : -1;
}

ssize_t call_recv(int fd, void *data, size_t size, int flags)
{
    struct sockaddr_in from;
    bool cut;

    return receive_from(fd, data, size, flags, &from, &cut);
}

/* A stream has no sender. */
ssize_t call_recvfrom(int fd, void *data, size_t size, int flags, struct sockaddr *from,
                      socklen_t *length)
{
    struct sockaddr_in sender;
    bool cut;
    ssize_t got = receive_from(fd, data, size, flags, &sender, &cut);

    if (from && sender.sin_family == AF_INET)
        socket_name(&sender, from, length);
    else if (from)
        *length = 0;
    return got;
}

ssize_t call_recvmsg(int fd, struct msghdr *message, int flags)
{
    bool cut;
    struct sockaddr_in sender;
    ssize_t got;

    if (message->msg_iovlen != 1)
        world_unknown("recvmsg into more than one part");
    got = receive_from(fd, message->msg_iov->iov_base, message->msg_iov->iov_len, flags, &sender,
                       &cut);
    if (sender.sin_family == AF_INET)
        socket_name(&sender, message->msg_name, &message->msg_namelen);
    else
        message->msg_namelen = 0;
    message->msg_controllen = 0;
    message->msg_flags = cut ? MSG_TRUNC : 0;
    return got;
}

ssize_t call_send(int fd, const void *data, size_t size, int flags)
{
    struct socket *socket = socket_at(fd);
    ssize_t sent;

    if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE))
        world_unknown("send with flags %#x", (unsigned)flags);
    sent = socket ? file_write(&socket->file, socket->file.nonblocking || flags & MSG_DONTWAIT,
                               data, size)
                  : -1;
    if (sent < 0 && errno == EPIPE && !(flags & MSG_NOSIGNAL))
        call_raise(SIGPIPE);
    return sent;
}

ssize_t call_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to,
                    socklen_t length)
{
    struct iovec part = {(void *)(uintptr_t)data, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_namelen = length};

    message.msg_name = (void *)(uintptr_t)to;
    return call_sendmsg(fd, &message, flags);
}

ssize_t call_sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct socket *socket = socket_at(fd);
    ssize_t sum = 0;

    if (message->msg_controllen)
        world_unknown("sendmsg with what is no data");
    if (socket && socket->file.kind == &datagram_kind)
        return result(datagram_send(socket, message));
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        const struct iovec *part = &message->msg_iov[i];
        ssize_t sent = call_send(fd, part->iov_base, part->iov_len, flags);

        if (sent < 0)
            return sum ? sum : -1;
        sum += sent;
        if ((size_t)sent < part->iov_len)
            break;
    }
    return sum;
}

ssize_t call_sendfile(int to, int from, off_t *offset, size_t size)
{
    char data[SENDFILE];
    ssize_t got = call_pread(from, data, size < sizeof data ? size : sizeof data, *offset), sent;

    if (got <= 0)
        return got;
    sent = call_write(to, data, (size_t)got);
    *offset += sent > 0 ? sent : 0;
    return sent;
}
