/* pair.c - socketpair: two connected sockets of one machine, without a network between them
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "calls.h"

#include <errno.h>

enum { ROOM = 65536 };

struct end {
    struct socket socket;
    struct end *peer; /* NULL: it is closed */
    size_t used;
    char bytes[ROOM]; /* which the peer has sent */
};

static unsigned events(struct file *file)
{
    const struct end *end = (struct end *)(void *)file, *peer = end->peer;
    bool over = !peer || peer->socket.shut_write || end->socket.shut_read;

    return (end->used || over ? EPOLLIN | EPOLLRDNORM : 0) | (over ? EPOLLRDHUP : 0) |
           (!peer || end->socket.shut_write || peer->used < ROOM ? EPOLLOUT | EPOLLWRNORM : 0) |
           (!peer || (over && end->socket.shut_write) ? EPOLLHUP : 0) |
           (end->socket.error ? EPOLLERR : 0);
}

ssize_t pair_receive(struct socket *socket, void *data, size_t size, bool peek)
{
    struct end *end = (struct end *)(void *)socket;

    if (socket->error)
        return -socket_take_error(socket);
    if (!end->used)
        return size && end->peer && !end->peer->socket.shut_write && !socket->shut_read ? -EAGAIN
                                                                                        : 0;
    if (size > end->used)
        size = end->used;
    memcpy(data, end->bytes, size);
    if (peek)
        return (ssize_t)size;
    end->used -= size;
    memmove(end->bytes, end->bytes + size, end->used);
    if (end->peer)
        file_changed(&end->peer->socket.file);
    return (ssize_t)size;
}

static ssize_t read_(struct file *file, void *data, size_t size)
{
    return pair_receive((struct socket *)(void *)file, data, size, false);
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    struct socket *socket = (struct socket *)(void *)file;
    struct end *peer = ((struct end *)(void *)file)->peer;

    if (socket->error)
        return -socket_take_error(socket);
    if (!peer || socket->shut_write || peer->socket.shut_read)
        return -EPIPE;
    if (size && peer->used == ROOM)
        return -EAGAIN;
    if (size > ROOM - peer->used)
        size = ROOM - peer->used;
    memcpy(peer->bytes + peer->used, data, size);
    peer->used += size;
    file_changed(&peer->socket.file);
    return (ssize_t)size;
}

/* As in Linux the peer hears of bytes that were not read. */
static void close_(struct file *file, bool crash)
{
    struct end *end = (struct end *)(void *)file;

    if (end->peer) {
        end->peer->peer = NULL;
        end->peer->socket.error = end->used ? ECONNRESET : 0;
        file_changed(&end->peer->socket.file);
    }
    free(end);
}

const struct file_kind pair_kind = {S_IFSOCK, events, read_, write_, close_};

void pair_shut(struct socket *socket)
{
    struct end *peer = ((struct end *)(void *)socket)->peer;

    if (peer)
        file_changed(&peer->socket.file);
}

static struct end *end_new(bool nonblocking)
{
    struct end *end = calloc(1, sizeof *end);

    if (!end)
        abort();
    end->socket.file.kind = &pair_kind;
    end->socket.file.machine = here;
    end->socket.file.nonblocking = nonblocking;
    end->socket.state = CONNECTED;
    end->socket.bound = true;
    end->socket.local.sin_family = end->socket.peer.sin_family = AF_UNIX;
    return end;
}

int call_socketpair(int domain, int type, int protocol, int ends[2])
{
    struct end *one, *other;

    machine_calls();
    if (domain != AF_UNIX || (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM)
        world_unknown("socketpair of domain %d, type %d", domain, type);
    one = end_new(type & SOCK_NONBLOCK);
    other = end_new(type & SOCK_NONBLOCK);
    one->peer = other;
    other->peer = one;
    ends[0] = file_install(&one->socket.file, 0);
    if (ends[0] < 0) {
        free(other);
        return -1;
    }
    ends[1] = file_install(&other->socket.file, 0);
    if (ends[1] >= 0)
        return 0;
    call_close(ends[0]);
    errno = EMFILE;
    return -1;
}
