/* postgres-inside.c - libpq as a guest in pt: tasks await the results of a database
 * SPDX-License-Identifier: MIT
 *
 *     postgres-inside INFO      "host=/run/postgresql user=me", for example: what libpq calls conninfo
 *
 * What to notice:
 *   - Tasks share one connection: adapters/pt_postgres.h. Each waits for the queries before its own.
 *   - A timeout cancels the query at the server; the connection goes on.
 *   - A connection that has ended begins again. */
#include "../../adapters/pt_postgres.h"

#include <stdio.h>

static struct pt_system sys;
static struct pt_loop loop;
static PT_TASK(pt_postgres) db;

/* Send a query, and print the first value of its result, or why there is none. */
struct ask {
    struct pt pt;
    const char *text;
    const char *values[2];
    struct pt_postgres_query query;
};

static PT_ASYNC(ask, self)
{
    PT_TRY(&self->query, pt_postgres_query, .db = &db.frame, .text = self->text,
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
    struct ask ask;
    struct pt_scope limit;
};

static PT_TASK(ask) first, second;

static PT_ASYNC(client, self)
{
    PT_START(&loop, &first, ask, .text = "select $1::int + $2::int", .values[0] = "40",
             .values[1] = "1");
    PT_START(&loop, &second, ask, .text = "select $1::int + $2::int", .values[0] = "40",
             .values[1] = "2");
    PT_JOIN(&first.task);
    PT_JOIN(&second.task);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select nothing");

    PT_WITH_TIMEOUT(&self->limit, PT_MS(50)) {
        PT_WAIT_COMPLETE(&self->ask, ask, .text = "select pg_sleep(60)");
    }
    printf("%s; ", pt_timed_out(&self->limit) ? "timed out" : "slept");
    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select $1", .values[0] = "the connection goes on");

    PT_WAIT_COMPLETE(&self->ask, ask, .text = "select pg_terminate_backend(pg_backend_pid())");
    printf("%s; ", pt_status_text(self->pt.status));
    do {
        PT_WAIT(PT_MS(10));
        PT_WAIT_COMPLETE(&self->ask, ask, .text = "select $1", .values[0] = "connected again");
    } while (self->pt.status == PT_ECLOSED);
    PT_FINALLY
    if (self->pt.result == PT_ECLOSED)
        fputs(db.frame.error, stderr);
    pt_cancel(&db.task, PT_ECANCELED);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(client) client;

    if (argc < 2 || pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &db, pt_postgres, .system = &sys, .info = argv[1]);
    PT_START(&loop, &client, client);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    printf("status: %s\n", pt_status_text(pt_task_status(&client.task)));
    return 0;
}
