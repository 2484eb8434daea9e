/* keep.c - what TCP does about a peer of which nothing is heard: SO_KEEPALIVE, TCP_USER_TIMEOUT
 * SPDX-License-Identifier: MIT
 *
 * An acknowledgement takes no time, so the answer to a question is there at once, or never. */
#include "network.h"

#include <errno.h>
#include <netinet/tcp.h>

/* Whether neither way between both ends is cut. */
static bool answers(const struct connection *connection)
{
    const struct world_machine *one = connection->machines[0], *other = connection->machines[1];

    return !network_cut(one, other) && !network_cut(other, one);
}

static uint64_t user_timeout(const struct socket *socket)
{
    return socket->keep[USER_TIMEOUT] * WORLD_MS;
}

/* Whether the peer, of which nothing was heard for so long, is given up. */
static bool is_enough(const struct socket *socket, const struct silence *silence)
{
    uint64_t most = user_timeout(socket);

    if (most)
        return silence->asked && connection_world(socket->connection)->now - silence->heard >= most;
    return silence->asked >= socket->keep[KEEP_COUNT];
}

/* Ask the peer; when it is asked again, or told to be gone. A machine that has the connection no more resets it. */
static void ask(struct event *event)
{
    struct silence *silence =
        (struct silence *)(void *)((char *)event - offsetof(struct silence, event));
    struct connection *connection = silence->connection;
    struct world *world = connection_world(connection);
    int end = silence == &connection->silences[1];
    const struct socket *socket = connection->sockets[end];
    uint64_t idle, next;

    if (!socket || socket->state != CONNECTED || !socket->keep[KEEP_ALIVE])
        return;
    idle = socket->keep[KEEP_IDLE] * WORLD_S;
    next = connection->ways[!end].first ? world->now + idle : silence->heard + idle;
    if (next > world->now) { /* or what is under way is sent again: way_is_given_up */
        event_at(world, event, next);
    } else if (is_enough(socket, silence)) {
        connection_fail(connection, end, ETIMEDOUT);
        connection_free_if_over(connection);
    } else if (!answers(connection)) {
        silence->asked++;
        trace(connection->machines[end], "asks %s, and hears nothing",
              connection->machines[!end]->name);
        event_at(world, event, world->now + socket->keep[KEEP_INTERVAL] * WORLD_S);
    } else {
        connection_hears(connection, end);
        if (connection->lost[!end])
            segment_send(connection, !end, DATA, 0, 0);
        event_at(world, event, world->now + idle);
    }
}

void connection_hears(struct connection *connection, int end)
{
    connection->silences[end].heard = connection_world(connection)->now;
    connection->silences[end].asked = 0;
}

void connection_keep(struct socket *socket)
{
    struct connection *connection = socket->connection;
    struct silence *silence = connection ? &connection->silences[socket->end] : NULL;
    struct world *world = socket->file.machine->world;
    uint64_t at;

    if (!silence || socket->state != CONNECTED || !socket->keep[KEEP_ALIVE])
        return;
    silence->connection = connection;
    silence->event.fire = ask;
    at = silence->heard + socket->keep[KEEP_IDLE] * WORLD_S;
    event_at(world, &silence->event, at > world->now ? at : world->now);
}

uint64_t way_is_given_up(const struct way *way)
{
    const struct connection *connection = way->connection;
    const struct socket *sender = connection->sockets[way == &connection->ways[0]];

    return sender && user_timeout(sender) ? way->lost_at + user_timeout(sender) : NEVER;
}

/* --- options --------------------------------------------------------------------------------- */

void socket_keep_defaults(struct socket *socket)
{
    socket->keep[KEEP_IDLE] = 7200;
    socket->keep[KEEP_INTERVAL] = 75;
    socket->keep[KEEP_COUNT] = 9;
}

bool socket_set_keep(struct socket *socket, int level, int option, unsigned value)
{
    static const struct {
        int level, option;
    } options[KEEPS] = {
        [KEEP_ALIVE] = {SOL_SOCKET, SO_KEEPALIVE},        [KEEP_IDLE] = {IPPROTO_TCP, TCP_KEEPIDLE},
        [KEEP_INTERVAL] = {IPPROTO_TCP, TCP_KEEPINTVL},   [KEEP_COUNT] = {IPPROTO_TCP, TCP_KEEPCNT},
        [USER_TIMEOUT] = {IPPROTO_TCP, TCP_USER_TIMEOUT},
    };

    for (int i = 0; i < KEEPS; i++)
        if (options[i].level == level && options[i].option == option) {
            socket->keep[i] = value;
            connection_keep(socket);
            return true;
        }
    return false;
}
