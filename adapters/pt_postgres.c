/* pt_postgres.c - a connection of libpq, whose results tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_postgres.h"

static void end_connection(struct pt_postgres *db)
{
    pt_io_close(&db->io); /* while the socket is open; a query that waits gets PT_ECLOSED */
    snprintf(db->error, sizeof db->error, "%s", PQerrorMessage(db->connection));
    PQfinish(db->connection);
    db->connection = NULL;
}

/* Queries wait for the lock while it connects. libpq can change its socket between two steps. */
PT_ASYNC(pt_postgres, self)
{
    pt_lock_init(&self->lock);
    self->patience = self->patience ? self->patience : PT_SEC(5);
    for (;; end_connection(self)) {
        PT_WITH_LOCK(&self->held, &self->lock) {
            PT_WAIT(self->attempts++ ? PT_MS(100) : 0);
            self->connection = PQconnectStart(self->info);
            self->next = PGRES_POLLING_WRITING;
            PT_WITH_TIMEOUT(&self->limit, self->patience) {
                while (PQstatus(self->connection) != CONNECTION_BAD &&
                       pt_io_borrow(&self->io, self->system, PQsocket(self->connection)) == PT_OK &&
                       self->next != PGRES_POLLING_OK) {
                    PT_SELECT(&self->ready, PT_CASE_READABLE(&self->io),
                              PT_CASE_IF(self->next == PGRES_POLLING_WRITING,
                                         PT_CASE_WRITABLE(&self->io)));
                    pt_io_close(&self->io);
                    self->next = PQconnectPoll(self->connection);
                }
            }
        }
        if (self->next == PGRES_POLLING_OK && PQsetnonblocking(self->connection, 1) == 0)
            PT_WAIT_HANGUP(&self->io); /* or until a query closes it */
    }
    PT_FINALLY
    end_connection(self);
}
PT_END

/* Take the results until they end. If the connection ends, libpq makes one. */
PT_ASYNC(pt_postgres_take_, self)
{
    do {
        while ((self->left = PQflush(self->db->connection)) > 0 || PQisBusy(self->db->connection)) {
            PT_SELECT(&self->ready, PT_CASE_READABLE(&self->db->io),
                      PT_CASE_IF(self->left > 0, PT_CASE_WRITABLE(&self->db->io)));
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
            if (!PQconsumeInput(self->db->connection))
                pt_io_close(&self->db->io); /* libpq has closed the socket */
        }
        self->next = PQgetResult(self->db->connection);
        if (!self->next)
            PT_RETURN(PT_OK);
        PQclear(*self->last);
        *self->last = self->next;
    } while (PQresultStatus(self->next) != PGRES_COPY_IN &&
             PQresultStatus(self->next) != PGRES_COPY_OUT);
    PT_RETURN(PT_EINVAL);
}
PT_END

static void cancel_query(void *cancel)
{
    char why[256];

    PQcancel((PGcancel *)cancel, why, sizeof why);
    PQfreeCancel((PGcancel *)cancel);
}

PT_ASYNC(pt_postgres_query, self)
{
    PT_LOCK(&self->db->lock);
    self->sent = PQsendQueryParams(self->db->connection, self->text, self->count, NULL,
                                   self->values, NULL, NULL, 0);
    PT_TRY(&self->take, pt_postgres_take_, .db = self->db, .last = &self->result);
    self->sent = false;
    PT_RETURN(PQstatus(self->db->connection) != CONNECTION_OK     ? PT_ECLOSED
              : !self->result                                     ? PT_EINVAL
              : PQresultStatus(self->result) == PGRES_FATAL_ERROR ? PT_EFAILED
                                                                  : PT_OK);
    PT_FINALLY
    if (self->sent) {
        PT_WITH_TIMEOUT(&self->limit, self->db->patience) {
            PT_WAIT_COMPLETE(&self->call, pt_detached, .work = cancel_query,
                             .argument = PQgetCancel(self->db->connection));
            PT_WAIT_COMPLETE(&self->take, pt_postgres_take_, .db = self->db, .last = &self->result);
        }
        if (!self->call.begun)
            PQfreeCancel((PGcancel *)self->call.argument);
        if (pt_timed_out(&self->limit) || self->pt.status != PT_OK)
            pt_io_close(&self->db->io); /* ends the connection */
    }
    if (PT_HOLDS(&self->db->lock))
        PT_UNLOCK(&self->db->lock);
}
PT_END
