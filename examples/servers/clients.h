/* clients.h - the connections of a server: in order of when each was heard last
 * SPDX-License-Identifier: MIT
 *
 * A connection costs a descriptor, and there are only so many. So a client that is quiet for longer than
 * serve_idle is closed. If no descriptor is left, the client that has been quiet longest makes room: for
 * one new client each 256th of that time, so that a server that is just busy loses nobody at once. */
#ifndef CLIENTS_H
#define CLIENTS_H

#include <pt/host.h>

#include <errno.h>

static pt_time serve_idle = PT_SEC(60);

struct serve_clients;

/* A connection. */
struct serve_client {
    struct pt_io io;
    struct serve_clients *of;
    struct serve_client *newer, *older; /* the clients that were heard after and before it */
    pt_time heard;
};

/* The connections of a loop: a ring. */
struct serve_clients {
    struct serve_client ends; /* is no client: the oldest is newer than this, the newest is older */
};

static inline void serve_clients_init(struct serve_clients *clients)
{
    clients->ends.newer = clients->ends.older = &clients->ends;
}

static inline void serve_unlink(struct serve_client *client)
{
    client->newer->older = client->older;
    client->older->newer = client->newer;
    client->newer = NULL;
}

static inline void serve_link(struct serve_client *client, pt_time now)
{
    client->heard = now;
    client->newer = &client->of->ends;
    client->older = client->of->ends.older;
    client->older->newer = client->newer->older = client;
}

/* serve_heard - a client has asked for something, or taken something: it is the newest now */
static inline void serve_heard(struct serve_client *client, pt_time now)
{
    if (!client->newer)
        return;
    serve_unlink(client);
    serve_link(client, now);
}

/* serve_leave - close a client's connection, if it is open: its task is told so by PT_ECLOSED */
static inline void serve_leave(struct serve_client *client)
{
    if (client->newer)
        serve_unlink(client);
    pt_io_close(&client->io);
}

/* serve_reset - a close of IO shall be seen as a failure by the other side, and not as an end in order */
static inline void serve_reset(struct pt_io *io)
{
    const struct linger none = {1, 0};

    if (io->system)
        setsockopt(io->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

/* serve_make_room - close the client that has been quiet longest; false if there is none
 * By a reset: it was not told all, and what it does not read goes at once. */
static inline bool serve_make_room(struct serve_clients *clients)
{
    struct serve_client *quietest = clients->ends.newer;

    if (quietest == &clients->ends)
        return false;
    serve_reset(&quietest->io);
    serve_leave(quietest);
    return true;
}

/* serve_socket - a socket with which to ask another server on behalf of a client */
static inline pt_status serve_socket(struct pt_io *io, struct pt_system *system,
                                     struct serve_clients *clients)
{
    pt_status status;

    do
        status = pt_socket(io, system, AF_INET, SOCK_STREAM, 0);
    while (status == PT_EIO && io->error == EMFILE && serve_make_room(clients));
    return status;
}

/* Waits for the next client, and closes the quiet ones meanwhile. */
struct serve_next {
    struct pt pt;
    struct pt_io *listener;
    struct serve_clients *clients;
    struct pt_io peer; /* its connection */
    struct pt_scope limit;
    PT_SELECTION(2) next;
};

static PT_ASYNC(serve_next, self)
{
    do {
        do {
            while (self->clients->ends.newer != &self->clients->ends &&
                   PT_NOW() - self->clients->ends.newer->heard >= serve_idle)
                serve_make_room(self->clients);
            PT_SELECT(&self->next, PT_CASE_READABLE(self->listener),
                      PT_CASE_UNTIL(self->clients->ends.newer == &self->clients->ends
                                        ? PT_NOW() + serve_idle
                                        : self->clients->ends.newer->heard + serve_idle));
        } while (PT_SELECTED(&self->next) == 1);
        PT_WITH_TIMEOUT(&self->limit, serve_idle / 256) {
            PT_ACCEPT(self->listener, &self->peer); /* waits while there is no descriptor */
        }
    } while (pt_timed_out(&self->limit) && (serve_make_room(self->clients), true));
    PT_RETURN(self->pt.status);
}
PT_END

/* serve_take - the first step of a client's task: the connection is its own from here on */
static inline void serve_take(struct serve_client *client, struct serve_next *from, pt_time now)
{
    pt_io_move(&client->io, &from->peer);
    client->of = from->clients;
    serve_link(client, now);
}

#endif
