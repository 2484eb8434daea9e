/* socket.c - the calls of sockets: of TCP and UDP over IPv4, and of Unix
 * SPDX-License-Identifier: MIT */
#include "network.h"

#include "calls.h"

#include <errno.h>
#include <netinet/tcp.h>

static bool is_unix(const struct socket *socket)
{
    return socket->file.kind == &unix_kind;
}

/* --- from its making to a connection --------------------------------------------------------- */

int call_socket(int domain, int type, int protocol)
{
    struct socket *socket;
    int kind;

    machine_calls();
    if (domain != AF_INET && domain != AF_UNIX)
        return (int)result(-EAFNOSUPPORT);
    kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (domain == AF_UNIX && kind == SOCK_STREAM)
        return file_install(&unix_new(type & SOCK_NONBLOCK)->file, 0, type & SOCK_CLOEXEC);
    if ((kind != SOCK_STREAM && kind != SOCK_DGRAM) || domain != AF_INET)
        world_unknown("socket of domain %d, type %d", domain, type);
    socket = socket_new(here, kind == SOCK_STREAM ? &connection_kind : &datagram_kind);
    socket->file.nonblocking = (type & SOCK_NONBLOCK) != 0;
    return file_install(&socket->file, 0, type & SOCK_CLOEXEC);
}

int call_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    struct socket *socket = socket_at(fd);
    struct sockaddr_in name;

    if (!socket)
        return -1;
    if (is_unix(socket))
        return (int)result(unix_bind(socket, address, length));
    if (socket->bound || length < sizeof name || address->sa_family != AF_INET)
        return (int)result(-EINVAL);
    memcpy(&name, address, sizeof name);
    return (int)result(socket_bind(socket, &name));
}

int call_listen(int fd, int most)
{
    struct socket *socket = socket_at(fd);

    if (!socket)
        return -1;
    if (socket->file.kind == &datagram_kind)
        return (int)result(-EOPNOTSUPP);
    if ((socket->state != FRESH && socket->state != LISTENS) || (is_unix(socket) && !socket->bound))
        return (int)result(-EINVAL);
    socket->state = LISTENS;
    socket->backlog = most < 0 || most > 4096 ? 4096 : most + 1;
    if (is_unix(socket))
        return 0;
    socket_bind_any(socket);
    trace(here, "listens at port %d", ntohs(socket->local.sin_port));
    return 0;
}

/* What connect returns while, and after, the connection is made. Behind a failure it can be tried again. */
static ssize_t connecting(struct socket *socket)
{
    int error;

    if (socket->state == CONNECTS)
        return -EAGAIN;
    error = socket_take_error(socket);
    if (socket->state != REFUSED)
        return -error;
    socket->state = FRESH;
    return error ? -error : -ECONNABORTED;
}

int call_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    struct socket *socket = socket_at(fd);
    struct world_machine *to;
    bool datagrams = socket && socket->file.kind == &datagram_kind;
    int done;

    if (!socket)
        return -1;
    if (socket->state != FRESH && !datagrams)
        return (int)result(socket->state == CONNECTS  ? -EALREADY
                           : socket->state == REFUSED ? connecting(socket)
                                                      : -EISCONN);
    if (is_unix(socket))
        return (int)AFTER_WAIT(&socket->file, socket->file.nonblocking,
                               unix_connect(socket, address, length));
    if (length < sizeof socket->peer || address->sa_family != AF_INET)
        return (int)result(-EINVAL);
    memcpy(&socket->peer, address, sizeof socket->peer);
    to = socket_destination(&socket->peer);
    if (!to)
        return (int)result(-ENETUNREACH);
    socket_bind_any(socket);
    socket->local = socket_source(socket, to, &socket->peer);
    socket->to = to;
    socket->state = datagrams ? CONNECTED : CONNECTS;
    if (datagrams)
        return 0;
    connection_begin(socket, to);
    done = (int)AFTER_WAIT(&socket->file, socket->file.nonblocking, connecting(socket));
    if (done && errno == EAGAIN)
        errno = EINPROGRESS;
    return done;
}

static ssize_t accept_one(struct socket *listener)
{
    struct socket *socket = listener->first;

    if (listener->state != LISTENS)
        return -EINVAL;
    if (!socket)
        return -EAGAIN;
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        if (!running->files[fd]) {
            listener->first = socket->next;
            listener->waiting--;
            if (is_unix(listener))
                machine_wake(here); /* another one can connect */
            return file_install(&socket->file, fd, false);
        }
    return -EMFILE;
}

