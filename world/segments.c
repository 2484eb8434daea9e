/* segments.c - the network below: segments take time, in order, unless a way is cut
 * SPDX-License-Identifier: MIT
 *
 * A connection has two ways, one toward each of its ends. On a way segments arrive in order. One
 * that a cut keeps from arriving is sent again, later each time, and those behind it wait. */
#include "network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct world *connection_world(const struct connection *connection)
{
    return connection->machines[0]->world;
}

/* --- segments -------------------------------------------------------------------------------- */

uint64_t network_latency(const struct world_machine *from, const struct world_machine *to)
{
    struct world *world = from->world;
    uint64_t span = world->latency_most - world->latency_least;
    uint64_t time = world->latency_least + world_chance(world, span + 1);

    if (from == to)
        return 10 * WORLD_US;
    time *= world->slowness;
    return world_chance(world, 100) ? time : 10 * time;
}

void segment_send(struct connection *connection, int to, enum what what, size_t size, int error)
{
    struct way *way = &connection->ways[to];
    struct segment *segment = calloc(1, sizeof *segment);

    if (!segment)
        abort();
    segment->what = what;
    segment->size = size;
    segment->error = error;
    segment->sent = connection_world(connection)->now;
    segment->arrives =
        segment->sent + network_latency(connection->machines[0], connection->machines[1]);
    if (!way->first)
        event_at(connection_world(connection), &way->event, segment->arrives);
    *way->last = segment;
    way->last = &segment->next;
}

void segment_pop(struct way *way)
{
    struct segment *segment = way->first;

    way->first = segment->next;
    way->tries = 0;
    if (way->first)
        event_at(connection_world(way->connection), &way->event, way->first->arrives);
    else
        way->last = &way->first;
    free(segment);
}

void segments_drop(struct way *way)
{
    while (way->first)
        segment_pop(way);
    event_cancel(connection_world(way->connection), &way->event);
    way->used = way->arrived;
}

void connection_free(struct connection *connection)
{
    *connection->link = connection->next;
    if (connection->next)
        connection->next->link = connection->link;
    for (int i = 0; i < 2; i++) {
        segments_drop(&connection->ways[i]);
        event_cancel(connection_world(connection), &connection->silences[i].event);
        free(connection->ways[i].bytes);
    }
    free(connection);
}

void connection_free_if_over(struct connection *connection)
{
    if (!connection->sockets[0] && !connection->sockets[1] && !connection->ways[0].first &&
        !connection->ways[1].first)
        connection_free(connection);
}

void connection_probe(struct connection *connection, int end, bool refused)
{
    const struct socket *sender = connection->sockets[!end];
    struct way *way = &connection->ways[end];

    if (way->first)
        return;
    if (sender && sender->state == CONNECTS && !connection->ways[!end].first)
        segment_send(connection, end, SYN, 0, 0);
    else if (refused ? sender != NULL : way->used == way->room)
        segment_send(connection, end, DATA, 0, 0);
    if (refused && way->first)
        event_at(connection_world(connection), &way->event, way->first->sent + 200 * WORLD_MS);
}

/* --- sockets at the ends --------------------------------------------------------------------- */

void connection_attach(struct connection *connection, int end, struct socket *socket)
{
    connection->sockets[end] = socket;
    connection->lost[end] = false;
    socket->connection = connection;
    socket->end = end;
    socket->local = connection->addresses[end];
    socket->peer = connection->addresses[!end];
}

void connection_fail(struct connection *connection, int end, int error)
{
    struct socket *socket = connection->sockets[end];

    connection->sockets[end] = NULL;
    connection->lost[end] = true;
    if (!socket)
        return;
    trace(connection->machines[end], "loses its connection with %s: %s",
          connection->machines[!end]->name, strerror(error));
    socket->connection = NULL;
    socket->state = socket->state == CONNECTS ? REFUSED : FAILED;
    socket->error = error;
    file_changed(&socket->file);
}

/* --- what gets through ----------------------------------------------------------------------- */

bool network_cut(const struct world_machine *from, const struct world_machine *to)
{
    return to->state == OFF || to->deaf[from->number / 64] >> from->number % 64 & 1;
}

void world_cut(struct world_machine *from, struct world_machine *to)
{
    trace(to, "no longer hears %s", from->name);
    to->deaf[from->number / 64] |= UINT64_C(1) << from->number % 64;
}

void world_heal(struct world_machine *from, struct world_machine *to)
{
    trace(to, "hears %s again", from->name);
    to->deaf[from->number / 64] &= ~(UINT64_C(1) << from->number % 64);
}
