/* arrival.c - where a segment arrives: a socket takes it, or nobody does, or it is lost and sent again
 * SPDX-License-Identifier: MIT
 *
 *     connect                          accept                    close, and the end is read
 *        ├───── SYN ────►                ▲                             ├── FIN ──►
 *        │  no listener: RST             │
 *        ◄──── SYNACK ───┴── a socket in the listener's queue */
#include "network.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { LOSSES = 16, SYN_LOSSES = 7 };

/* Of several that share a port, one by the seed, as by the addresses in Linux. */
static struct socket *find_listener(const struct world_machine *machine, in_port_t port)
{
    struct files files = {machine->processes, 0};
    struct socket *found = NULL;
    uint64_t count = 0;

    for (struct file *file; (file = files_next(&files));) {
        struct socket *socket = (struct socket *)(void *)file;

        if (S_ISSOCK(file->kind->mode) && socket->state == LISTENS &&
            socket->local.sin_family == AF_INET && socket->local.sin_port == port &&
            (!count++ || !world_chance(machine->world, count)))
            found = socket;
    }
    return found;
}

/* A SYN arrives: false if the queue is full, as if it was lost. */
static bool welcome(struct connection *connection)
{
    struct world_machine *machine = connection->machines[1];
    struct socket *listener = find_listener(machine, connection->addresses[1].sin_port);
    const char *peer = connection->machines[0]->name;
    uint64_t sent = connection->ways[1].first->sent;
    struct socket *socket, **last;

    if (!listener) {
        trace_message(machine, connection->machines[0], sent, "refuses a connection of %s", peer);
        segment_send(connection, 0, REFUSAL, 0, ECONNREFUSED);
        return true;
    }
    if (listener->waiting >= listener->backlog) {
        tally(TALLY_NO_PLACE, true);
        trace_message(machine, connection->machines[0], sent, "has no place for a connection of %s",
                      peer);
        return false;
    }
    socket = socket_new(machine, listener->file.kind);
    socket->state = CONNECTED;
    memcpy(socket->keep, listener->keep, sizeof socket->keep);
    connection_attach(connection, 1, socket);
    connection_hears(connection, 1);
    connection_keep(socket);
    for (last = &listener->first; *last;)
        last = &(*last)->next;
    *last = socket;
    listener->waiting++;
    trace_message(machine, connection->machines[0], sent, "queues a connection of %s", peer);
    segment_send(connection, 0, SYNACK, 0, 0);
    file_changed(&listener->file);
    return true;
}

/* The first segment of a way was lost: it is sent again, or the sender gives up. */
static void lose(struct way *way, int to)
{
    struct connection *connection = way->connection;
    struct world *world = connection_world(connection);
    struct world_machine *from = connection->machines[!to];
    struct segment *segment = way->first;
    enum what what = segment->what;
    uint64_t again = (what == SYN ? WORLD_S : 200 * WORLD_MS)
                     << (way->tries < 10 ? way->tries : 10),
             end;

    way->lost_at = way->tries ? way->lost_at : world->now;
    end = way_is_given_up(way);
    tally(TALLY_LOST, true);
    trace_message(connection->machines[to], from, segment->sent, "misses a segment of %s",
                  from->name);
    if (what == RST || what == REFUSAL) {
        segment_pop(way);
        connection_probe(connection, !to, what == REFUSAL);
    } else if (++way->tries > (what == SYN ? SYN_LOSSES : LOSSES) || world->now >= end) {
        segments_drop(way);
        connection_fail(connection, !to, ETIMEDOUT);
    } else {
        again = world->now + (again < 120 * WORLD_S ? again : 120 * WORLD_S);
        event_at(world, &way->event, again < end ? again : end);
        segment->sent = way->event.at - world->latency_least;
    }
}

/* What a segment does to the socket that it arrives at. */
static void take(struct way *way, int to)
{
    struct connection *connection = way->connection;
    struct socket *socket = connection->sockets[to];
    const struct segment *segment = way->first;
    struct world_machine *machine = connection->machines[to], *from = connection->machines[!to];

    connection_hears(connection, to);
    if (!network_cut(machine, from)) /* it is acknowledged */
        connection_hears(connection, !to);
    switch (segment->what) {
    case SYN: break;
    case SYNACK:
        trace_message(machine, from, segment->sent, "is connected to %s", from->name);
        socket->state = CONNECTED;
        connection_keep(socket);
        break;
    case DATA:
        trace_message(machine, from, segment->sent, "receives %zu bytes from %s", segment->size,
                      from->name);
        way->arrived += segment->size;
        break;
    case FIN:
        trace_message(machine, from, segment->sent, "hears the end of %s", from->name);
        way->ended = true;
        break;
    case RST:
    case REFUSAL:
        trace_message(machine, from, segment->sent, "hears a reset of %s", from->name);
        connection_fail(connection, to, segment->error);
        return;
    }
    file_changed(&socket->file);
}

/* A segment arrives at an end without a socket: whoever goes on there hears that it is gone. */
static void refuse(struct way *way, int to)
{
    struct connection *connection = way->connection;
    struct world_machine *from = connection->machines[!to];
    enum what what = way->first->what;

    if (what == SYNACK || what == DATA || (what == FIN && connection->lost[to])) {
        trace_message(connection->machines[to], from, way->first->sent, "refuses a segment of %s",
                      from->name);
        segment_send(connection, !to, REFUSAL, 0, ECONNRESET);
    }
    if (what == DATA)
        way->used -= way->first->size;
}

void segment_arrive(struct event *event)
{
    struct way *way = (struct way *)(void *)((char *)event - offsetof(struct way, event));
    struct connection *connection = way->connection;
    int to = way == &connection->ways[1];
    struct world_machine *from = connection->machines[!to], *machine = connection->machines[to];
    bool open = connection->sockets[to] != NULL, back = !network_cut(machine, from);

    if (network_cut(from, machine) || (!open && !back) ||
        (way->first->what == SYN && !welcome(connection))) {
        lose(way, to);
    } else {
        if (open)
            take(way, to);
        else
            refuse(way, to);
        segment_pop(way);
    }
    connection_free_if_over(connection);
}
