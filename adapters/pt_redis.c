/* pt_redis.c - a connection of hiredis, whose replies tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_redis.h"

/* hiredis adds or removes one direction at a time, and each again and again. */
static void want(void *redis, int events)
{
    struct pt_redis *self = (struct pt_redis *)redis;

    if (events != self->events)
        self->failed |= pt_pollset_set(&self->set, self->context->c.fd, events) != PT_OK;
    self->events = events;
}

static void add_read(void *redis)
{
    want(redis, ((struct pt_redis *)redis)->events | POLLIN);
}

static void del_read(void *redis)
{
    want(redis, ((struct pt_redis *)redis)->events & ~POLLIN);
}

static void add_write(void *redis)
{
    want(redis, ((struct pt_redis *)redis)->events | POLLOUT);
}

static void del_write(void *redis)
{
    want(redis, ((struct pt_redis *)redis)->events & ~POLLOUT);
}

/* hiredis is about to free the context. */
static void cleanup(void *redis)
{
    want(redis, 0);
    ((struct pt_redis *)redis)->context = NULL;
}

PT_ASYNC(pt_redis, self)
{
    pt_pollset_open(&self->set, self->system);
    if (!self->context)
        PT_RETURN(PT_ENOMEM);
    self->context->ev.addRead = add_read;
    self->context->ev.delRead = del_read;
    self->context->ev.addWrite = add_write;
    self->context->ev.delWrite = del_write;
    self->context->ev.cleanup = cleanup;
    self->context->ev.data = self;
    add_write(self); /* tells when it is connected */
    while (self->context && !self->context->err && !self->failed) {
        PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
        if (self->next.events & ~POLLOUT)
            redisAsyncHandleRead(self->context);
        if (self->context && self->next.events & POLLOUT)
            redisAsyncHandleWrite(self->context);
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
