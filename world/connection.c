/* connection.c - TCP for sockets: a connection begins, takes bytes, gives bytes, ends
 * SPDX-License-Identifier: MIT */
#include "network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>

enum { SEGMENT = 1448 };

/* Mostly kilobytes; of one connection in eight so few that most writes are short. */
static size_t room_of(struct world *world)
{
    return (size_t)(world_chance(world, 8) ? 2048 + world_chance(world, 63488)
                                           : 1 + world_chance(world, 2000));
}

void connection_begin(struct socket *socket, struct world_machine *to)
{
    struct world_machine *from = socket->file.machine;
    struct connection *connection = calloc(1, sizeof *connection);

    if (!connection)
        abort();
    connection->machines[0] = from;
    connection->machines[1] = to;
    connection->addresses[0] = socket->local;
    connection->addresses[1] = socket->peer;
    for (int i = 0; i < 2; i++) {
        struct way *way = &connection->ways[i];

        way->connection = connection;
        way->event.fire = segment_arrive;
        way->last = &way->first;
        way->room = room_of(from->world);
        way->bytes = malloc(way->room);
        if (!way->bytes)
            abort();
    }
    connection->next = from->world->connections;
    connection->link = &from->world->connections;
    if (connection->next)
        connection->next->link = &connection->next;
    from->world->connections = connection;
    connection_attach(connection, 0, socket);
    trace(from, "connects to %s, port %d", to->name, ntohs(socket->peer.sin_port));
    segment_send(connection, 1, SYN, 0, 0);
}

static struct way *way_in(const struct socket *socket)
{
    return &socket->connection->ways[socket->end];
}

static struct way *way_out(const struct socket *socket)
{
    return &socket->connection->ways[!socket->end];
}

static size_t readable(const struct socket *socket)
{
    return way_in(socket)->arrived;
}

static bool has_ended(const struct socket *socket)
{
    return way_in(socket)->ended;
}

static size_t room_left(const struct socket *socket)
{
    return way_out(socket)->room - way_out(socket)->used;
}

static size_t take(struct socket *socket, void *data, size_t size, bool peek)
{
    struct way *way = way_in(socket);
    struct socket *peer = socket->connection->sockets[!socket->end];

    if (size > way->arrived)
        size = way->arrived;
    memcpy(data, way->bytes, size);
    if (peek)
        return size;
    way->arrived -= size;
    way->used -= size;
    memmove(way->bytes, way->bytes + size, way->used);
    if (peer)
        file_changed(&peer->file);
    return size;
}

static size_t put(struct socket *socket, const void *data, size_t size)
{
    struct way *way = way_out(socket);
    struct world *world = socket->file.machine->world;
    size_t room = room_left(socket), piece;

    if (size > room) {
        tally(TALLY_SHORT, room > 0);
        size = room;
    }
    memcpy(way->bytes + way->used, data, size);
    way->used += size;
    for (size_t left = size; left; left -= piece) {
        piece = world_chance(world, 2) ? SEGMENT : 1 + world_chance(world, SEGMENT);
        if (piece > left)
            piece = left;
        segment_send(socket->connection, !socket->end, DATA, piece, 0);
    }
    return size;
}

void connection_finish(struct socket *socket)
{
    if (!way_out(socket)->finished)
        segment_send(socket->connection, !socket->end, FIN, 0, 0);
    way_out(socket)->finished = true;
}

static void leave(struct socket *socket, bool reset)
{
    struct connection *connection = socket->connection;

    if (!reset && !readable(socket))
        connection_finish(socket);
    else
        segment_send(connection, !socket->end, RST, 0, ECONNRESET);
    connection->lost[socket->end] = reset;
    connection->sockets[socket->end] = NULL;
    connection_free_if_over(connection);
}

/* What is being sent again is no more sent; what is under way still arrives. */
static void lose(struct socket *socket)
{
    struct connection *connection = socket->connection;

    if (way_out(socket)->tries)
        segments_drop(way_out(socket));
    connection_probe(connection, socket->end, false);
    connection->lost[socket->end] = true;
    connection->sockets[socket->end] = NULL;
    connection_free_if_over(connection);
}

