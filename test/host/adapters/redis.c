/* redis.c - test adapters/pt_redis: a cancel at each turn of a command, the end of its connection at each byte
 * SPDX-License-Identifier: MIT
 *
 * The server is a task of the same loop, and replies byte by byte, each sent at once: so a turn is a
 * point, whatever the speed. */
#include "../../../adapters/pt_redis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static const char incr[] = "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n";
static const char *words[] = {"INCR", "n"};
static int count;      /* the commands that the server has done */
static int taken;      /* the replies that a task has got */
static int lives = -1; /* how many bytes the server still reads or writes; -1: all */
static bool silent;    /* the server reads, and does not reply */
static int port;

static void check(bool holds, const char *what, int point)
{
    if (holds)
        return;
    printf("point %d: %s\n", point, what);
    fflush(stdout);
    abort();
}

/* --- the server ------------------------------------------------------------------------------ */

struct server {
    struct pt pt;
    struct pt_io listener, io;
    char command[sizeof incr - 1], reply[16];
    size_t i, moved;
};

/* Whether the server dies here. */
static bool dies(void)
{
    return lives >= 0 && lives-- == 0;
}

static PT_ASYNC(server, self)
{
    for (;;) {
        PT_ACCEPT(&self->listener, &self->io);
        if (self->pt.status != PT_OK)
            break;
        pt_tcp_tune(&self->io, true, 0);
        while (self->pt.status == PT_OK) {
            for (self->i = 0; self->i < sizeof self->command && !dies(); self->i++) {
                PT_READ(&self->io, &self->command[self->i], 1, &self->moved);
                if (self->pt.status != PT_OK || self->moved == 0)
                    break;
            }
            if (self->i < sizeof self->command || memcmp(self->command, incr, sizeof incr - 1) != 0)
                break;
            if (silent)
                continue;
            snprintf(self->reply, sizeof self->reply, ":%d\r\n", ++count);
            for (self->i = 0; self->reply[self->i] && !dies(); self->i++) {
                PT_WRITE(&self->io, &self->reply[self->i], 1, &self->moved);
                PT_YIELD();
            }
            if (self->reply[self->i])
                break;
        }
        pt_io_close(&self->io);
    }
    PT_FINALLY
    pt_io_close(&self->io);
    pt_io_close(&self->listener);
}
PT_END

/* --- the client ------------------------------------------------------------------------------ */

static PT_TASK(pt_redis) redis;

static void take(void *user, const redisReply *reply)
{
    taken++;
    *(long long *)user = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
}

struct ask {
    struct pt pt;
    long long got;
    struct pt_redis_command command;
};

static PT_ASYNC(ask, self)
{
    PT_TRY(&self->command, pt_redis_command, .redis = &redis.frame, .argc = 2, .argv = words,
           .take = take, .user = &self->got);
}
PT_END

static PT_TASK(ask) asker, later[8];

/* One command, which a cancel of TASK meets after POINT turns; NULL: none does. */
struct point {
    struct pt pt;
    struct pt_task *task;
    int point, i;
    bool whole; /* the command was done before the cancel */
};

static PT_ASYNC(point, self)
{
    PT_SPAWN(&asker, ask);
    for (self->i = 0; self->i < self->point && !pt_task_done(&asker.task); self->i++)
        PT_YIELD();
    self->whole = pt_task_done(&asker.task);
    if (self->task)
        pt_cancel(self->task, PT_ECANCELED);
    PT_JOIN(&asker.task);
    PT_RETURN(self->pt.status);
}
PT_END

struct test {
    struct pt pt;
    struct pt_task *server;
    struct point one;
    struct ask next;
    int point, i;
};

#define CONNECT() \
    PT_SPAWN(&redis, pt_redis, .system = &sys, .context = redisAsyncConnect("127.0.0.1", port))

