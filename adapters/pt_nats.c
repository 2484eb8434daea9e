/* pt_nats.c - a connection of NATS, whose messages tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_nats.h"

#define SEEN (-2)

/* libnats calls these in any thread, one at a time. They note what it wants, and wake the task. */
static natsStatus tell(struct pt_nats *self, int *what, int value)
{
    __atomic_store_n(what, value, __ATOMIC_RELAXED);
    pt_remote_post(&self->post);
    return NATS_OK;
}

static natsStatus attach(void **user, void *nats, natsConnection *connection, natsSock fd)
{
    (void)connection;
    *user = nats;
    return tell((struct pt_nats *)nats, &((struct pt_nats *)nats)->fd, fd);
}

/* It stops to read only before it closes the socket, and then attaches another one. */
static natsStatus want_read(void *nats, bool add)
{
    return add ? NATS_OK : tell((struct pt_nats *)nats, &((struct pt_nats *)nats)->fd, -1);
}

static natsStatus want_write(void *nats, bool add)
{
    return tell((struct pt_nats *)nats, &((struct pt_nats *)nats)->sends, add);
}

static natsStatus detach(void *nats)
{
    return tell((struct pt_nats *)nats, &((struct pt_nats *)nats)->closed, true);
}

static void connect_it(void *nats)
{
    struct pt_nats *self = (struct pt_nats *)nats;

    natsConnection_Connect(&self->connection, self->options);
}

static void close_it(void *nats)
{
    natsConnection_Close(((struct pt_nats *)nats)->connection);
}

static bool told(const int *what)
{
    return __atomic_load_n(what, __ATOMIC_RELAXED);
}

/* The next socket can have the number of the one before. */
static void follow(struct pt_nats *self)
{
    int fd = __atomic_exchange_n(&self->fd, SEEN, __ATOMIC_RELAXED);

    pt_event_clear(&self->told);
    if (fd != SEEN)
        pt_io_close(&self->io);
    if (fd >= 0)
        pt_io_borrow(&self->io, self->system, fd); /* fails for one that is closed: another comes */
}

/* Read and write until the connection is closed. */
PT_ASYNC(pt_nats_move_, self)
{
    while (!told(&self->nats->closed)) {
        PT_SELECT(&self->next, PT_CASE_EVENT(&self->nats->told),
                  PT_CASE_IF(self->nats->io.system, PT_CASE_READABLE(&self->nats->io)),
                  PT_CASE_IF(self->nats->io.system && told(&self->nats->sends),
                             PT_CASE_WRITABLE(&self->nats->io)));
        if (PT_SELECTED(&self->next) == 0)
            follow(self->nats);
        else if (PT_SELECTED(&self->next) == 1)
            natsConnection_ProcessReadEvent(self->nats->connection);
        if (told(&self->nats->sends))
            natsConnection_ProcessWriteEvent(self->nats->connection);
        pt_event_trigger(&self->nats->arrived);
    }
}
PT_END

PT_ASYNC(pt_nats, self)
{
    self->fd = SEEN;
    pt_remote_open(&self->post, self->system->loop, pt_remote_set, &self->told);
    natsOptions_SetEventLoop(self->options, self, attach, want_read, want_write, detach);
    PT_TRY(&self->connect, pt_blocking, .workers = self->workers, .work = connect_it,
           .argument = self);
    pt_event_set(&self->begun);
    if (self->connection)
        PT_TRY(&self->move, pt_nats_move_, .nats = self);
    PT_RETURN(PT_ECLOSED);
    PT_FINALLY
    if (self->connection) {
        PT_SPAWN(&self->call, pt_blocking, .workers = self->workers, .work = close_it,
                 .argument = self);
        PT_WAIT_COMPLETE(&self->move, pt_nats_move_, .nats = self); /* the last bytes */
        PT_JOIN(&self->call.task);
    }
    pt_io_close(&self->io);
    natsConnection_Destroy(self->connection);
    self->connection = NULL;
    pt_event_set(&self->begun);
    pt_event_set(&self->arrived);
    pt_remote_close(&self->post);
}
PT_END

/* --- messages -------------------------------------------------------------------------------- */

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