static void close_(struct file *file, bool crash);

void connections_reset(struct socket *listener, bool crash)
{
    while (listener->first) {
        struct socket *waiting = listener->first;

        listener->first = waiting->next;
        waiting->lingers = true;
        close_(&waiting->file, crash);
    }
    listener->waiting = 0;
}

/* --- as a file ------------------------------------------------------------------------------- */

static unsigned events(struct file *file)
{
    const struct socket *socket = (struct socket *)(void *)file;
    bool ended;

    switch (socket->state) {
    case LISTENS: return socket->first ? EPOLLIN | EPOLLRDNORM : 0;
    case CONNECTS: return 0;
    case FRESH: return EPOLLOUT | EPOLLHUP;
    case REFUSED:
    case FAILED: return EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP | (socket->error ? EPOLLERR : 0);
    case CONNECTED: break;
    }
    ended = has_ended(socket) || socket->shut_read;
    return (ended || readable(socket) ? EPOLLIN | EPOLLRDNORM : 0) |
           (socket->shut_write || room_left(socket) ? EPOLLOUT | EPOLLWRNORM : 0) |
           (ended ? EPOLLRDHUP : 0) | (ended && socket->shut_write ? EPOLLHUP : 0);
}

ssize_t connection_receive(struct socket *socket, void *data, size_t size, bool peek)
{
    if (socket->error)
        return -socket_take_error(socket);
    if (socket->state == REFUSED || socket->state == FAILED)
        return 0;
    if (socket->state != CONNECTED)
        return socket->state == CONNECTS ? -EAGAIN : -ENOTCONN;
    if (readable(socket))
        return (ssize_t)take(socket, data, size, peek);
    return !size || has_ended(socket) || socket->shut_read ? 0 : -EAGAIN;
}

static ssize_t read_(struct file *file, void *data, size_t size)
{
    return connection_receive((struct socket *)(void *)file, data, size, false);
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    struct socket *socket = (struct socket *)(void *)file;

    if (socket->error)
        return -socket_take_error(socket);
    if (socket->state == REFUSED || socket->state == FAILED || socket->shut_write)
        return -EPIPE;
    if (socket->state != CONNECTED)
        return socket->state == CONNECTS ? -EAGAIN : -EPIPE;
    if (size && !room_left(socket))
        return -EAGAIN;
    return (ssize_t)put(socket, data, size);
}

static void close_(struct file *file, bool crash)
{
    struct socket *socket = (struct socket *)(void *)file;

    connections_reset(socket, crash);
    if (socket->connection && crash)
        lose(socket);
    else if (socket->connection)
        leave(socket, socket->lingers || socket->state == CONNECTS);
    free(socket);
}

const struct file_kind connection_kind = {S_IFSOCK, events, read_, write_, close_};

/* --- all connections ------------------------------------------------------------------------- */

void connections_free(struct world *world)
{
    while (world->connections)
        connection_free(world->connections);
}

static bool is_between(const struct connection *connection, const struct world_machine *one,
                       const struct world_machine *other)
{
    return (connection->machines[0] == one && connection->machines[1] == other) ||
           (connection->machines[0] == other && connection->machines[1] == one);
}

bool connections_between(const struct world_machine *one, const struct world_machine *other)
{
    struct connection *each = one->world->connections;

    while (each && !is_between(each, one, other))
        each = each->next;
    return each != NULL;
}

/* --- for tests ------------------------------------------------------------------------------- */

void world_reset(struct world_machine *one, struct world_machine *other)
{
    struct connection *next;

    for (struct connection *each = one->world->connections; each; each = next) {
        next = each->next;
        if (!is_between(each, one, other))
            continue;
        connection_fail(each, 0, ECONNRESET);
        connection_fail(each, 1, ECONNRESET);
        segments_drop(&each->ways[0]);
        segments_drop(&each->ways[1]);
        connection_free_if_over(each);
    }
}
