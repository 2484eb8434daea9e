/* clients.c - the tasks that serve snapshots to the clients of a pt_live, in its thread
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "server.h"

#include <pt/host/stream.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE PT_SEC(10)     /* with a client that sends no request, or reads nothing */
#define ANSWER_WITHIN PT_SEC(1) /* else the client is told that the program's loop is silent */

enum { MOST_CLIENTS = 4 };

struct send {
    struct pt pt;
    struct pt_writer *writer;
    const struct pt_live_piece_ *piece;
    struct pt_scope limit;
    struct pt_write_all write;
};

struct question {
    struct pt pt;
    struct live_client *client;
    unsigned silent; /* for how many milliseconds */
    struct pt_scope limit;
    struct send send;
};

struct live_client {
    struct pt pt;
    struct pt_live_server_ *server;
    struct pt_io io;
    struct pt_reader reader;
    struct pt_writer writer; /* without a buffer */
    char request[64];
    unsigned every; /* milliseconds between snapshots; 0: one snapshot */
    unsigned from;  /* the number at which the next piece begins */
    bool watches, has_turn;
    struct pt_event answered;
    struct pt_scope limit;
    struct pt_read_line read;
    struct question question;
    struct send send;
    struct pt_live_piece_ piece;
};

/* --- to a client ----------------------------------------------------------------------------- */

/* Write a piece. PT_ETIMEDOUT if the client does not read it. */
static PT_ASYNC(send, self)
{
    PT_WITH_TIMEOUT(&self->limit, PATIENCE)
        PT_TRY(&self->write, pt_write_all, .writer = self->writer, .data = self->piece->text,
               .size = self->piece->used);
    if (pt_timed_out(&self->limit))
        PT_RETURN(PT_ETIMEDOUT);
}
PT_END

/* Begin the only line of a piece. */
static void begin_line(struct pt_live_piece_ *piece)
{
    piece->used = 0;
    piece->over = false;
    pt_live_put_(piece, "{");
}

static const struct pt_live_piece_ *greeting(struct pt_live_piece_ *piece)
{
    begin_line(piece);
    pt_live_number_(piece, "pt-live", 1);
    pt_live_number_(piece, "pid", (uint64_t)getpid());
    pt_live_put_(piece, "}\n");
    return piece;
}

static const struct pt_live_piece_ *silence(struct pt_live_piece_ *piece, unsigned milliseconds)
{
    begin_line(piece);
    pt_live_number_(piece, "silent_ms", milliseconds);
    pt_live_put_(piece, "}\n");
    return piece;
}

static const struct pt_live_piece_ *complaint(struct pt_live_piece_ *piece, const char *words)
{
    begin_line(piece);
    pt_live_text_(piece, "error", words);
    pt_live_put_(piece, "}\n");
    return piece;
}

/* --- questions to the program's loop --------------------------------------------------------- */

void pt_live_answered_(struct pt_remote *self, unsigned times)
{
    struct pt_live_server_ *server = self->target;

    (void)times;
    if (server->asking)
        pt_event_set(&server->asking->answered);
    else
        (void)pt_semaphore_release(&server->turn);
    if (server->question.steps && !server->watching) /* the question came behind the last `quiet` */
        (void)pt_remote_post(&server->quiet);
}

static void give_turn_away(struct live_client *client)
{
    client->has_turn = false;
    (void)pt_semaphore_release(&client->server->turn);
}

/* A client that has the turn asks for its next piece. PT_ECLOSED: the program's loop is closed. */
static pt_status ask(struct live_client *client)
{
    struct pt_live_server_ *server = client->server;
    pt_status status;

    client->has_turn = true;
    pt_event_clear(&client->answered);
    server->asking = client;
    server->question.from = client->from;
    server->question.steps = server->watching > 0;
    status = pt_remote_post(&server->ask);
    if (status != PT_OK)
        give_turn_away(client);
    return status;
}

static void take_answer(struct live_client *client)
{
    struct pt_live_server_ *server = client->server;

    client->piece.used = server->piece.used;
    memcpy(client->piece.text, server->piece.text, server->piece.used);
    client->from = server->next;
    give_turn_away(client);
}

