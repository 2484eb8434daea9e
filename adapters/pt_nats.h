/* pt_nats.h - a connection of NATS, read and written by a task
 * SPDX-License-Identifier: MIT
 *
 *     static PT_TASK(pt_nats) nats;
 *     PT_START(&loop, &nats, pt_nats, .system = &sys, .workers = &workers, .options = options);
 *
 *     PT_WAIT_EVENT(&nats.frame.begun);
 *     natsConnection_PublishString(nats.frame.connection, "orders", "one");
 *
 * That is all for a program that only publishes; pt_nats_message.h has the messages that come, and
 * requests. Copy the two files, or build them with the program: they need libnats 3 and libpt. */
#ifndef PT_NATS_H
#define PT_NATS_H

#include <pt/host.h>

#include <nats/nats.h>
#include <unistd.h>

/* libnats before 3.9.2 closes its sockets itself, so the task has copies. From then on it leaves the
 * close to the task, and from 3.11 on it waits for a call after the end. */
#if NATS_VERSION_NUMBER < 0x030902
#define PT_NATS_SOCKET_(fd) dup(fd)
#else
#define PT_NATS_SOCKET_(fd) (fd)
#endif
#if NATS_VERSION_NUMBER < 0x030b00
#define natsConnection_ProcessDetachedEvent(connection) ((void)(connection))
#endif

/* The frame of the task that reads and writes for a connection, until that or the task ends.
 * PT_ECLOSED: no server of OPTIONS is there, or has come back after as many attempts as they say.
 *
 * If a server ends, libnats connects to it again, or to another one, in a thread of its own, and
 * subscribes again: meanwhile messages are lost, and what is published is kept, up to a limit.
 * While it connects it holds its lock, so each call of libnats waits, the loop with it; of a server
 * that is silent as long as natsOptions_SetTimeout says, by default 2 s.
 *
 * natsConnection_Publish copies the message, and the task sends it; natsConnection_Buffered tells
 * how much is left. To wait until the server has it all, or for JetStream's own calls, use
 * pt_blocking: natsConnection_Flush. The end of the task sends the rest, in 2 s at most. */
struct pt_nats {
    struct pt pt;
    struct pt_system *system;   /* the caller sets this and the next two */
    struct pt_workers *workers; /* a thread of these connects, and closes */
    natsOptions *options;       /* the servers and so on; they are used until BEGUN */
    natsConnection
        *connection;         /* NULL until BEGUN, and after the end; the function writes the rest */
    struct pt_event begun;   /* it is connected, or it has ended */
    struct pt_event arrived; /* set and cleared: subscriptions can have messages */
    struct pt_remote post;   /* libnats has told of its socket, or wants to write, in any thread */
    struct pt_event told;
    int fd;          /* what it has told: a socket or a code */
    int seen;        /* the one before */
    int left;        /* bytes to send */
    struct pt_io io; /* the socket */
    PT_SELECTION(3) next;
    struct pt_blocking call;
    struct pt_finish finish;
    struct pt_scope limit;
};

PT_DECLARE(pt_nats);

#endif
