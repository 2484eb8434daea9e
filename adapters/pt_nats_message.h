/* pt_nats_message.h - messages of NATS, and replies, that tasks await
 * SPDX-License-Identifier: MIT
 *
 *     natsConnection_SubscribeSync(&self->orders, nats.frame.connection, "orders");
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
 * Copy the two files, too, beside those of the connection: pt_nats.h. */
#ifndef PT_NATS_MESSAGE_H
#define PT_NATS_MESSAGE_H

#include "pt_nats.h"

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
