/* serve.h - accept connections, start a task for each, and end in an orderly way
 * SPDX-License-Identifier: MIT
 *
 *     static PT_POOL(echo, 1000) clients;
 *
 *     static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *context)
 *     {
 *         if (PT_START_FROM(loop, &clients, echo, .io = pt_io_take(peer)) != PT_OK)
 *             return NULL;
 *         return &clients.taken->task;
 *     }
 *
 *     PT_START(&loop, &server, pt_serve, .listener = &listener, .start = start,
 *              .pool = &clients.pool, .grace = PT_SEC(5));
 *     pt_run_until_signal(&sys, &server.task);
 *
 * A connection's task owns its pt_io, and its PT_FINALLY closes that. For a limit of silence, use
 * PT_WITH_TIMEOUT around its reads. An ordinary function, on a stack of its own, can serve a
 * connection, too: pt_native_connection (native_net.h).
 *
 * A server of several addresses is a task with a group: a pt_serve for each in a PT_WITH_GROUP, all
 * with one pool if they share its limit. A cancel of that task ends them all.
 *
 * Tasks that the connections use, such as the adapter of a database, must outlive the grace. They
 * are in a PT_WITH_GROUP around the PT_WAIT_COMPLETE of pt_serve, which `break` follows: a cancel
 * of the task with that block ends pt_serve first, and then the group.
 *
 * A connection that waits for its client's next request can end at once when no more clients come,
 * instead of after GRACE, if it waits for the event ENDING, too:
 *
 *     PT_SELECT(&self->next, PT_CASE_READABLE(&self->io), PT_CASE_EVENT(&server.frame.ending));
 *
 * A restart that loses no connection needs a socket that outlives the process: one that was handed
 * over, "fd:web" (net.h). The old process ends by a cancel, and a new one accepts what waits in the
 * queue meanwhile. examples/servers/reload.c starts it, and hands the socket over. Several pt_serve
 * may share one socket, also in different processes; within a process each has a descriptor of its
 * own, made by dup(2), since the first to end closes its listener. Sockets that only share the port
 * (pt_listen, PORTS_SHARED) have a queue each: the system drops what waits in the queue of the one
 * that is closed. */
#ifndef PT_SERVE_H
#define PT_SERVE_H

#include "../host/io.h"

struct pt_serve;

/* The frame that accepts, and waits for the grace. Private. */
struct pt_serve_accepting_ {
    struct pt pt;
    struct pt_serve *serve;
    struct pt_io peer; /* accepted, and not started yet */
    struct pt_scope limit;
};

/* The frame of pt_serve: accept connections from LISTENER, and call START for each.
 *
 * It ends by a cancel or a timeout, or when the listener is closed or fails: with the code for
 * that. It first closes LISTENER, so that no more clients come. The tasks that START has started
 * have GRACE to end; then it cancels those that are left, and joins all. So no connection outlives
 * it. pt_loop_cancel cancels these tasks, too: it ends the grace. GRACE is read at the end, so it
 * may change before: a reload gives more time than a SIGTERM (examples/servers/reload.c).
 *
 * START hands PEER over by pt_io_take, and returns the new task; or NULL, if none could start.
 * Then, in this order: with a REFUSAL the client gets that text, and what it has sent is read for
 * up to a second, so that it arrives; with a POOL, the connection waits for a free item of the
 * pool, and START is called again. The next ones wait in the queue of the system. With neither, it
 * is closed; as is one that still waits for an item at the end. Up to 16 clients are refused at
 * once, with storage from the loop's heap; more of them are closed without the text. If a client is
 * not welcome, which pt_io_peer tells, START closes PEER and returns NULL: the next one is
 * accepted.
 *
 * It costs no system call beside those of PT_ACCEPT. The program stops if LISTENER or START is
 * missing. */
struct pt_serve {
    struct pt pt;
    struct pt_io *listener; /* open, from pt_listen_at; the caller sets this and the next five */
    struct pt_task *(*start)(struct pt_loop *loop, struct pt_io *peer, void *context);
    void *context;          /* for START */
    struct pt_pool *pool;   /* the pool from which START takes its tasks: &clients.pool; or NULL */
    const char *refusal;    /* what a client gets for whom there is no task; or NULL */
    pt_time grace;          /* how long connections may go on after the end; 0: not at all */
    struct pt_event ending; /* set before GRACE begins; the function writes this and the rest */
    struct pt_group connections; /* its tasks */
    unsigned refusing;           /* how many clients are being refused */
    struct pt_serve_accepting_ accepting;
};

PT_EXPORT PT_DECLARE(pt_serve);

#endif
