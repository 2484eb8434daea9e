/* postgres-inside.c - libpq as a guest in pt: tasks await the results of a database
 * SPDX-License-Identifier: MIT
 *
 *     postgres-inside INFO      "host=/run/postgresql user=me", for example: what libpq calls conninfo
 *
 * What to notice:
 *   - Tasks share one connection: adapters/pt_postgres.h. Each waits for the queries before its own.
 *   - A timeout cancels the query at the server; the connection goes on.
 *   - After the end of a connection the task connects again. */
#include "../../adapters/pt_postgres.h"

#include <stdio.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_workers workers;
static struct pt_postgres db = {.system = &sys, .workers = &workers};

/* Send a query, and print the first value of its result, or why there is none. */
struct ask {
    struct pt pt;
    const char *text;
    const char *values[2];
    struct pt_postgres_query query;
};

static PT_ASYNC(ask, self)
{
    PT_TRY(&self->query, pt_postgres_query, .db = &db, .text = self->text,
           .count = (self->values[0] != NULL) + (self->values[1] != NULL), .values = self->values);
    printf("%s\n", PQgetvalue(self->query.result, 0, 0));
    PT_FINALLY
    if (self->pt.result == PT_EFAILED)
        printf("error %s\n", PQresultErrorField(self->query.result, PG_DIAG_SQLSTATE));
    PQclear(self->query.result);
}
PT_END

struct client {
    struct pt pt;
    const char *info;
    struct pt_postgres_connect connect;
    struct ask ask;
    struct pt_scope limit;
};

static PT_TASK(ask) first, second;

static PT_ASYNC(client, self)
{
    PT_TRY(&self->connect, pt_postgres_connect, .db = &db, .info = self->info);
    PT_START(&loop, &first, ask, .text = "select $1::int + $2::int", .values[0] = "40",
             .values[1] = "1");
    PT_START(&loop, &second, ask, .text = "select $1::int + $2::int", .values[0] = "40",
             .values[1] = "2");
    PT_JOIN(&first.task);
    PT_JOIN(&second.task);
    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select nothing");

    PT_WITH_TIMEOUT(&self->limit, PT_MS(50)) {
        PT_WAIT_COMPLETE(&self->ask, ask, .text = "select pg_sleep(60)");
    }
    printf("%s; ", pt_timed_out(&self->limit) ? "timed out" : "slept");
    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select $1", .values[0] = "the connection goes on");

    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select pg_terminate_backend(pg_backend_pid())");
    printf("%s; ", pt_status_text(self->pt.status));
    pt_postgres_close(&db);
    PT_TRY(&self->connect, pt_postgres_connect, .db = &db, .info = self->info);
    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select $1", .values[0] = "connected again");
    PT_FINALLY
    if (self->connect.pt.status == PT_ECLOSED)
        fputs(PQerrorMessage(db.connection), stderr);
    pt_postgres_close(&db);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(client) client;

    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_workers_open(&workers, &sys, 1) != PT_OK)
        return 1;
    PT_START(&loop, &client, client, .info = argv[1]);
    pt_loop_run(&loop);
    pt_workers_close(&workers);
    pt_system_close(&sys);
    printf("status: %s\n", pt_status_text(pt_task_status(&client.task)));
    return 0;
}
