/* server.h - what serves the clients of a pt_live: a thread with a loop of its own
 * SPDX-License-Identifier: MIT
 *
 *     the server's thread                             the program's thread
 *
 *     a client has the turn: it writes the question
 *         post of `ask`                          -->  writes the piece
 *     takes the piece, gives the turn away       <--      post of `answered` */
#ifndef PT_LIB_LIVE_SERVER_H
#define PT_LIB_LIVE_SERVER_H

#include "snapshot.h"

#include <pt/host/io.h>

#include <pthread.h>

struct live_client;

/* The task that takes connections, and starts a task for each. */
struct pt_live_accept_ {
    struct pt pt;
    struct pt_live_server_ *server;
    struct pt_io peer;
};
PT_DECLARE(pt_live_accept_);

struct pt_live_server_ {
    struct pt_live *live;
    struct pt_system *shown; /* the program's */
    unsigned forks;          /* the count of forks at the opening */
    pthread_t thread;
    char *path;
    unsigned long long device, inode; /* of the socket */

    struct pt_loop loop; /* the thread's own, as what follows */
    struct pt_system system;
    struct pt_io listener;
    struct pt_remote stop, answered;
    PT_TASK(pt_live_accept_) acceptor;
    unsigned clients;
    unsigned watching;          /* how many ask for snapshots again and again */
    struct pt_semaphore turn;   /* the client that has it may ask */
    struct live_client *asking; /* the one that waits for an answer; NULL: it has gone */

    struct pt_remote ask, quiet; /* of the program's loop */
    struct {
        unsigned from;
        bool steps;
    } question;    /* the server's until `ask` is posted; then the program's, */
    unsigned next; /* as what follows, until `answered` is posted */
    struct pt_live_piece_ piece;
    struct pt_steps_table_ steps; /* the program's */
};

/* Listen at the server's path. An error is in errno; then nothing is there that was not. */
pt_status pt_live_listen_(struct pt_live_server_ *server);

/* Remove the socket, unless another one is there by now. */
void pt_live_remove_(const struct pt_live_server_ *server);

/* The callback of `answered`. */
void pt_live_answered_(struct pt_remote *self, unsigned times);

#endif
