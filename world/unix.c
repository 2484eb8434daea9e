/* unix.c - Unix sockets: pairs, and those with a name on the disk; no network is between them
 * SPDX-License-Identifier: MIT
 *
 * A name is there until somebody removes it, as in Linux: also if nobody listens there any more. */
#include "disk.h"
#include "network.h"

#include "calls.h"

#include <errno.h>
#include <sys/un.h>

enum { ROOM = 65536 };

struct end {
    struct socket socket;
    struct end *peer;    /* NULL: there is none yet, or it is closed */
    struct inode *inode; /* its name on the disk; NULL: it has none */
    struct sockaddr_un name, peer_name;
    size_t used;
    char bytes[ROOM]; /* which the peer has sent */
};

static unsigned events(struct file *file)
{
    const struct end *end = (struct end *)(void *)file, *peer = end->peer;
    bool over = !peer || peer->socket.shut_write || end->socket.shut_read;

    if (end->socket.state != CONNECTED)
        return end->socket.state != LISTENS ? EPOLLOUT | EPOLLHUP
               : end->socket.first          ? EPOLLIN | EPOLLRDNORM
                                            : 0;
    return (end->used || over ? EPOLLIN | EPOLLRDNORM : 0) | (over ? EPOLLRDHUP : 0) |
           (!peer || end->socket.shut_write || peer->used < ROOM ? EPOLLOUT | EPOLLWRNORM : 0) |
           (!peer || (over && end->socket.shut_write) ? EPOLLHUP : 0) |
           (end->socket.error ? EPOLLERR : 0);
}

ssize_t unix_receive(struct socket *socket, void *data, size_t size, bool peek)
{
    struct end *end = (struct end *)(void *)socket;

    if (socket->state != CONNECTED)
        return -EINVAL;
    if (!end->used && socket->error)
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
        file_became(&end->peer->socket.file, EPOLLOUT | EPOLLWRNORM);
    return (ssize_t)size;
}

static ssize_t read_(struct file *file, void *data, size_t size)
{
    return unix_receive((struct socket *)(void *)file, data, size, false);
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    struct socket *socket = (struct socket *)(void *)file;
    struct end *peer = ((struct end *)(void *)file)->peer;

    if (socket->state != CONNECTED)
        return -ENOTCONN;
    if (!peer || socket->shut_write || peer->socket.shut_read)
        return -EPIPE;
    if (size && peer->used == ROOM)
        return -EAGAIN;
    if (size > ROOM - peer->used)
        size = ROOM - peer->used;
    memcpy(peer->bytes + peer->used, data, size);
    peer->used += size;
    file_became(&peer->socket.file, EPOLLIN | EPOLLRDNORM);
    return (ssize_t)size;
}

/* The peer hears of an ERROR, if it is not 0. */
static void part(struct end *end, int error)
{
    if (end->peer) {
        end->peer->peer = NULL;
        end->peer->socket.error = error;
        file_changed(&end->peer->socket.file);
    }
    free(end);
}

/* As in Linux the peer hears of bytes that were not read, and one that nobody has accepted of a reset. */
static void close_(struct file *file, bool crash)
{
    struct end *end = (struct end *)(void *)file;
    struct inode *inode = end->inode;

    for (struct socket *next, *waiting = end->socket.first; waiting; waiting = next) {
        next = waiting->next;
        part((struct end *)(void *)waiting, ECONNRESET);
    }
    if (inode) {
        inode->bound = NULL;
        inode->users--;
        disk_sweep(file->machine);
    }
    part(end, end->used ? ECONNRESET : 0);
}

const struct file_kind unix_kind = {S_IFSOCK, events, read_, write_, close_};

void unix_shut(struct socket *socket)
{
    struct end *peer = ((struct end *)(void *)socket)->peer;

    if (peer)
        file_changed(&peer->socket.file);
}

static struct end *end_new(struct world_machine *machine, bool nonblocking)
{
    struct end *end = calloc(1, sizeof *end);

