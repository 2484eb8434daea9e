/* pt_postgres.c - a connection of libpq, whose results tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_postgres.h"

void pt_postgres_close(struct pt_postgres *db)
{
    pt_io_close(&db->io); /* ends the loan, while the socket is open */
    PQfinish(db->connection);
    db->connection = NULL;
}

/* libpq can change its socket from one step to the next. */
PT_ASYNC(pt_postgres_connect, self)
{
    pt_lock_init(&self->db->lock);
    self->db->connection = PQconnectStart(self->info);
    self->next = PGRES_POLLING_WRITING;
    while (PQstatus(self->db->connection) != CONNECTION_BAD) {
        self->pt.status =
            pt_io_borrow(&self->db->io, self->db->system, PQsocket(self->db->connection));
        if (self->pt.status == PT_OK && self->next == PGRES_POLLING_OK)
            PT_RETURN(PQsetnonblocking(self->db->connection, 1) ? PT_EIO : PT_OK);
        if (self->pt.status == PT_OK && self->next == PGRES_POLLING_READING)
            PT_WAIT_READABLE(&self->db->io);
        else if (self->pt.status == PT_OK)
            PT_WAIT_WRITABLE(&self->db->io);
        pt_io_close(&self->db->io);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        self->next = PQconnectPoll(self->db->connection);
    }
    PT_RETURN(self->db->connection ? PT_ECLOSED : PT_ENOMEM);
}
PT_END

/* Send the query, and take the results until they end. If the connection ends, libpq makes one. */
PT_ASYNC(pt_postgres_gather_, self)
{
    do {
        while ((self->sends = PQflush(self->connection) > 0) || PQisBusy(self->connection)) {
            PT_SELECT(&self->ready, PT_CASE_READABLE(self->io),
                      PT_CASE_IF(self->sends, PT_CASE_WRITABLE(self->io)));
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
            if (!PQconsumeInput(self->connection))
                pt_io_close(self->io); /* libpq has closed the socket */
        }
        self->next = PQgetResult(self->connection);
        if (!self->next)
            PT_RETURN(PT_OK);
        PQclear(*self->last);
        *self->last = self->next;
    } while (PQresultStatus(self->next) != PGRES_COPY_IN &&
             PQresultStatus(self->next) != PGRES_COPY_OUT);
    PT_RETURN(PT_EINVAL);
}
PT_END

static void cancel_query(void *connection)
{
    PGcancel *cancel = PQgetCancel((PGconn *)connection);
    char why[256];

    PQcancel(cancel, why, sizeof why);
    PQfreeCancel(cancel);
}

PT_ASYNC(pt_postgres_query, self)
{
    PT_LOCK(&self->db->lock);
    self->sent = PQsendQueryParams(self->db->connection, self->text, self->count, NULL,
                                   self->values, NULL, NULL, 0);
    if (self->sent)
        PT_TRY(&self->step.gather, pt_postgres_gather_, .io = &self->db->io,
               .connection = self->db->connection, .last = &self->result);
    self->sent = false;
    if (PQstatus(self->db->connection) != CONNECTION_OK)
        PT_RETURN(PT_ECLOSED);
    if (!self->result)
        PT_RETURN(PT_EINVAL);
    PT_RETURN(PQresultStatus(self->result) == PGRES_FATAL_ERROR ? PT_EFAILED : PT_OK);
    PT_FINALLY
    if (self->sent) {
        if (self->db->workers)
            PT_WAIT_COMPLETE(&self->step.call, pt_blocking, .workers = self->db->workers,
                             .work = cancel_query, .argument = self->db->connection);
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
            PT_WAIT_COMPLETE(&self->step.gather, pt_postgres_gather_, .io = &self->db->io,
                             .connection = self->db->connection, .last = &self->result);
            self->sent = self->pt.status != PT_OK;
        }
        PQclear(self->result);
        self->result = NULL;
    }
    if (self->sent)
        pt_postgres_close(self->db);
    if (PT_HOLDS(&self->db->lock))
        PT_UNLOCK(&self->db->lock);
}
PT_END
