/* pt_nats_message.c - messages of NATS, and replies, that tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_nats_message.h"

static pt_status code_of(natsStatus result)
{
    return result == NATS_OK ? PT_OK : result == NATS_CONNECTION_CLOSED ? PT_ECLOSED : PT_EFAILED;
}

PT_ASYNC(pt_nats_next, self)
{
    while ((self->result = natsSubscription_NextMsg(&self->message, self->subscription, 0)) ==
           NATS_TIMEOUT)
        PT_WAIT_EVENT(&self->nats->arrived);
    PT_RETURN(code_of(self->result));
}
PT_END

PT_ASYNC(pt_nats_request, self)
{
    if (!self->nats->connection)
        PT_RETURN(PT_ECLOSED);
    natsInbox_Create(&self->inbox);
    natsConnection_SubscribeSync(&self->subscription, self->nats->connection, self->inbox);
    self->next.result = natsConnection_PublishRequest(self->nats->connection, self->subject,
                                                      self->inbox, self->data, self->size);
    if (self->next.result != NATS_OK)
        PT_RETURN(code_of(self->next.result));
    PT_TRY(&self->next, pt_nats_next, .nats = self->nats, .subscription = self->subscription);
    PT_FINALLY
    natsSubscription_Destroy(self->subscription);
    natsInbox_Destroy(self->inbox);
}
PT_END
