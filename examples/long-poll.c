/* long-poll.c - a server that lets requests wait until something happens: ten thousand of them
 * SPDX-License-Identifier: MIT
 *
 *     curl localhost:N/wait       waits
 *     curl localhost:N/trigger    lets all go who wait; says how many
 *
 * One event, and straight lines: what is hard for threads is a PT_WAIT_EVENT here. */
#include "serve.h"

static struct pt_event news;
static int waiting, released;

struct request {
    struct pt pt;
    struct pt_io io, *from;
    struct pt_reader in;
    struct pt_read_line line;
    struct pt_write_all put;
    int minor; /* of the version of HTTP: 1.0 closes */
    char path[32], body[32], room[256], reply[128];
};

/* Put a reply together. */
static void make_reply(struct request *self, const char *body)
{
    snprintf(self->reply, sizeof self->reply,
             "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s",
             (int)strlen(body), body);
}

static PT_ASYNC(request, self)
{
    pt_io_move(&self->io, self->from);
    pt_reader_init(&self->in, &self->io, self->room, sizeof self->room);
    for (;;) { /* a connection is kept for the next request */
        PT_TRY(&self->line, pt_read_line, .reader = &self->in);
        if (sscanf(self->line.text, "%*15s %31s HTTP/1.%d", self->path, &self->minor) != 2)
            PT_RETURN(PT_EINVAL);
        do
            PT_TRY(&self->line, pt_read_line, .reader = &self->in);
        while (self->line.length > 1); /* up to an empty line, which ends in a CR */
        if (!strcmp(self->path, "/wait")) {
            waiting++;
            PT_WAIT_EVENT(&news);
            waiting--;
            released++;
            make_reply(self, "it has happened\n");
        } else if (!strcmp(self->path, "/trigger")) {
            snprintf(self->body, sizeof self->body, "%d\n", waiting);
            pt_event_trigger(&news);
            make_reply(self, self->body);
        } else {
            snprintf(self->body, sizeof self->body, "%d wait, %d went\n", waiting, released);
            make_reply(self, self->body);
        }
        PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->reply,
               .size = strlen(self->reply));
        if (!self->minor)
            break;
    }
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
