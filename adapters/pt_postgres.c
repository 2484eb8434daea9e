/* pt_postgres.c - a connection of libpq, whose results tasks await
 * SPDX-License-Identifier: MIT */
#include "pt_postgres.h"

void pt_postgres_close(struct pt_postgres *db)
{
    if (!db->connection)
        return;
    pt_io_close(&db->io); /* ends the loan, while the socket is open */
    PQfinish(db->connection);
    db->connection = NULL;
}

/* libpq can change its socket from one step to the next. */
PT_ASYNC(pt_postgres_connect, self)
{
    pt_lock_init(&self->db->lock);
    self->db->connection = PQconnectStart(self->info);
    if (!self->db->connection)
        PT_RETURN(PT_ENOMEM);
    self->next = PQstatus(self->db->connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED
                                                                  : PGRES_POLLING_WRITING;
    while (self->next == PGRES_POLLING_READING || self->next == PGRES_POLLING_WRITING) {
        self->pt.status =
            pt_io_borrow(&self->db->io, self->db->system, PQsocket(self->db->connection));
        if (self->pt.status == PT_OK && self->next == PGRES_POLLING_READING)
            PT_WAIT_READABLE(&self->db->io);
        else if (self->pt.status == PT_OK)
            PT_WAIT_WRITABLE(&self->db->io);
        pt_io_close(&self->db->io);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        self->next = PQconnectPoll(self->db->connection);
    }
    if (self->next != PGRES_POLLING_OK)
        PT_RETURN(PT_ECLOSED);
    if (PQsetnonblocking(self->db->connection, 1))
        PT_RETURN(PT_EIO);
    PT_RETURN(pt_io_borrow(&self->db->io, self->db->system, PQsocket(self->db->connection)));
}
PT_END

/* --- a query --------------------------------------------------------------------------------- */

PT_DECLARE(pt_postgres_gather_);

static bool copies(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);

    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

/* Send and take what is possible now: 0 at the end of the results, or the events of poll(2) that are
 * needed, or -1 for COPY. If the connection has ended, libpq makes the last result. */
static int advance(PGconn *connection, PGresult **last)
{
    for (;;) {
        bool lives = PQstatus(connection) == CONNECTION_OK;
        PGresult *result;

        if (lives && PQflush(connection) > 0)
            return POLLIN | POLLOUT;
        if (lives && PQisBusy(connection))
            return POLLIN;
        result = PQgetResult(connection);
        if (!result)
            return 0;
        PQclear(*last);
        *last = result;
        if (copies(result))
            return -1;
    }
}

PT_ASYNC(pt_postgres_gather_, self)
{
    while ((self->wants = advance(self->db->connection, self->result)) > 0) {
        if (self->wants & POLLOUT)
            PT_SELECT(&self->next, PT_CASE_READABLE(&self->db->io),
                      PT_CASE_WRITABLE(&self->db->io));
        else
            PT_WAIT_READABLE(&self->db->io);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        if (!PQconsumeInput(self->db->connection))
            pt_io_close(&self->db->io); /* libpq has closed the socket */
    }
    PT_RETURN(self->wants ? PT_EINVAL : PT_OK);
}
PT_END

static void cancel_query(void *cancel)
{
    char why[256];

    PQcancel((PGcancel *)cancel, why, sizeof why);
}

PT_ASYNC(pt_postgres_query, self)
{
    PT_LOCK(&self->db->lock);
    if (PQstatus(self->db->connection) != CONNECTION_OK)
        PT_RETURN(PT_ECLOSED);
    if (!PQsendQueryParams(self->db->connection, self->text, self->count, NULL, self->values, NULL,
                           NULL, 0))
        PT_RETURN(PQstatus(self->db->connection) == CONNECTION_OK ? PT_EINVAL : PT_ECLOSED);
    self->sent = true;
    PT_TRY(&self->step.gather, pt_postgres_gather_, .db = self->db, .result = &self->result);
    self->sent = false;
    if (PQstatus(self->db->connection) != CONNECTION_OK)
        PT_RETURN(PT_ECLOSED);
    if (PQresultStatus(self->result) == PGRES_FATAL_ERROR)
        PT_RETURN(PT_EFAILED);
    PT_FINALLY
    if (self->sent) {
        self->cancel = self->db->workers ? PQgetCancel(self->db->connection) : NULL;
        if (self->cancel)
            PT_WAIT_COMPLETE(&self->step.call, pt_blocking, .workers = self->db->workers,
                             .work = cancel_query, .argument = self->cancel);
        PQfreeCancel(self->cancel);
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(5)) {
            PT_WAIT_COMPLETE(&self->step.gather, pt_postgres_gather_, .db = self->db,
                             .result = &self->result);
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
