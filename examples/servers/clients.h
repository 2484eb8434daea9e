/* clients.h - the connections of a server, in the order in which they were last active
 * SPDX-License-Identifier: MIT
 *
 * A connection costs a descriptor, and their number is limited. So the server closes a client that
 * is quiet for longer than serve_idle, at most an eighth of that time late. If no descriptor is
 * left, the server closes the client that has been quiet longest: one in each serve_idle / 512. So
 * a server that is only busy does not lose all its clients at once, and a queue of 128 new clients
 * gets in within serve_idle / 4. If the server needs a second descriptor for a client, the client
 * gets it before the next client is accepted; both are closed together. */
#ifndef CLIENTS_H
#define CLIENTS_H

#include <pt/host.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static pt_time serve_idle = PT_SEC(60);

/* Operations of a client before other tasks run. If many clients never stop, each of the others
 * waits for this many operations of each of them. */
enum { SERVE_SHARE = 4 };

struct serve_clients;

/* A connection. */
struct serve_client {
    struct pt_io io;
    struct pt_io *other; /* a second descriptor that it costs, or NULL */
    struct serve_clients *of;
    struct serve_client *newer, *older; /* the clients that were active after and before it */
    pt_time heard, moved;               /* when it was last active, and when it got its place */
};

/* The connections of a loop: a ring. */
struct serve_clients {
    struct serve_client ends; /* not a client: ends.newer is the oldest, ends.older the newest */
    pt_time made;             /* when a client was last closed to make room, or should have been */
    int pressed;              /* not 0: there was no room; counts down as clients find room */
    unsigned count, most;     /* how many there are, and the limit */
    int wanting;              /* clients that wait for a second descriptor */
};

static inline void serve_clients_init(struct serve_clients *clients)
{
    clients->ends.newer = clients->ends.older = &clients->ends;
    clients->made = 0;
    clients->pressed = 0;
    clients->count = 0;
    clients->most = UINT32_MAX;
    clients->wanting = 0;
}

/* The number of the next free descriptor; -1 with errno if there is none. */
static inline int serve_spare(const struct pt_io *listener)
{
    int fd = fcntl(listener->fd, F_DUPFD_CLOEXEC, 0);

    if (fd >= 0)
        close(fd);
    return fd;
}

/* serve_share - how many clients each loop may have, if LOOPS loops share the descriptors
 * Otherwise a loop without clients could not make room while another loop holds all descriptors.
 * Each loop leaves two free. */
static inline unsigned serve_share(const struct pt_io *listener, unsigned loops)
{
    struct rlimit limit;
    int used = serve_spare(listener);
    rlim_t share;

    if (used < 0 || getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT32_MAX)
        return UINT32_MAX;
    share = (limit.rlim_cur - (rlim_t)used) / loops;
    return share > 2 ? (unsigned)share - 2 : 1;
}

/* serve_full - whether there is no room for one more client */
static inline bool serve_full(const struct serve_clients *clients, const struct pt_io *listener)
{
    return clients->count >= clients->most ||
           (serve_spare(listener) < 0 && (errno == EMFILE || errno == ENFILE));
}

static inline void serve_unlink(struct serve_client *client)
{
    client->newer->older = client->older;
    client->older->newer = client->newer;
    client->newer = NULL;
}

/* serve_enter - a client becomes the newest: the first step of its task */
static inline void serve_enter(struct serve_client *client, pt_time now)
{
    client->heard = client->moved = now;
    client->newer = &client->of->ends;
    client->older = client->of->ends.older;
    client->older->newer = client->newer->older = client;
}

/* serve_heard - a client has sent or taken something: it becomes the newest
 * It does so at most once in serve_idle / 8. Otherwise clients that talk all the time would always
 * be newer than a new client, and that one would be closed first. */
static inline void serve_heard(struct serve_client *client, pt_time now)
{
    client->heard = now;
    if (!client->newer || now - client->moved < serve_idle / 8)
        return;
    serve_unlink(client);
    serve_enter(client, now);
}

/* serve_leave - close a client's connection, if it is open; its task gets PT_ECLOSED */
static inline void serve_leave(struct serve_client *client)
{
    if (client->newer) {
        serve_unlink(client);
        client->of->count--;
    }
    pt_io_close(&client->io);
}

/* serve_reset - make the close of IO a reset: the other side sees a failure, not an orderly end */
static inline void serve_reset(struct pt_io *io)
{
    const struct linger none = {1, 0};

    if (io->system)
        setsockopt(io->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

/* serve_make_room - close the client that has been quiet longest; false if there is no client
 * It is a reset: the client did not receive everything, and what it does not read is dropped. */
static inline bool serve_make_room(struct serve_clients *clients)
{
    struct serve_client *quietest = clients->ends.newer;

    if (quietest == &clients->ends)
        return false;
    serve_reset(&quietest->io);
    serve_leave(quietest);
    if (quietest->other) {
        serve_reset(quietest->other);
        pt_io_close(quietest->other);
    }
    return true;
}

/* serve_press - there is no room: if it is time, close the quietest client; false if there is none
 * It closes one in each serve_idle / 512; if the loop is slower than that, a few in a row. */
static inline bool serve_press(struct serve_clients *clients, pt_time now)
{
    const pt_time pace = serve_idle / 512;

    if (!clients->pressed || now - clients->made >= serve_idle / 8)
        clients->made = now;
    clients->pressed = 2; /* one client can find room for its first descriptor */
    if (now - clients->made < pace)
        return clients->ends.newer != &clients->ends;
    clients->made = now - clients->made < 8 * pace ? clients->made + pace : now - 7 * pace;
    return serve_make_room(clients);
}

/* Makes a socket to another server for a client; it is client->other from then on. */
struct serve_socket {
    struct pt pt;
    struct pt_io *io;
    struct pt_system *system;
    struct serve_client *client;
};

static inline PT_ASYNC(serve_socket, self)
{
    self->client->of->wanting++;
    while (pt_socket(self->io, self->system, AF_INET, SOCK_STREAM, 0) != PT_OK) {
        if (self->io->error != EMFILE || !serve_press(self->client->of, PT_NOW()))
            PT_RETURN(PT_EIO);
        PT_WAIT(serve_idle / 2048);
    }
    self->io->share = SERVE_SHARE;
    self->client->other = self->io;
    PT_FINALLY
    self->client->of->wanting--;
}
PT_END

/* Whether the next client must wait: one still needs a second descriptor, or there is no room. */
static inline bool serve_crowded(struct serve_clients *clients, const struct pt_io *listener,
                                 pt_time now)
{
    if (clients->wanting)
        return true;
    if (!serve_full(clients, listener)) {
        clients->pressed -= clients->pressed > 0;
        return false;
    }
    serve_press(clients, now);
    return serve_full(clients, listener);
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
        while (serve_crowded(self->clients, self->listener, PT_NOW()))
            PT_WAIT(serve_idle / 2048);
        PT_WITH_TIMEOUT(&self->limit, serve_idle / 256) {
            PT_ACCEPT(self->listener, &self->peer); /* waits if the connection is gone again */
        }
    } while (pt_timed_out(&self->limit));
    PT_RETURN(self->pt.status);
}
PT_END

/* serve_take - the client that serve_next has accepted, for the field `client` of its task
 * It counts from now on: its task begins, and its PT_FINALLY calls serve_leave. */
static inline struct serve_client serve_take(struct serve_next *next)
{
    struct serve_client client;

    memset(&client, 0, sizeof client);
    client.io = pt_io_take(&next->peer);
    client.io.share = SERVE_SHARE;
    client.of = next->clients;
    client.of->count++;
    return client;
}

#endif
