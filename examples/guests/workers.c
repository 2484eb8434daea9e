/* workers.c - work that survives a process: workers take the items of a stream of Redis
 * SPDX-License-Identifier: MIT
 *
 *     workers N one &                       a worker, with a Redis server at port N of this computer
 *     workers N two &                       another one; kill any, and start it again
 *     redis-cli -p N XADD jobs '*' number 7        an item
 *     redis-cli -p N HGETALL results               the number of each item, squared
 *
 *     workers N NAME MS    take what another worker has had for MS milliseconds; otherwise a minute
 *
 * What to notice:
 *   - What a worker has read is pending until it is acknowledged. If the worker dies, another one
 *     claims it. So no item is lost, and some are done twice.
 *   - The effect of an item is keyed by its id: the second time it changes nothing.
 *   - Effect and acknowledgment are one step of the server: nobody dies between them.
 *   - Since BLOCK holds up all commands of a connection, a worker reads when it has done what it has.
 *   - After SIGTERM a worker does what it has, and ends. If the server dies, it connects again. */
#include "../../adapters/pt_redis.h"

#include <stdio.h>
#include <stdlib.h>

enum { AT_ONCE = 10 };
static struct pt_system sys;
static struct pt_loop loop;
static PT_TASK(pt_redis) redis;
static int port;
static bool ending;

static const char *create[] = {"XGROUP", "CREATE", "jobs", "workers", "0", "MKSTREAM"};
static const char *claim[] = {"XAUTOCLAIM", "jobs", "workers", "NAME", "60000", "0", "COUNT", "10"};
static const char *take[] = {"XREADGROUP", "GROUP", "workers", "NAME", "COUNT", "10",
                             "BLOCK",      "1000",  "STREAMS", "jobs", ">"};
static const char *const effect = "if redis.call('HSETNX', 'results', ARGV[1], ARGV[2]) == 1 then"
                                  " redis.call('INCRBY', 'total', ARGV[2]) end "
                                  "return redis.call('XACK', 'jobs', 'workers', ARGV[1])";

#define SEND(words) .redis = &redis.frame, .argc = sizeof(words) / sizeof *(words), .argv = (words)

/* Whether the reply is none: the server still reads its file, for example, or has lost it. */
static bool refused(const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_ERROR)
        fprintf(stderr, "%s: %s\n", take[3], reply->str);
    return reply->type == REDIS_REPLY_ERROR;
}

/* --- an item --------------------------------------------------------------------------------- */

struct entry {
    char id[44]; /* two numbers of 64 bits, and a hyphen */
    long number;
};

struct item {
    struct pt pt;
    const struct entry *entry;
    char square[24];
    const char *words[5];
    bool failed;
    struct pt_redis_command command;
};

static void acknowledged(void *user, const redisReply *reply)
{
    ((struct item *)user)->failed = refused(reply);
}

static PT_ASYNC(item, self)
{
    PT_WAIT(PT_MS((unsigned long)self->entry->number % 10)); /* the work */
    snprintf(self->square, sizeof self->square, "%ld", self->entry->number * self->entry->number);
    self->words[0] = "EVAL";
    self->words[1] = effect;
    self->words[2] = "0";
    self->words[3] = self->entry->id;
    self->words[4] = self->square;
    PT_TRY(&self->command, pt_redis_command, SEND(self->words), .take = acknowledged, .user = self);
    PT_RETURN(self->failed ? PT_EFAILED : PT_OK);
}
PT_END

/* --- a connection ---------------------------------------------------------------------------- */

struct session {
    struct pt pt;
    struct pt_redis_command command;
    struct entry entries[AT_ONCE];
    int count, i;
    bool failed;
    struct pt_group batch;
    PT_TASK(item) items[AT_ONCE];
};

/* LIST has pairs: an id, and an array of names and values. */
static void keep(struct session *self, const redisReply *list)
{
    for (size_t i = 0; i < list->elements && self->count < AT_ONCE; i++) {
        const redisReply *id = list->element[i]->element[0], *fields = list->element[i]->element[1];
        struct entry *entry = &self->entries[self->count++];

        snprintf(entry->id, sizeof entry->id, "%s", id->str);
        entry->number = fields->elements > 1 ? atol(fields->element[1]->str) : 0;
    }
}

/* The reply is a position in the stream, the list, and what was deleted. */
static void claimed(void *user, const redisReply *reply)
{
    struct session *self = (struct session *)user;

    self->failed = refused(reply);
    if (!self->failed)
        keep(self, reply->element[1]);
}

/* The reply is a list of streams, of which each is its name and the list; or none came in a second. */
static void taken(void *user, const redisReply *reply)
{
    struct session *self = (struct session *)user;

    self->failed = refused(reply);
    if (reply->type == REDIS_REPLY_ARRAY)
        keep(self, reply->element[0]->element[1]);
}

static PT_ASYNC(session, self)
{
    PT_SPAWN(&redis, pt_redis, .system = &sys, .context = redisAsyncConnect("127.0.0.1", port));
    PT_TRY(&self->command, pt_redis_command, SEND(create)); /* an error: another one has made it */
    while (!ending) {
        self->count = 0;
        PT_TRY(&self->command, pt_redis_command, SEND(claim), .take = claimed, .user = self);
        if (!self->count && !self->failed)
            PT_TRY(&self->command, pt_redis_command, SEND(take), .take = taken, .user = self);
        if (self->failed)
            PT_RETURN(PT_EFAILED);
        PT_WITH_GROUP(&self->batch, PT_GROUP_ALL) {
            for (self->i = 0; self->i < self->count; self->i++)
                PT_SPAWN_IN(&self->batch, &self->items[self->i], item,
                            .entry = &self->entries[self->i]);
        }
        if (self->batch.status != PT_OK)
            PT_RETURN(self->batch.status);
    }
    PT_FINALLY
    pt_cancel(&redis.task, PT_ECANCELED);
    PT_JOIN(&redis.task);
}
PT_END

/* --- the worker ------------------------------------------------------------------------------ */

struct worker {
    struct pt pt;
    struct session session;
};

static PT_ASYNC(worker, self)
{
    while (!ending) {
        PT_WAIT_COMPLETE(&self->session, session);
        if (self->pt.status != PT_OK) {
            fprintf(stderr, "%s connects again\n", take[3]);
            PT_WAIT(PT_MS(100));
        }
    }
}
PT_END

/* The first signal cancels this task, the second one the worker, too. */
struct end {
    struct pt pt;
};

static PT_ASYNC(end, self)
{
    PT_PARK();
    PT_FINALLY
    ending = true;
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(worker) worker;
    static PT_TASK(end) end;

    if (argc < 3 || pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    port = atoi(argv[1]);
    claim[3] = take[3] = argv[2];
    claim[4] = argc > 3 ? argv[3] : claim[4];
    PT_START(&loop, &end, end);
    PT_START(&loop, &worker, worker);
    pt_run_until_signal(&sys, &end.task);
    pt_system_close(&sys);
    return pt_task_status(&worker.task) != PT_OK;
}