/* The next command gets its own reply, and no reply was lost or has come twice. */
#define GOES_ON()                                                                      \
    do {                                                                               \
        PT_WAIT_COMPLETE(&self->next, ask);                                            \
        check(self->pt.status == PT_OK, "the connection does not go on", self->point); \
        check(self->next.got == count, "a reply is another command's", self->point);   \
    } while (0)

static PT_ASYNC(test, self)
{
    CONNECT();
    for (self->point = 0; !self->one.whole; self->point++) {
        PT_WAIT_COMPLETE(&self->one, point, .task = &asker.task, .point = self->point);
        check(self->pt.status == (self->one.whole ? PT_OK : PT_ECANCELED), "wrong code",
              self->point);
        GOES_ON();
        check(taken == count, "a reply is not taken", self->point);
    }
    check(self->point > 4, "a command has no turns", self->point);
    puts("a_cancel_at_each_turn_of_a_command_leaves_the_connection_whole");

    self->one.whole = false;
    for (self->point = 0; !self->one.whole; self->point++) {
        PT_WAIT_COMPLETE(&self->one, point, .task = &redis.task, .point = self->point);
        check(self->pt.status == (self->one.whole ? PT_OK : PT_ECLOSED), "wrong code", self->point);
        PT_JOIN(&redis.task);
        CONNECT();
        GOES_ON();
    }
    puts("a_cancel_of_the_connection_at_each_turn_ends_its_command");

    for (self->point = 0;; self->point++) {
        lives = self->point;
        taken = 0;
        PT_WAIT_COMPLETE(&self->one, point);
        check(self->pt.status == (taken ? PT_OK : PT_ECLOSED), "wrong code", self->point);
        if (taken)
            break;
        PT_JOIN(&redis.task);
        check(self->pt.status == PT_ECLOSED, "the end is not told", self->point);
        PT_WAIT_COMPLETE(&self->next, ask);
        check(self->pt.status == PT_ECLOSED, "a command without a connection", self->point);
        lives = -1;
        CONNECT();
        GOES_ON();
    }
    check(self->point > (int)sizeof incr, "the server has not died at each byte", self->point);
    puts("a_server_that_dies_at_each_byte_ends_the_command_and_returns");

    pt_cancel(&redis.task, PT_ECANCELED);
    PT_JOIN(&redis.task);
    PT_SPAWN(&redis, pt_redis, .system = &sys, .patience = PT_SEC(1),
             .context = redisAsyncConnect("127.0.0.1", port));
    GOES_ON();
    PT_WAIT(PT_MS(1100)); /* nothing is owed meanwhile */
    GOES_ON();
    silent = true;
    PT_SPAWN(&asker, ask);
    for (self->i = 0; pt_task_alive(&asker.task); self->i++) {
        if (self->i < 8)
            PT_SPAWN(&later[self->i], ask); /* more commands prolong nothing */
        PT_WAIT(PT_MS(200));
    }
    check(self->i < 8, "new commands prolong the silence", self->i);
    check(pt_task_status(&asker.task) == PT_ECLOSED, "wrong code", self->i);
    check(pt_task_status(&redis.task) == PT_ETIMEDOUT, "the silence is not told", self->i);
    silent = false;
    CONNECT();
    GOES_ON();
    puts("a_server_that_owes_a_reply_and_is_silent_is_given_up_after_the_patience");
    PT_FINALLY
    pt_cancel(&redis.task, PT_ECANCELED);
    pt_cancel(self->server, PT_ECANCELED);
}
PT_END

int main(void)
{
    static PT_TASK(server) server;
    static PT_TASK(test) test;

    struct pt_address address;
    char text[PT_ADDRESS_TEXT];

    if (pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_listen_at(&server.frame.listener, &sys, "127.0.0.1:0") != PT_OK ||
        pt_io_local(&server.frame.listener, &address) != PT_OK)
        return 1;
    pt_address_text(&address, text, sizeof text);
    port = atoi(strrchr(text, ':') + 1);
    PT_START(&loop, &server, server, PT_KEEP);
    PT_START(&loop, &test, test, .server = &server.task);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return pt_task_status(&test.task) != PT_OK;
}
