/* postgres.c - test adapters/pt_postgres: cancels at the turns of a query, late errors, COPY, a server that is silent
 * SPDX-License-Identifier: MIT
 *
 *     postgres INFO      a real server, whose speed decides only how many turns a query has */
#include "../../../adapters/pt_postgres.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static PT_TASK(pt_postgres) db;
static char large[4000001];

/* The process of the connection and that of the server, while they are stopped. */
static pid_t stopped[2];

static void let_processes_go_on(void)
{
    for (int i = 0; i < 2; i++)
        if (stopped[i])
            kill(stopped[i], SIGCONT);
}

static void stop_processes(pid_t connection)
{
    char name[40];
    FILE *file;

    snprintf(name, sizeof name, "/proc/%d/stat", (int)connection);
    file = fopen(name, "r");
    if (!file || fscanf(file, "%d %*s %*c %d", &stopped[0], &stopped[1]) != 2)
        abort();
    fclose(file);
    kill(stopped[1], SIGSTOP);
    kill(stopped[0], SIGSTOP);
}

static void check(bool holds, const char *what, int point)
{
    if (holds)
        return;
    printf("point %d: %s: %s\n", point, what, db.frame.error);
    fflush(stdout);
    let_processes_go_on();
    abort();
}

struct ask {
    struct pt pt;
    const char *text, *value;
    char got[40];
    struct pt_postgres_query query;
};

static PT_ASYNC(ask, self)
{
    PT_TRY(&self->query, pt_postgres_query, .db = &db.frame, .text = self->text,
           .count = self->value != NULL, .values = &self->value);
    if (PQntuples(self->query.result) > 0)
        snprintf(self->got, sizeof self->got, "%s", PQgetvalue(self->query.result, 0, 0));
    PT_FINALLY
    if (self->pt.result == PT_EFAILED)
        snprintf(self->got, sizeof self->got, "%s",
                 PQresultErrorField(self->query.result, PG_DIAG_SQLSTATE));
    PQclear(self->query.result);
}
PT_END

struct test {
    struct pt pt;
    struct ask ask;
    int point, i;
    bool whole;
    char number[12];
};

static PT_TASK(ask) first, second;

#define ASK(code, value, ...)                                                        \
    do {                                                                             \
        PT_WAIT_COMPLETE(&self->ask, ask, .text = __VA_ARGS__);                      \
        check(self->pt.status == (code), "wrong code", self->point);                 \
        check(!strcmp(self->ask.got, value), "another query's result", self->point); \
    } while (0)

/* Until there is a connection again. */
#define ASK_AGAIN(value)                                                                      \
    do {                                                                                      \
        do {                                                                                  \
            PT_WAIT(PT_MS(10));                                                               \
            PT_WAIT_COMPLETE(&self->ask, ask, .text = "select '" value "'");                  \
        } while (self->pt.status == PT_ECLOSED);                                              \
        check(self->pt.status == PT_OK && !strcmp(self->ask.got, value), "no connection", 0); \
    } while (0)

static PT_ASYNC(test, self)
{
    for (self->point = 0; !self->whole; self->point++) {
        PT_SPAWN(&first, ask, .text = "select 'first', pg_sleep(0.001)");
        PT_SPAWN(&second, ask, .text = "select 'second'");
        for (self->i = 0; self->i < self->point && !pt_task_done(&second.task); self->i++)
            PT_YIELD();
        self->whole = pt_task_done(&second.task);
        pt_cancel(self->point % 2 ? &first.task : &second.task, PT_ECANCELED);
        PT_JOIN(&first.task);
        PT_JOIN(&second.task);
        snprintf(self->number, sizeof self->number, "%d", self->point);
        ASK(PT_OK, self->number, "select $1", .value = self->number);
        self->point += self->point / 8; /* a busy loop has thousands of turns meanwhile */
    }
    puts("a_cancel_at_the_turns_of_a_query_leaves_the_connection_to_the_next_one");

    ASK(PT_OK, "4000000", "select length($1)", .value = large);
    ASK(PT_OK, "", "create temporary table t (n int unique deferrable initially deferred)");
    ASK(PT_EFAILED, "23505", "insert into t values (1), (1)");
    puts("an_error_behind_the_result_fails_the_query");

    ASK(PT_EINVAL, "", "copy t to stdout");
    ASK_AGAIN("copied");
    ASK(PT_ECLOSED, "", "select pg_terminate_backend(pg_backend_pid())");
    ASK_AGAIN("terminated");
    puts("a_connection_that_copies_or_is_terminated_ends_and_the_next_one_works");

    ASK(PT_OK, self->ask.got, "select pg_backend_pid()");
    stop_processes(atoi(self->ask.got));
    PT_SPAWN(&first, ask, .text = "select 'never'");
    PT_YIELD();
    pt_cancel(&first.task, PT_ECANCELED);
    PT_JOIN(&first.task);
    check(self->pt.status == PT_ECANCELED, "wrong code", 0);
    let_processes_go_on();
    ASK_AGAIN("awake");
    puts("a_query_of_a_silent_server_is_left_after_the_patience_and_its_connection_ends");
    PT_FINALLY
    pt_cancel(&db.task, PT_ECANCELED);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(test) test;

    memset(large, 'x', sizeof large - 1);
    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &db, pt_postgres, .system = &sys, .info = argv[1], .patience = PT_SEC(2));
    PT_START(&loop, &test, test);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return pt_task_status(&test.task) != PT_OK;
}