/* What getsockname returns, or, of the PEER, getpeername. */
static int name_socket(const struct socket *socket, bool peer, struct sockaddr *to,
                       socklen_t *length)
{
    if (is_unix(socket))
        return unix_name(socket, peer, to, length);
    return socket_name(peer ? &socket->peer : &socket->local, to, length);
}

int call_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    struct socket *listener = socket_at(fd), *socket;
    int accepted = listener ? (int)AFTER_WAIT(&listener->file, listener->file.nonblocking,
                                              accept_one(listener))
                            : -1;

    if (accepted < 0)
        return -1;
    socket = (struct socket *)(void *)file_of(accepted);
    socket->file.nonblocking = (flags & SOCK_NONBLOCK) != 0;
    running->closes[accepted] = flags & SOCK_CLOEXEC;
    name_socket(socket, true, address, length);
    return accepted;
}

int call_accept(int fd, struct sockaddr *address, socklen_t *length)
{
    return call_accept4(fd, address, length, 0);
}

/* Who waits for a connection hears that none comes. */
static int end_listening(struct socket *socket, int how)
{
    if (how == SHUT_WR)
        return 0;
    if (is_unix(socket))
        world_unknown("shutdown of a Unix socket that listens");
    socket->state = FRESH;
    connections_reset(socket, false);
    file_changed(&socket->file);
    return 0;
}

int call_shutdown(int fd, int how)
{
    struct socket *socket = socket_at(fd);

    if (!socket)
        return -1;
    if (socket->state == LISTENS)
        return end_listening(socket, how);
    if (socket->state != CONNECTED)
        return (int)result(-ENOTCONN);
    socket->shut_read |= how != SHUT_WR;
    socket->shut_write |= how != SHUT_RD;
    if (how != SHUT_RD && socket->connection)
        connection_finish(socket);
    if (is_unix(socket))
        unix_shut(socket);
    file_changed(&socket->file);
    return 0;
}

/* --- names and options ----------------------------------------------------------------------- */

int call_getsockname(int fd, struct sockaddr *name, socklen_t *length)
{
    struct socket *socket = socket_at(fd);

    return socket ? name_socket(socket, false, name, length) : -1;
}

int call_getpeername(int fd, struct sockaddr *name, socklen_t *length)
{
    struct socket *socket = socket_at(fd);

    if (!socket)
        return -1;
    if (socket->state != CONNECTED)
        return (int)result(-ENOTCONN);
    return name_socket(socket, true, name, length);
}

int call_getsockopt(int fd, int level, int option, void *value, socklen_t *length)
{
    struct socket *socket = socket_at(fd);
    bool datagrams = socket && socket->file.kind == &datagram_kind;
    int found;

    if (!socket)
        return -1;
    switch (level == SOL_SOCKET ? option : -1) {
    case SO_ERROR: found = socket_take_error(socket); break;
    case SO_TYPE: found = datagrams ? SOCK_DGRAM : SOCK_STREAM; break;
    case SO_PROTOCOL: found = is_unix(socket) ? 0 : datagrams ? IPPROTO_UDP : IPPROTO_TCP; break;
    case SO_DOMAIN: found = socket->local.sin_family; break;
    case SO_ACCEPTCONN: found = socket->state == LISTENS; break;
    default: world_unknown("getsockopt of level %d, option %d", level, option);
    }
    memcpy(value, &found, sizeof found);
    *length = sizeof found;
    return 0;
}

int call_setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
    struct socket *socket = socket_at(fd);
    struct linger linger;
    int number;

    if (!socket)
        return -1;
    if (level == IPPROTO_TCP && is_unix(socket))
        return (int)result(-EOPNOTSUPP);
    if (length < sizeof number)
        return (int)result(-EINVAL);
    memcpy(&number, value, sizeof number);
    if ((level == IPPROTO_TCP && option == TCP_NODELAY) ||
        socket_set_keep(socket, level, option, (unsigned)number))
        return 0;
    switch (level == SOL_SOCKET ? option : -1) {
    case SO_REUSEADDR: return 0;
    case SO_REUSEPORT: socket->shares = number != 0; return 0;
    case SO_LINGER:
        memcpy(&linger, value, sizeof linger);
        socket->lingers = linger.l_onoff && !linger.l_linger;
        return 0;
    default: world_unknown("setsockopt of level %d, option %d", level, option);
    }
}
