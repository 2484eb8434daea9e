/* pt_redis.c - a connection of hiredis, whose replies tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_redis.h"

/* hiredis wants to write, or no more, and says so again and again. It may always read. */
static void want(void *redis, int events)
{
    struct pt_redis *self = (struct pt_redis *)redis;

    if (events != self->events)
        self->failed |= pt_pollset_set(&self->set, self->context->c.fd, events) != PT_OK;
    self->events = events;
}

static void add_write(void *redis)
{
    want(redis, POLLIN | POLLOUT);
}

static void del_write(void *redis)
{
    want(redis, POLLIN);
}

/* hiredis is about to free the context. */
static void cleanup(void *redis)
{
    want(redis, 0);
    ((struct pt_redis *)redis)->context = NULL;
}

/* The patience begins when it owes a reply, and anew with each. */
static void measure(struct pt_redis *self, bool heard)
{
    bool owes = self->context && self->context->replies.head;

    if (self->patience && (heard || owes != self->owes))
        pt_pollset_after(&self->set, owes ? self->patience : PT_DELAY_NEVER);
    self->owes = owes;
}

PT_ASYNC(pt_redis, self)
{
    pt_pollset_open(&self->set, self->system);
    if (!self->context)
        PT_RETURN(PT_ENOMEM);
    self->context->ev.addWrite = add_write;
    self->context->ev.delWrite = del_write;
    self->context->ev.cleanup = cleanup;
    self->context->ev.data = self;
    add_write(self);   /* tells when it is connected */
    self->owes = true; /* the connection itself */
    pt_pollset_after(&self->set, self->patience ? self->patience : PT_DELAY_NEVER);
    while (self->context && !self->context->err && !self->failed) {
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
        if (self->next.fd < 0)
            PT_RETURN(PT_ETIMEDOUT);
        if (self->next.events & ~POLLOUT)
            redisAsyncHandleRead(self->context);
        if (self->context && self->next.events & POLLOUT)
            redisAsyncHandleWrite(self->context);
        measure(self, self->next.events & ~POLLOUT);
    }
    PT_RETURN(self->failed ? PT_EIO : PT_ECLOSED);
    PT_FINALLY
    if (self->context)
        redisAsyncFree(self->context); /* calls back for all that is left */
    pt_pollset_close(&self->set);
}
PT_END

/* --- a command ------------------------------------------------------------------------------- */

static void replied(redisAsyncContext *context, void *reply, void *command)
{
    struct pt_redis_command *self = (struct pt_redis_command *)command;

    (void)context;
    self->status = reply ? PT_OK : PT_ECLOSED;
    self->type = reply ? ((const redisReply *)reply)->type : 0;
    self->integer = reply ? ((const redisReply *)reply)->integer : 0;
    if (reply && self->take)
        self->take(self->user, (const redisReply *)reply);
    pt_event_set(&self->done);
}

PT_ASYNC(pt_redis_command, self)
{
    pt_event_init(&self->done);
    if (!self->redis->context ||
        redisAsyncCommandArgv(self->redis->context, replied, self, self->argc, self->argv, NULL)) {
        pt_event_set(&self->done);
        PT_RETURN(PT_ECLOSED);
    }
    PT_WAIT_EVENT(&self->done);
    PT_RETURN(self->status);
    PT_FINALLY
    PT_WAIT_EVENT(&self->done);
}
PT_END
