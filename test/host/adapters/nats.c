/* nats.c - test adapters/pt_nats: cancels at the turns of a request; the rest at the end; servers that die
 * SPDX-License-Identifier: MIT
 *
 *     nats PORT      runs nats-server there; its speed decides only how many turns a request has */
#include "../../../adapters/pt_nats_message.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_workers workers;
static natsOptions *options;
static char *port;
static pid_t server;
static PT_TASK(pt_nats) nats, other;

static void start_server(void)
{
    server = fork();
    if (server == 0) {
        execlp("nats-server", "nats-server", "-a", "127.0.0.1", "-p", port, (char *)NULL);
        _exit(1);
    }
}

static void kill_server(void)
{
    if (server <= 0)
        return;
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    server = 0;
}

static void check(bool holds, const char *what, int point)
{
    if (holds)
        return;
    printf("point %d: %s\n", point, what);
    fflush(stdout);
    kill_server();
    abort();
}

/* --- two tasks ------------------------------------------------------------------------------- */

/* Reply to each request with its text. */
struct echo {
    struct pt pt;
    natsSubscription *requests;
    struct pt_nats_next next;
};

static PT_ASYNC(echo, self)
{
    for (;;) {
        PT_TRY(&self->next, pt_nats_next, .nats = &nats.frame, .subscription = self->requests);
        natsConnection_Publish(nats.frame.connection, natsMsg_GetReply(self->next.message),
                               natsMsg_GetData(self->next.message),
                               natsMsg_GetDataLength(self->next.message));
        natsMsg_Destroy(self->next.message);
    }
    PT_FINALLY
    natsSubscription_Destroy(self->requests);
}
PT_END

/* Ask the other one, and compare the reply. */
struct ask {
    struct pt pt;
    int number;
    char text[12];
    struct pt_nats_request request;
};

static PT_ASYNC(ask, self)
{
    snprintf(self->text, sizeof self->text, "%d", self->number);
    PT_TRY(&self->request, pt_nats_request, .nats = &nats.frame, .subject = "echo",
           .data = self->text, .size = (int)strlen(self->text));
    check(!strcmp(natsMsg_GetData(self->request.next.message), self->text),
          "a reply is another request's", self->number);
    PT_FINALLY
    if (self->pt.result == PT_EFAILED)
        printf("%s\n", natsStatus_GetText(self->request.next.result));
    natsMsg_Destroy(self->request.next.message);
}
PT_END

/* --- the test -------------------------------------------------------------------------------- */

static PT_TASK(echo) echo;
static PT_TASK(ask) asker;

/* Connect, as soon as the server is there. */
struct begin {
    struct pt pt;
    natsSubscription *requests;
};

static PT_ASYNC(begin, self)
{
    for (;;) {
        PT_SPAWN(&nats, pt_nats, .system = &sys, .workers = &workers, .options = options);
        PT_WAIT_EVENT(&nats.frame.begun);
        if (nats.frame.connection)
            break;
        PT_JOIN(&nats.task);
    }
    natsConnection_SubscribeSync(&self->requests, nats.frame.connection, "echo");
    PT_SPAWN(&echo, echo, .requests = self->requests);
}
PT_END

struct test {
    struct pt pt;
    struct begin begin;
    struct ask ask;
    struct pt_nats_next next;
    struct pt_scope limit;
    struct pt_nats_request request;
    natsSubscription *words;
    char text[1000];
    int point, i;
    bool whole;
};

enum { COUNT = 1000 };

/* One request, and a cancel of TASK after POINT turns. */
#define MEET(victim)                                                                      \
    do {                                                                                  \
        PT_SPAWN(&asker, ask, .number = self->point);                                     \
        for (self->i = 0; self->i < self->point && !pt_task_done(&asker.task); self->i++) \
            PT_YIELD();                                                                   \
        self->whole = pt_task_done(&asker.task);                                          \
        pt_cancel(victim, PT_ECANCELED);                                                  \
        PT_JOIN(&asker.task);                                                             \
    } while (0)

