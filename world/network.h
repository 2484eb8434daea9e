/* network.h - the network, and connections, as the files of the network have them
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_NETWORK_H
#define WORLD_NETWORK_H

#include "kernel.h"

enum what { SYN, SYNACK, DATA, FIN, RST };

struct segment {
    struct segment *next;
    enum what what;
    int error; /* of a RST: what its receiver gets */
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

/* Send a segment toward an end: SIZE bytes of DATA, or a RST with an ERROR for its receiver. */
void segment_send(struct connection *connection, int to, enum what what, size_t size, int error);

/* The first segment of a way arrives, or is lost: the event of the way. */
void segment_arrive(struct event *event);

/* Nothing is under way any more. */
void segments_drop(struct way *way);

/* SOCKET is the end of a connection from now on. */
void connection_attach(struct connection *connection, int end, struct socket *socket);

/* The socket at an end learns that its connection is gone. What it has not read is, too. */
void connection_fail(struct connection *connection, int end, int error);

/* What waits for room toward END, or for the answer of a connect, asks again: if there is no socket any more, it hears
 * a reset. */
void connection_probe(struct connection *connection, int end);

void connection_free(struct connection *connection);

/* An end has heard of its peer. */
void connection_hears(struct connection *connection, int end);

/* When the sender of a lost segment gives it up, by TCP_USER_TIMEOUT. */
uint64_t way_is_given_up(const struct way *way);

/* Free a connection that has no socket and nothing under way. */
void connection_free_if_over(struct connection *connection);

#endif
