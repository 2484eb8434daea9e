/* pt_postgres.h - a connection of libpq, whose results tasks await
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_postgres db;             {.system = &sys, .workers = &workers}
 *
 *     PT_TRY(&self->connect, pt_postgres_connect, .db = &db, .info = "hostaddr=127.0.0.1");
 *     PT_TRY(&self->query, pt_postgres_query, .db = &db, .text = "select name from t where id = $1",
 *            .count = 1, .values = self->words);
 *     puts(PQgetvalue(self->query.result, 0, 0));
 *
 *     PT_FINALLY
 *     PQclear(self->query.result);
 *     pt_postgres_close(&db);                   by the task that has connected
 *
 * Tasks share a connection: a query waits for those before it. Copy the two files, or build them
 * with the program: they need libpq 12 and libpt. */
#ifndef PT_POSTGRES_H
#define PT_POSTGRES_H

#include <pt/host.h>

#include <libpq-fe.h>

/* A connection. It must not move while it is open. */
struct pt_postgres {
    struct pt_system *system;   /* you set this and the next */
    struct pt_workers *workers; /* a thread of these asks the server to cancel; NULL: none does */
    PGconn *connection;         /* NULL: closed; the functions write this and the rest */
    struct pt_io io;            /* borrows its socket */
    struct pt_lock lock;        /* of the task whose query is under way */
};

/* The frame of an attempt to connect. PT_OK; PT_ECLOSED, and PQerrorMessage(db->connection) tells
 * why; PT_ENOMEM, PT_EIO. Give libpq an address: it looks up a name while the loop waits
 * (pt_resolve does not). Its connect_timeout has no effect; use a block. After any code, a cancel
 * or a timeout too, only pt_postgres_close ends the connection. */
struct pt_postgres_connect {
    struct pt pt;
    struct pt_postgres *db; /* the caller sets this and the next */
    const char *info;       /* as PQconnectdb: hosts, database, user */
    PostgresPollingStatusType next;
};

PT_DECLARE(pt_postgres_connect);

/* The frame that reads results. It is part of the next one. */
struct pt_postgres_gather_ {
    struct pt pt;
    struct pt_io *io;
    PGconn *connection;
    PGresult **last, *next;
    bool sends; /* not all is sent */
    PT_SELECTION(2) ready;
};

/* The frame of a query and its results, of which the last one is kept. PT_OK; PT_EFAILED if the
 * server refuses it: PQresultErrorMessage(query.result); PT_EINVAL if libpq does, of which
 * PQerrorMessage(db->connection) tells; PT_ECLOSED if the connection has ended: its task closes it,
 * and can connect again. Whether the query was done by then, only the database tells. COPY ends the
 * connection.
 *
 * A cancel or a timeout cancels the query at the server, by PQcancel in a thread, and waits for
 * that: then the connection is as before. If the results do not end within five seconds, the
 * connection is closed. */
struct pt_postgres_query {
    struct pt pt;
    struct pt_postgres *db; /* the caller sets this and the next three */
    const char *text;       /* one statement; $1 is the first value */
    int count;
    const char *const *values; /* texts; NULL: null */
    PGresult *result;          /* PQclear it; NULL after a cancel; the function writes the rest */
    bool sent;
    struct pt_scope limit;
    union {
        struct pt_postgres_gather_ gather;
        struct pt_blocking call;
    } step;
};

PT_DECLARE(pt_postgres_query);

/* pt_postgres_close - end the connection; no effect if closed, or zeroed; no query may be under way */
void pt_postgres_close(struct pt_postgres *db);

#endif
