/* pt_nats.c - a connection of NATS: its sockets, read and written by a task
 * SPDX-License-Identifier: MIT */
#include "pt_nats.h"

/* What libnats has told last, if that is no descriptor. If it cannot be copied, that is the end. */
enum { CLOSED = -1, NONE = -2, SEEN = -3 };

/* libnats calls these in any thread. A socket that the task has not seen yet is over. */
static natsStatus tell(struct pt_nats *self, int fd)
{
    fd = __atomic_exchange_n(&self->fd, fd, __ATOMIC_ACQ_REL);
    if (fd >= 0)
        close(fd);
    pt_remote_post(&self->post);
    return NATS_OK;
}

static natsStatus attach(void **user, void *nats, natsConnection *connection, natsSock fd)
{
    (void)connection;
    *user = nats;
    return tell(nats, PT_NATS_SOCKET_(fd));
}

static natsStatus want_read(void *nats, bool add)
{
    return add ? NATS_OK : tell(nats, NONE);
}

static natsStatus want_write(void *nats, bool add)
{
    if (add)
        pt_remote_post(&((struct pt_nats *)nats)->post);
    return NATS_OK;
}

static natsStatus detach(void *nats)
{
    natsConnection_ProcessDetachedEvent(((struct pt_nats *)nats)->connection);
    return tell(nats, CLOSED);
}

static void toggle(void *nats)
{
    struct pt_nats *self = nats;

    if (self->connection)
        natsConnection_Close(self->connection);
    else
        natsConnection_Connect(&self->connection, self->options);
}

PT_ASYNC(pt_nats, self)
{
    self->fd = SEEN;
    pt_remote_open(&self->post, self->system->loop, pt_remote_trigger, &self->told);
    natsOptions_SetEventLoop(self->options, self, attach, want_read, want_write, detach);
    PT_TRY(&self->call, pt_blocking, .workers = self->workers, .work = toggle, .argument = self);
    pt_event_set(&self->begun);
    while (self->connection &&
           (self->seen = __atomic_exchange_n(&self->fd, SEEN, __ATOMIC_ACQ_REL)) != CLOSED) {
        if (self->seen != SEEN)
            pt_io_close(&self->io);
        if (self->seen >= 0 && pt_io_open(&self->io, self->system, self->seen) != PT_OK) {
            tell(self, self->seen); /* the end closes it */
            PT_RETURN(PT_EIO);
        }
        self->left = self->io.system ? natsConnection_Buffered(self->connection) : 0;
        PT_SELECT(&self->next, PT_CASE_EVENT(&self->told),
                  PT_CASE_IF(self->left > 0, PT_CASE_WRITABLE(&self->io)),
                  PT_CASE_IF(self->io.system, PT_CASE_READABLE(&self->io)));
        if (PT_SELECTED(&self->next) == 1)
            natsConnection_ProcessWriteEvent(self->connection);
        if (PT_SELECTED(&self->next) == 2)
            natsConnection_ProcessReadEvent(self->connection);
        pt_event_trigger(&self->arrived);
        PT_YIELD(); /* to those who wait for messages */
    }
    PT_RETURN(PT_ECLOSED);
    PT_FINALLY
    if (self->io.system)
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(2)) {
            while (__atomic_load_n(&self->fd, __ATOMIC_RELAXED) == SEEN &&
                   natsConnection_Buffered(self->connection) > 0) {
                PT_WAIT_WRITABLE(&self->io);
                natsConnection_ProcessWriteEvent(self->connection);
            }
            PT_WAIT_COMPLETE(&self->finish, pt_finish, .io = &self->io);
        }
    pt_io_close(&self->io);
    if (self->connection)
        PT_WAIT_COMPLETE(&self->call, pt_blocking, .workers = self->workers, .work = toggle,
                         .argument = self);
    natsConnection_Destroy(self->connection);
    self->connection = NULL;
    pt_event_set(&self->begun);
    pt_event_set(&self->arrived);
    pt_remote_close(&self->post);
}
PT_END
