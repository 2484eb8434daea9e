/* pt_postgres.h - a connection of libpq, whose results tasks await
 * SPDX-License-Identifier: MIT
 *
 *     static PT_TASK(pt_postgres) db;
 *     PT_START(&loop, &db, pt_postgres, .system = &sys, .info = "hostaddr=127.0.0.1");
 *
 *     PT_TRY(&self->query, pt_postgres_query, .db = &db.frame, .count = 1, .values = self->words,
 *            .text = "select name from t where id = $1");
 *     puts(PQgetvalue(self->query.result, 0, 0));
 *
 *     PT_FINALLY
 *     PQclear(self->query.result);
 *
 *     pt_cancel(&db.task, PT_ECANCELED);               at the end
 *
 * Tasks share a connection: a query waits for those before it. Copy the two files, or build them
 * with the program: they need libpq 12 and libpt. */
#ifndef PT_POSTGRES_H
#define PT_POSTGRES_H

#include <pt/host.h>

#include <libpq-fe.h>

/* The frame of the task that connects, and connects again a tenth of a second after the connection
 * has ended, until it is canceled. Start it before those that ask. A query waits while it connects;
 * if that fails, or if the connection ends, it gets PT_ECLOSED, and ERROR tells why. So does one
 * after the end of this task, whose storage lasts until the queries have ended. An idle connection
 * that the server ends is noticed at once.
 *
 * A server that is silent delays no task for ever: PATIENCE limits how long an attempt to connect takes,
 * and how long a query that was canceled waits for its end. Give libpq an address: it looks up a
 * name while the loop waits (pt_resolve does not). Its connect_timeout has no effect. */
struct pt_postgres {
    struct pt pt;
    struct pt_system *system; /* the caller sets this and the next two */
    const char *info;         /* as PQconnectdb: hosts, database, user */
    pt_time patience;         /* 0: 5 s */
    PGconn *connection;       /* NULL: there is none; the function writes this and the rest */
    char error[256];          /* why the last one has ended, in libpq's words */
    unsigned attempts;        /* how often it has begun to connect */
    struct pt_io io;          /* borrows its socket */
    struct pt_lock lock;      /* of the task whose query is under way, or of this one */
    struct pt_held held;
    struct pt_scope limit;
    PostgresPollingStatusType next;
    PT_SELECTION(2) ready;
};

PT_DECLARE(pt_postgres);

/* The frame that takes results. It is part of the next one. */
struct pt_postgres_take_ {
    struct pt pt;
    struct pt_postgres *db;
    PGresult **last, *next;
    int left; /* 1: not all is sent */
    PT_SELECTION(2) ready;
};

/* The frame of a query and its results, of which the last one is kept. PT_OK; PT_EFAILED if the
 * server refuses it: PQresultErrorMessage(query.result); PT_EINVAL if libpq does, of which
 * PQerrorMessage(db->connection) tells; PT_ECLOSED if there is no connection, or it has ended.
 * Whether the query was done by then, only the database tells. COPY ends the connection.
 *
 * A cancel or a timeout cancels the query at the server, by PQcancel in a thread, and waits for
 * that: then the connection is as before. If its results do not end within the patience of the
 * connection, that ends; the thread goes on until the server answers or is gone. */
struct pt_postgres_query {
    struct pt pt;
    struct pt_postgres *db; /* the caller sets this and the next three */
    const char *text;       /* one statement; $1 is the first value */
    int count;
    const char *const *values; /* texts; NULL: null */
    PGresult *result;          /* PQclear it, whatever the code is; the function writes the rest */
    bool sent;
    struct pt_scope limit;
    struct pt_postgres_take_ take;
    struct pt_detached call;
};

PT_DECLARE(pt_postgres_query);

#endif