    if (!end)
        abort();
    end->socket.file.kind = &unix_kind;
    end->socket.file.machine = machine;
    end->socket.file.flags = O_RDWR;
    end->socket.file.nonblocking = nonblocking;
    end->socket.local.sin_family = end->name.sun_family = end->peer_name.sun_family = AF_UNIX;
    return end;
}

static void join(struct end *one, struct end *other)
{
    one->peer = other;
    other->peer = one;
    one->peer_name = other->name;
    other->peer_name = one->name;
    one->socket.state = other->socket.state = CONNECTED;
}

int call_socketpair(int domain, int type, int protocol, int ends[2])
{
    struct end *one, *other;

    machine_calls();
    if (domain != AF_UNIX || (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM)
        world_unknown("socketpair of domain %d, type %d", domain, type);
    one = end_new(here, type & SOCK_NONBLOCK);
    other = end_new(here, type & SOCK_NONBLOCK);
    join(one, other);
    ends[0] = file_install(&one->socket.file, 0, type & SOCK_CLOEXEC);
    if (ends[0] < 0) {
        free(other);
        return -1;
    }
    ends[1] = file_install(&other->socket.file, 0, type & SOCK_CLOEXEC);
    if (ends[1] >= 0)
        return 0;
    call_close(ends[0]);
    errno = EMFILE;
    return -1;
}

/* --- names ----------------------------------------------------------------------------------- */

struct socket *unix_new(bool nonblocking)
{
    return &end_new(here, nonblocking)->socket;
}

/* The name in an address: 0 or -errno. */
static int name_of(struct sockaddr_un *name, const struct sockaddr *address, socklen_t length)
{
    memset(name, 0, sizeof *name);
    if (address->sa_family != AF_UNIX || length <= offsetof(struct sockaddr_un, sun_path) ||
        length > sizeof *name)
        return -EINVAL;
    memcpy(name, address, length);
    if (!name->sun_path[0])
        world_unknown("a Unix socket whose name is not on the disk");
    return strnlen(name->sun_path, sizeof name->sun_path) < sizeof name->sun_path ? 0 : -EINVAL;
}

int unix_bind(struct socket *socket, const struct sockaddr *address, socklen_t length)
{
    struct end *end = (struct end *)(void *)socket;
    struct sockaddr_un name;
    int error = name_of(&name, address, length);

    if (error)
        return error;
    if (end->inode || inode_find(here, name.sun_path))
        return inode_find(here, name.sun_path) ? -EADDRINUSE : -EINVAL;
    end->name = name;
    end->inode = inode_create(here, name.sun_path);
    end->inode->bound = socket;
    end->inode->is_socket = true;
    end->inode->users++;
    socket->bound = true;
    return 0;
}

ssize_t unix_connect(struct socket *socket, const struct sockaddr *address, socklen_t length)
{
    struct sockaddr_un name;
    int error = name_of(&name, address, length);
    const struct inode *inode = error ? NULL : inode_find(here, name.sun_path);
    struct socket *listener = inode ? inode->bound : NULL, **last;
    struct end *end;

    if (error || !inode)
        return error ? error : -ENOENT;
    if (!listener || listener->state != LISTENS)
        return -ECONNREFUSED;
    if (listener->waiting >= listener->backlog)
        return -EAGAIN;
    end = end_new(listener->file.machine, false);
    end->name = name;
    join((struct end *)(void *)socket, end);
    for (last = &listener->first; *last;)
        last = &(*last)->next;
    *last = &end->socket;
    listener->waiting++;
    trace(here, "connects to %s", name.sun_path);
    file_changed(&listener->file);
    return 0;
}

int unix_name(const struct socket *socket, bool peer, struct sockaddr *to, socklen_t *length)
{
    const struct end *end = (const struct end *)(const void *)socket;
    const struct sockaddr_un *name = peer ? &end->peer_name : &end->name;
    size_t path = strlen(name->sun_path);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path + (path > 0));

    if (!to)
        return 0;
    memcpy(to, name, *length < size ? *length : size);
    *length = size;
    return 0;
}