/* Get the next piece. Each second without an answer the client is told so. */
static PT_ASYNC(question, self)
{
    for (self->silent = 1000;; self->silent += 1000) {
        PT_WITH_TIMEOUT(&self->limit, ANSWER_WITHIN) {
            if (!self->client->has_turn) {
                PT_ACQUIRE(&self->client->server->turn);
                if (ask(self->client) != PT_OK)
                    PT_RETURN(PT_ECLOSED);
            }
            PT_WAIT_EVENT(&self->client->answered);
            take_answer(self->client);
            PT_RETURN(PT_OK);
        }
        PT_TRY(&self->send, send, .writer = &self->client->writer,
               .piece = silence(&self->client->piece, self->silent));
    }
}
PT_END

/* --- clients --------------------------------------------------------------------------------- */

/* Whether a request is "once" or "every MILLISECONDS". */
static bool understand(struct live_client *client, const char *request)
{
    char *end;
    unsigned long every;

    if (!strcmp(request, "once"))
        return true;
    if (strncmp(request, "every ", 6) || request[6] < '1' || request[6] > '9')
        return false;
    every = strtoul(request + 6, &end, 10);
    if (*end || every > 86400000)
        return false;
    client->every = (unsigned)every;
    client->watches = true;
    client->server->watching++;
    return true;
}

/* The client is gone: an answer that comes now is dropped. */
static void leave(struct live_client *client)
{
    struct pt_live_server_ *server = client->server;

    if (client->has_turn && !client->answered.set)
        server->asking = NULL;
    else if (client->has_turn)
        give_turn_away(client);
    if (client->watches && --server->watching == 0)
        (void)pt_remote_post(&server->quiet);
    server->clients--;
    pt_io_close(&client->io);
}

static PT_ASYNC(live_client, self)
{
    pt_event_init(&self->answered);
    pt_reader_init(&self->reader, pt_io_stream(&self->io), self->request, sizeof self->request);
    pt_writer_init(&self->writer, pt_io_stream(&self->io), NULL, 0);
    PT_TRY(&self->send, send, .writer = &self->writer, .piece = greeting(&self->piece));
    PT_WITH_TIMEOUT(&self->limit, PATIENCE)
        PT_WAIT_COMPLETE(&self->read, pt_read_line, .reader = &self->reader);
    if (self->pt.status != PT_OK || !understand(self, self->read.text)) {
        PT_TRY(&self->send, send, .writer = &self->writer,
               .piece = complaint(&self->piece, "a request is: once, or: every MILLISECONDS"));
        PT_RETURN(PT_EINVAL);
    }
    do {
        do {
            PT_TRY(&self->question, question, .client = self);
            PT_TRY(&self->send, send, .writer = &self->writer, .piece = &self->piece);
        } while (self->from);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(self->every))
            PT_WAIT_HANGUP(&self->io);
    } while (self->every && pt_timed_out(&self->limit));

    PT_FINALLY
    leave(self);
}
PT_END

/* --- connections ----------------------------------------------------------------------------- */

/* Refuse a connection. It is new, so the words fit. */
static void refuse(struct pt_io *peer)
{
    static const char words[] = "{\"pt-live\":1,\"error\":\"it has four clients already\"}\n";
    ssize_t ignored = write(peer->fd, words, sizeof words - 1);

    (void)ignored;
    pt_io_close(peer);
}

PT_ASYNC(pt_live_accept_, self)
{
    for (;;) {
        PT_ACCEPT(&self->server->listener, &self->peer);
        if (self->pt.status != PT_OK)
            break;
        if (self->server->clients < MOST_CLIENTS) {
            self->server->clients++;
            PT_SPAWN_NEW(live_client, .server = self->server, .io = pt_io_take(&self->peer));
            if (self->pt.status == PT_OK)
                continue;
            self->server->clients--;
        }
        refuse(&self->peer);
    }
    PT_FINALLY
    pt_io_close(&self->peer);
    pt_io_close(&self->server->listener);
    pt_loop_cancel(&self->server->loop, PT_ECANCELED); /* the clients that came after the cancel */
}
PT_END
