/* pt_redis.h - a connection of hiredis, whose replies tasks await
 * SPDX-License-Identifier: MIT
 *
 *     static PT_TASK(pt_redis) redis;
 *     PT_START(&loop, &redis, pt_redis, .system = &sys,
 *              .context = redisAsyncConnect("127.0.0.1", 6379));
 *
 *     PT_WAIT_COMPLETE(&self->get, pt_redis_command, .redis = &redis.frame, .argc = 2,
 *                      .argv = self->words, .take = keep, .user = self);
 *
 * Copy the two files, or build them with the program: they need hiredis 0.14 and libpt. */
#ifndef PT_REDIS_H
#define PT_REDIS_H

#include <pt/host.h>

#include <hiredis/async.h>

/* The frame of the task that reads and writes for a connection, until that or the task ends:
 * PT_ECLOSED if the other side has ended it or could not be reached, PT_ETIMEDOUT if it was silent
 * for longer than PATIENCE, PT_EIO if the system refuses. Commands that are left get PT_ECLOSED.
 * hiredis's callbacks run in this task: they must not wait.
 *
 * Silent is a server that does not let it connect, or owes a reply and sends nothing. Set PATIENCE,
 * because no command can be canceled; longer than those that block at the server (BLPOP) may. */
struct pt_redis {
    struct pt pt;
    struct pt_system *system;   /* the caller sets this and the next two */
    redisAsyncContext *context; /* belongs to the task, which frees it; NULL: it has ended */
    pt_time patience;           /* 0: for ever */
    int events;                 /* what it waits for; the function writes this and the rest */
    bool failed;                /* the system has refused to watch the socket */
    bool owes;                  /* the server has not answered all */
    struct pt_pollset set;
    struct pt_pollset_wait next;
};

PT_DECLARE(pt_redis);

/* The frame of a command, and of the wait for its reply. TYPE and INTEGER say what that is; TAKE
 * gets it for the time of the call, and copies what it needs. PT_OK; PT_ECLOSED, without a call of
 * TAKE, if the connection ends. Since hiredis keeps a command until its reply, a cancel or a timeout
 * waits for that, too. */
struct pt_redis_command {
    struct pt pt;
    struct pt_redis *redis; /* the caller sets this and the next four */
    int argc;
    const char **argv;                                 /* the words of the command */
    void (*take)(void *user, const redisReply *reply); /* or NULL */
    void *user;
    int type; /* REDIS_REPLY_INTEGER and so on; 0: none; the function writes the rest, too */
    long long integer; /* if it is one */
    pt_status status;
    struct pt_event done;
};

PT_DECLARE(pt_redis_command);

#endif
