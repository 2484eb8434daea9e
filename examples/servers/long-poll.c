/* long-poll.c - a server that keeps ten thousand requests waiting until something happens
 * SPDX-License-Identifier: MIT
 *
 *     curl localhost:N/wait       waits
 *     curl localhost:N/trigger    ends all these waits; replies how many
 *
 * All requests wait for one event. The wait, which is hard to write with threads, is one PT_SELECT:
 * it also ends when the client hangs up, and after half of --idle, when the client must ask
 * again. */
#include "http.h"
#include "serve.h"

static struct pt_event news;
static int waiting, released;

struct request {
    struct pt pt;
    struct serve_client client;
    struct pt_reader in;
    struct read_request head;
    PT_SELECTION(3) next;
    struct pt_writer out;
    struct pt_write_all put;
    char body[32], room[256], reply[160];
};

static PT_ASYNC(request, self)
{
    serve_enter(&self->client, PT_NOW());
    pt_reader_init(&self->in, pt_io_stream(&self->client.io), self->room, sizeof self->room);
    pt_writer_init(&self->out, pt_io_stream(&self->client.io), NULL, 0);
    do { /* a connection is kept for the next request */
        PT_TRY(&self->head, read_request, .in = &self->in, .io = &self->client.io);
        serve_heard(&self->client, PT_NOW());
        if (!strcmp(self->head.path, "/wait")) {
            waiting++;
            PT_SELECT(&self->next, PT_CASE_EVENT(&news), PT_CASE_HANGUP(&self->client.io),
                      PT_CASE_AFTER(serve_idle / 2));
            waiting--;
            if (PT_SELECTED(&self->next) == 1)
                break;
            released += PT_SELECTED(&self->next) == 0;
            snprintf(self->body, sizeof self->body, "%s\n",
                     PT_SELECTED(&self->next) == 0 ? "it has happened" : "nothing yet: ask again");
        } else if (!strcmp(self->head.path, "/trigger")) {
            snprintf(self->body, sizeof self->body, "%d\n", waiting);
            pt_event_trigger(&news);
        } else {
            snprintf(self->body, sizeof self->body, "%d wait, %d went\n", waiting, released);
        }
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->reply,
               .size = make_reply(&self->head, self->reply, sizeof self->reply, "", "200 OK",
                                  self->body));
    } while (!self->head.last);
    PT_FINALLY
    serve_leave(&self->client);
}
PT_END

struct server {
    struct pt pt;
    struct serve_next next;
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
               "usage: long-poll [--port N] [--idle SECONDS]\n\n"
               "GET /wait waits until somebody asks for /trigger.\n",
               NULL, 0);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
