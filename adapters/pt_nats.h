/* pt_nats.h - a connection of NATS, whose messages tasks await
 * SPDX-License-Identifier: MIT
 *
 *     static PT_TASK(pt_nats) nats;
 *     PT_START(&loop, &nats, pt_nats, .system = &sys, .workers = &workers, .options = options);
 *
 *     PT_WAIT_EVENT(&nats.frame.begun);
 *     natsConnection_SubscribeSync(&self->orders, nats.frame.connection, "orders");
 *     natsConnection_PublishString(nats.frame.connection, "orders", "one");
 *     PT_TRY(&self->next, pt_nats_next, .nats = &nats.frame, .subscription = self->orders);
 *     puts(natsMsg_GetData(self->next.message));
 *
 *     PT_TRY(&self->ask, pt_nats_request, .nats = &nats.frame, .subject = "time");
 *
 *     PT_FINALLY
 *     natsMsg_Destroy(self->next.message);
 *     natsMsg_Destroy(self->ask.next.message);
 *     natsSubscription_Destroy(self->orders);
 *
 * Copy the three files, or build them with the program: they need libnats 3 and libpt. */
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

/* The frame of a wait for the next message of a subscription, which natsConnection_SubscribeSync
 * or natsConnection_QueueSubscribeSync has made. PT_OK; PT_ECLOSED if the connection has ended;
 * PT_EFAILED, and RESULT tells why: NATS_SLOW_CONSUMER, for example. Cancel, timeout: the wait
 * ends; no message is lost. Each read of the connection wakes all such waits, so a program with
 * hundreds of subscriptions takes one with a wildcard instead. */
struct pt_nats_next {
    struct pt pt;
    struct pt_nats *nats; /* the caller sets this and the next */
    natsSubscription *subscription;
    natsMsg *message; /* natsMsg_Destroy it; the function writes this and the next */
    natsStatus result;
};

PT_DECLARE(pt_nats_next);

/* The frame of a request, and of the wait for its reply, next.message. Codes as pt_nats_next: if
 * nobody listens to SUBJECT, PT_EFAILED and NATS_NO_RESPONDERS. It has no timeout of its own, use a
 * block: a reply can be lost. Cancel, timeout: a reply that comes later is dropped. A request to a
 * subject of a JetStream is answered when the stream has it. */
struct pt_nats_request {
    struct pt pt;
    struct pt_nats *nats; /* the caller sets this and the next three */
    const char *subject;
    const void *data;
    int size;
    natsInbox *inbox; /* the function writes this and the rest */
    natsSubscription *subscription;
    struct pt_nats_next next;
};

PT_DECLARE(pt_nats_request);

#endif
