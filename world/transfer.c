/* transfer.c - bytes through sockets: a socket as a file, and the calls that send and receive
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "calls.h"

#include <errno.h>

enum { SENDFILE = 16384 /* bytes of a file, at most */ };

/* --- as a file ------------------------------------------------------------------------------- */

static unsigned events(struct file *file)
{
    const struct socket *socket = (struct socket *)(void *)file;
    bool ended;

    switch (socket->state) {
    case LISTENS: return socket->first ? EPOLLIN | EPOLLRDNORM : 0;
    case CONNECTS: return 0;
    case FRESH: return EPOLLOUT | EPOLLHUP;
    case FAILED: return EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP | (socket->error ? EPOLLERR : 0);
    case CONNECTED: break;
    }
    ended = connection_ended(socket) || socket->shut_read;
    return (ended || connection_readable(socket) ? EPOLLIN | EPOLLRDNORM : 0) |
           (socket->shut_write || connection_room(socket) ? EPOLLOUT | EPOLLWRNORM : 0) |
           (ended ? EPOLLRDHUP : 0) | (ended && socket->shut_write ? EPOLLHUP : 0);
}

int socket_take_error(struct socket *socket)
{
    int error = socket->error;

    socket->error = 0;
    return error;
}

static ssize_t receive(struct socket *socket, void *data, size_t size, bool peek)
{
    if (socket->error)
        return -socket_take_error(socket);
    if (socket->state == FAILED)
        return 0;
    if (socket->state != CONNECTED)
        return socket->state == CONNECTS ? -EAGAIN : -ENOTCONN;
    if (connection_readable(socket))
        return (ssize_t)connection_read(socket, data, size, peek);
    return !size || connection_ended(socket) || socket->shut_read ? 0 : -EAGAIN;
}

static ssize_t read_(struct file *file, void *data, size_t size)
{
    return receive((struct socket *)(void *)file, data, size, false);
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    struct socket *socket = (struct socket *)(void *)file;

    if (socket->error)
        return -socket_take_error(socket);
    if (socket->state == FAILED || socket->shut_write)
        return -EPIPE;
    if (socket->state != CONNECTED)
        return socket->state == CONNECTS ? -EAGAIN : -ENOTCONN;
    if (size && !connection_room(socket))
        return -EAGAIN;
    return (ssize_t)connection_write(socket, data, size);
}

static void close_(struct file *file, bool crash)
{
    struct socket *socket = (struct socket *)(void *)file, *next;

    for (struct socket *waiting = socket->first; waiting; waiting = next) {
        next = waiting->next;
        waiting->lingers = true;
        close_(&waiting->file, crash);
    }
    if (socket->connection && crash)
        connection_lose(socket);
    else if (socket->connection)
        connection_close(socket, socket->lingers || socket->state == CONNECTS);
    free(socket);
}

const struct file_kind socket_kind = {S_IFSOCK, events, read_, write_, close_};

/* --- data ------------------------------------------------------------------------------------ */

ssize_t call_recv(int fd, void *data, size_t size, int flags)
{
    struct socket *socket = socket_at(fd);

    if (flags & ~(MSG_PEEK | MSG_DONTWAIT | MSG_NOSIGNAL))
        world_unknown("recv with flags %#x", (unsigned)flags);
    return socket ? AFTER_WAIT(socket->file.nonblocking || flags & MSG_DONTWAIT,
                               receive(socket, data, size, flags & MSG_PEEK))
                  : -1;
}

ssize_t call_recvfrom(int fd, void *data, size_t size, int flags, struct sockaddr *from,
                      socklen_t *length)
{
    if (from)
        *length = 0; /* a stream has no sender */
    return call_recv(fd, data, size, flags);
}

ssize_t call_recvmsg(int fd, struct msghdr *message, int flags)
{
    if (message->msg_iovlen != 1)
        world_unknown("recvmsg into more than one part");
    message->msg_namelen = 0;
    message->msg_controllen = 0;
    message->msg_flags = 0;
    return call_recv(fd, message->msg_iov->iov_base, message->msg_iov->iov_len, flags);
}

ssize_t call_send(int fd, const void *data, size_t size, int flags)
{
    struct socket *socket = socket_at(fd);
    ssize_t sent;

    if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE))
        world_unknown("send with flags %#x", (unsigned)flags);
    sent = socket ? AFTER_WAIT(socket->file.nonblocking || flags & MSG_DONTWAIT,
                               write_(&socket->file, data, size))
                  : -1;
    if (sent < 0 && errno == EPIPE && !(flags & MSG_NOSIGNAL))
        call_raise(SIGPIPE);
    return sent;
}

ssize_t call_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to,
                    socklen_t length)
{
    return call_send(fd, data, size, flags);
}

ssize_t call_sendmsg(int fd, const struct msghdr *message, int flags)
{
    ssize_t sum = 0;

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
