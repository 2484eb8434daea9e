/* redis-inside.c - hiredis as a guest in pt: tasks await the replies of a server
 * SPDX-License-Identifier: MIT
 *
 *     redis-inside N      with a Redis server at port N of this computer
 *
 * What to notice:
 *   - Tasks share one connection: adapters/pt_redis.h. Their commands go out together.
 *   - hiredis frees a reply after its callback, so that copies what the task needs.
 *   - The end of the connection ends each command that is left. */
#include "../../adapters/pt_redis.h"

#include <stdio.h>
#include <stdlib.h>

static struct pt_system sys;
static struct pt_loop loop;
static PT_TASK(pt_redis) redis;

/* Send a command of up to three words, and keep the reply. */
struct ask {
    struct pt pt;
    const char *words[3];
    int count;
    struct pt_redis_command command;
    char reply[40];
};

static void keep(void *user, const redisReply *reply)
{
    struct ask *self = (struct ask *)user;

    if (reply->type == REDIS_REPLY_INTEGER)
        snprintf(self->reply, sizeof self->reply, "%lld", reply->integer);
    else
        snprintf(self->reply, sizeof self->reply, "%s", reply->str ? reply->str : "nothing");
}

static PT_ASYNC(ask, self)
{
    PT_TRY(&self->command, pt_redis_command, .redis = &redis.frame, .argc = self->count,
           .argv = self->words, .take = keep, .user = self);
}
PT_END

struct client {
    struct pt pt;
    struct ask ask;
};

static PT_TASK(ask) first, second, third;

static PT_ASYNC(client, self)
{
    PT_TRY(&self->ask, ask, .words[0] = "SET", .words[1] = "pt:n", .words[2] = "40", .count = 3);
    printf("set:      %s\n", self->ask.reply);
    PT_START(&loop, &first, ask, .words[0] = "INCR", .words[1] = "pt:n", .count = 2);
    PT_START(&loop, &second, ask, .words[0] = "INCR", .words[1] = "pt:n", .count = 2);
    PT_JOIN(&first.task);
    PT_JOIN(&second.task);
    printf("two at once: %s and %s\n", first.frame.reply, second.frame.reply);

    PT_START(&loop, &third, ask, .words[0] = "BLPOP", .words[1] = "pt:none", .words[2] = "0",
             .count = 3);
    PT_YIELD(); /* it is sent */
    pt_cancel(&redis.task, PT_ECANCELED);
    PT_JOIN(&third.task);
    printf("the end:  %s\n", pt_status_text(pt_task_status(&third.task)));
    PT_FINALLY
    pt_cancel(&redis.task, PT_ECANCELED);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(client) client;

    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &redis, pt_redis, .system = &sys,
             .context = redisAsyncConnect("127.0.0.1", atoi(argv[1])));
    PT_START(&loop, &client, client);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    printf("status:   %s\n", pt_status_text(pt_task_status(&client.task)));
    return 0;
}