static PT_ASYNC(test, self)
{
    PT_TRY(&self->begin, begin);
    for (self->point = 0; !self->whole; self->point += 1 + self->point / 8) {
        MEET(&asker.task);
        check(self->pt.status == (self->whole ? PT_OK : PT_ECANCELED), "wrong code", self->point);
        PT_TRY(&self->ask, ask, .number = -self->point);
    }
    puts("a_cancel_at_the_turns_of_a_request_leaves_the_connection_whole");

    self->whole = false;
    for (self->point = 0; !self->whole; self->point += 1 + self->point / 8) {
        MEET(&nats.task);
        check(self->pt.status == PT_OK || (!self->whole && self->pt.status == PT_ECLOSED),
              "wrong code", self->point); /* a reply can come while the connection closes */
        PT_JOIN(&echo.task);
        check(self->pt.status == PT_ECLOSED, "a subscription goes on", self->point);
        PT_JOIN(&nats.task);
        PT_TRY(&self->begin, begin);
        PT_TRY(&self->ask, ask, .number = -self->point);
    }
    puts("a_cancel_of_the_connection_at_its_turns_ends_requests_and_subscriptions");

    PT_SPAWN(&other, pt_nats, .system = &sys, .workers = &workers, .options = options);
    PT_WAIT_EVENT(&other.frame.begun);
    natsConnection_SubscribeSync(&self->words, other.frame.connection, "words");
    PT_TRY(&self->request, pt_nats_request, .nats = &other.frame, .subject = "echo", .data = "",
           .size = 0);
    natsMsg_Destroy(self->request.next.message);
    for (self->i = 0; self->i < COUNT; self->i++)
        natsConnection_Publish(nats.frame.connection, self->i % 2 ? "echo" : "words", self->text,
                               sizeof self->text);
    pt_cancel(&nats.task, PT_ECANCELED);
    PT_JOIN(&echo.task);
    PT_JOIN(&nats.task);
    natsConnection_PublishString(other.frame.connection, "words", "end");
    for (self->i = 0, self->whole = false; !self->whole; self->i++) {
        PT_TRY(&self->next, pt_nats_next, .nats = &other.frame, .subscription = self->words);
        self->whole = !strcmp(natsMsg_GetData(self->next.message), "end");
        natsMsg_Destroy(self->next.message);
    }
    check(self->i == COUNT / 2 + 1, "what was published is lost", self->i);
    natsSubscription_Destroy(self->words);
    self->words = NULL;
    pt_cancel(&other.task, PT_ECANCELED);
    PT_JOIN(&other.task);
    puts("a_cancel_of_the_connection_sends_what_was_published");

    PT_TRY(&self->begin, begin);
    PT_WAIT_COMPLETE(&self->request, pt_nats_request, .nats = &nats.frame, .subject = "echo",
                     .data = "", .size = 1 << 30);
    check(self->pt.status == PT_EFAILED && self->request.next.result == NATS_MAX_PAYLOAD,
          "a request that is too large", 0);
    puts("a_request_that_is_too_large_fails_at_once");

    natsConnection_SubscribeSync(&self->words, nats.frame.connection, "words");
    kill_server();
    PT_WITH_TIMEOUT(&self->limit, PT_MS(50)) {
        PT_WAIT_COMPLETE(&self->ask, ask, .number = 1);
    }
    check(pt_timed_out(&self->limit), "a request without a server", 0);
    natsConnection_PublishString(nats.frame.connection, "words", "kept");
    start_server();
    PT_TRY(&self->next, pt_nats_next, .nats = &nats.frame, .subscription = self->words);
    check(!strcmp(natsMsg_GetData(self->next.message), "kept"), "another message", 0);
    natsMsg_Destroy(self->next.message);
    PT_TRY(&self->ask, ask, .number = 2);
    puts("a_server_that_dies_and_returns_finds_its_subscriptions_and_what_was_published");

    pt_cancel(&nats.task, PT_ECANCELED);
    PT_JOIN(&nats.task);
    PT_JOIN(&echo.task);
    natsSubscription_Destroy(self->words);
    self->words = NULL;
    natsOptions_SetAllowReconnect(options, false);
    PT_TRY(&self->begin, begin);
    natsConnection_SubscribeSync(&self->words, nats.frame.connection, "words");
    kill_server();
    PT_WAIT_COMPLETE(&self->next, pt_nats_next, .nats = &nats.frame, .subscription = self->words);
    check(self->pt.status == PT_ECLOSED, "a subscription without a server", 0);
    PT_JOIN(&nats.task);
    check(self->pt.status == PT_ECLOSED, "the end is not told", 0);
    PT_WAIT_COMPLETE(&self->ask, ask, .number = 3);
    check(self->pt.status == PT_ECLOSED, "a request without a connection", 0);
    puts("a_server_that_does_not_return_ends_the_connection");
    PT_FINALLY
    natsSubscription_Destroy(self->words);
    pt_cancel(&other.task, PT_ECANCELED);
    pt_cancel(&nats.task, PT_ECANCELED);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(test) test;
    char url[64];

    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_workers_open(&workers, &sys, 1) != PT_OK || natsOptions_Create(&options) != NATS_OK)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    port = argv[1];
    snprintf(url, sizeof url, "nats://127.0.0.1:%s", port);
    natsOptions_SetURL(options, url);
    natsOptions_SetReconnectWait(options, 20);
    start_server();
    PT_START(&loop, &test, test);
    pt_loop_run(&loop);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    natsOptions_Destroy(options);
    nats_CloseAndWait(0);
    kill_server();
    check(pt_task_status(&test.task) == PT_OK, pt_status_text(pt_task_status(&test.task)),
          test.frame.point);
    return 0;
}
