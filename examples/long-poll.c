/* long-poll.c - a server that lets requests wait until something happens: ten thousand of them
 * SPDX-License-Identifier: MIT
 *
 *     curl localhost:N/wait       waits
 *     curl localhost:N/trigger    lets all go who wait; says how many
 *
 * One event, and straight lines: what is hard for threads is a PT_WAIT_EVENT here. */
#include "http.h"
#include "serve.h"

static struct pt_event news;
static int waiting, released;

struct request {
    struct pt pt;
    struct pt_io io, *from;
    struct pt_reader in;
    struct read_request head;
    struct pt_write_all put;
    char body[32], room[256], reply[128];
};

static PT_ASYNC(request, self)
{
    pt_io_move(&self->io, self->from);
    pt_reader_init(&self->in, &self->io, self->room, sizeof self->room);
    do { /* a connection is kept for the next request */
        PT_TRY(&self->head, read_request, .in = &self->in);
        if (!strcmp(self->head.path, "/wait")) {
            waiting++;
            PT_WAIT_EVENT(&news);
            waiting--;
            released++;
            snprintf(self->body, sizeof self->body, "it has happened\n");
        } else if (!strcmp(self->head.path, "/trigger")) {
            snprintf(self->body, sizeof self->body, "%d\n", waiting);
            pt_event_trigger(&news);
        } else {
            snprintf(self->body, sizeof self->body, "%d wait, %d went\n", waiting, released);
        }
        PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->reply,
               .size = make_reply(self->reply, sizeof self->reply, "200 OK", self->body));
    } while (self->head.minor);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

struct server {
    struct pt pt;
    struct pt_io peer;
};

static PT_ASYNC(server, self)
{
    SERVE_EACH(request);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: long-poll [--port N]\n\n"
               "GET /wait waits until somebody asks for /trigger.\n",
               NULL, 0);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
