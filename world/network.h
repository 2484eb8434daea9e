/* network.h - sockets, connections and the network, as the files of the network have them
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_NETWORK_H
#define WORLD_NETWORK_H

#include "files.h"

/* --- address.c ------------------------------------------------------------------------------- */

/* SO_KEEPALIVE, what TCP_KEEPIDLE and so on say of it, and TCP_USER_TIMEOUT. */
enum keep { KEEP_ALIVE, KEEP_IDLE, KEEP_INTERVAL, KEEP_COUNT, USER_TIMEOUT, KEEPS };

struct socket {
    struct file file;
    enum {
        FRESH,
        LISTENS,
        CONNECTS,
        CONNECTED,
        REFUSED,
        FAILED
    } state; /* REFUSED: a connect was */
    struct sockaddr_in local, peer;
    bool bound, lingers;  /* LINGERS: by SO_LINGER, for no time, so that a close is a reset */
    bool shares;          /* its port, by SO_REUSEPORT */
    int error;            /* SO_ERROR */
    unsigned keep[KEEPS]; /* what is done about a peer of which nothing is heard */
    int backlog, waiting; /* of a listener: places, and sockets in them; WAITING: datagrams, too */
    struct socket *first, *next; /* of a listener; the next in its queue */
    struct connection *connection;
    int end; /* which of the two it is */
    bool shut_read, shut_write;
    struct datagram *datagrams; /* of a socket for them, which have come */
    struct world_machine *to;   /* where those go, if it is connected */
};

extern const struct file_kind connection_kind, datagram_kind, unix_kind;

struct socket *socket_new(struct world_machine *machine, const struct file_kind *kind);

/* The socket of a descriptor, or NULL with errno. */
struct socket *socket_at(int fd);

/* The machine to which ADDRESS leads from here, or NULL. */
struct world_machine *socket_destination(const struct sockaddr_in *address);

/* What a peer sees as the address of a socket: of a message to TARGET, at TO. */
struct sockaddr_in socket_source(const struct socket *socket, const struct world_machine *to,
                                 const struct sockaddr_in *target);

/* Give a socket the address NAME, and a port if that has none: 0 or -errno. */
int socket_bind(struct socket *socket, const struct sockaddr_in *name);

/* A socket without a port gets one. */
void socket_bind_any(struct socket *socket);

/* As getsockname returns a name: it is cut to *LENGTH bytes. */
int socket_name(const struct sockaddr_in *name, struct sockaddr *to, socklen_t *length);

/* The error that the next call returns, once. */
int socket_take_error(struct socket *socket);

/* --- segments.c, arrival.c ------------------------------------------------------------------- */

/* REFUSAL: a RST for a segment, which is sent again if it is lost. */
enum what { SYN, SYNACK, DATA, FIN, RST, REFUSAL };

struct segment {
    struct segment *next;
    enum what what;
    int error; /* of a RST or REFUSAL: what its receiver gets */
    size_t size;
    uint64_t sent, arrives;
};

struct way {
    struct event event; /* the arrival of the first segment */
    struct connection *connection;
    struct segment *first, **last;
    int tries;            /* how often the first segment was lost */
    uint64_t lost_at;     /* when it was lost first */
    bool finished, ended; /* nothing more is sent; the FIN has arrived */
    char *bytes;          /* what has arrived, then what is under way */
    size_t arrived, used, room;
};

struct connection {
    struct connection *next, **link;
    struct way ways[2];        /* toward end 0, which began it, and end 1 */
    struct socket *sockets[2]; /* NULL: not yet, or no more */
    struct world_machine *machines[2];
    struct sockaddr_in addresses[2];
    bool lost[2]; /* its machine has it no more */
    struct silence {
        struct event event; /* it asks its peer: keep.c */
        struct connection *connection;
        uint64_t heard; /* the last time that it heard of its peer */
        unsigned asked; /* since then, without an answer */
    } silences[2];
};

/* How long something takes on the way between two machines, and whether it gets there at all. */
uint64_t network_latency(const struct world_machine *from, const struct world_machine *to);
bool network_cut(const struct world_machine *from, const struct world_machine *to);

struct world *connection_world(const struct connection *connection);

/* Send a segment toward an end: SIZE bytes of DATA, or a reset with an ERROR for its receiver. */
void segment_send(struct connection *connection, int to, enum what what, size_t size, int error);

/* The first segment of a way arrives, or is lost: the event of the way. */
void segment_arrive(struct event *event);

/* The first segment goes; the next one arrives no earlier than it did. */
void segment_pop(struct way *way);

/* Nothing is under way any more. */
void segments_drop(struct way *way);

/* SOCKET is the end of a connection from now on. */
void connection_attach(struct connection *connection, int end, struct socket *socket);

/* The socket at an end learns that its connection is gone. What it has not read is, too. */
void connection_fail(struct connection *connection, int end, int error);

/* What waits for room toward END, or for the answer of a connect, asks again, and so does what was REFUSED: if there is
 * no socket any more, it hears a reset. */
void connection_probe(struct connection *connection, int end, bool refused);

void connection_free(struct connection *connection);

/* An end has heard of its peer. */
void connection_hears(struct connection *connection, int end);

/* When the sender of a lost segment gives it up, by TCP_USER_TIMEOUT. */
uint64_t way_is_given_up(const struct way *way);

/* Free a connection that has no socket and nothing under way. */
void connection_free_if_over(struct connection *connection);

/* --- keep.c ------------------------------------------------------------------------------------ */

void socket_keep_defaults(struct socket *socket);

/* An option of enum keep; false: it is another one. */
bool socket_set_keep(struct socket *socket, int level, int option, unsigned value);

/* It is connected, or an option is set: it asks its peer from now on, if it is to. */
void connection_keep(struct socket *socket);

/* --- connection.c, datagram.c, unix.c -------------------------------------------------------- */

void connection_begin(struct socket *socket, struct world_machine *to);
ssize_t connection_receive(struct socket *socket, void *data, size_t size, bool peek);
void connection_finish(struct socket *socket);               /* nothing more is sent */
void connections_reset(struct socket *listener, bool crash); /* those that nobody has accepted */
bool connections_between(const struct world_machine *one, const struct world_machine *other);
void connections_free(struct world *world);

ssize_t datagram_send(struct socket *socket, const struct msghdr *message);
ssize_t datagram_receive(struct socket *socket, void *data, size_t size, bool peek,
                         struct sockaddr_in *from, bool *cut);
void datagrams_free(struct world *world);

/* unix.c: a socket without a network. Results below zero are -errno. */
struct socket *unix_new(bool nonblocking);
int unix_bind(struct socket *socket, const struct sockaddr *address, socklen_t length);
ssize_t unix_connect(struct socket *socket, const struct sockaddr *address, socklen_t length);
int unix_name(const struct socket *socket, bool peer, struct sockaddr *to, socklen_t *length);
ssize_t unix_receive(struct socket *socket, void *data, size_t size, bool peek);
void unix_shut(struct socket *socket);

#endif
