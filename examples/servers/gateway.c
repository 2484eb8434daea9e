/* gateway.c - an HTTP server that asks another server before it replies
 * SPDX-License-Identifier: MIT
 *
 *     ./long-poll --port 7007 & ./gateway --port 7008 7007 & curl localhost:7008/wait
 *
 * While it answers a request, it is a client of the other server. This takes a few lines, and no
 * other client waits. If its own client leaves meanwhile, it stops asking. */
#include "http.h"
#include "serve.h"

static int target;

/* Asks the other server for PATH: the status and the body of its answer, or an error code. */
struct ask {
    struct pt pt;
    const char *path;
    struct serve_client *client;
    struct serve_socket make;
    struct pt_io io;
    struct pt_address address;
    struct pt_writer out;
    struct pt_flush flush;
    struct pt_reader in;
    struct pt_read_exactly get;
    const char *body;
    size_t size; /* of the body */
    char request[64], status[64], text[1024];
};

static PT_ASYNC(ask, self)
{
    PT_TRY(&self->make, serve_socket, .io = &self->io, .system = &serve_system,
           .client = self->client);
    self->address = serve_address(target);
    PT_CONNECT(&self->io, (struct sockaddr *)&self->address.name, self->address.length);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    pt_writer_init(&self->out, pt_io_stream(&self->io), self->request, sizeof self->request);
    pt_reader_init(&self->in, pt_io_stream(&self->io), NULL, 0);
    PT_PRINTF(&self->out, "GET %s HTTP/1.0\r\n\r\n", self->path);
    PT_TRY(&self->flush, pt_flush, .writer = &self->out);
    PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .reader = &self->in, .data = self->text,
                     .size = sizeof self->text - 1);
    self->text[self->get.got] = '\0';
    self->size = self->get.got;
    self->body = parse_reply(self->text, &self->size, self->status);
    if (self->pt.status != PT_ECLOSED || !self->body) /* the answer must end, and fit */
        PT_RETURN(PT_EIO);
    PT_FINALLY
    self->client->other = NULL;
    pt_io_close(&self->io);
}
PT_END

struct connection {
    struct pt pt;
    struct serve_client client;
    struct pt_reader in;
    struct read_request request;
    struct pt_group asking;
    PT_TASK(ask) ask;
    PT_TASK(http_gone) gone;
    struct pt_writer out;
    struct pt_write_all put;
    char room[256], reply[1280];
};

static size_t make_answer(struct connection *self)
{
    const struct ask *ask = &self->ask.frame;

    if (self->asking.status == PT_OK)
        return make_reply_of(&self->request, self->reply, sizeof self->reply, self->gone.frame.rest,
                             ask->status, ask->body, ask->size);
    return make_reply(&self->request, self->reply, sizeof self->reply, self->gone.frame.rest,
                      "502 Bad Gateway", "the other server does not answer\n");
}

static PT_ASYNC(connection, self)
{
    serve_enter(&self->client, PT_NOW());
    pt_reader_init(&self->in, pt_io_stream(&self->client.io), self->room, sizeof self->room);
    pt_writer_init(&self->out, pt_io_stream(&self->client.io), NULL, 0);
    do {
        PT_TRY(&self->request, read_request, .in = &self->in, .io = &self->client.io);
        serve_heard(&self->client, PT_NOW());
        PT_WITH_GROUP(&self->asking, PT_GROUP_FIRST) { /* the first to end ends the other */
            PT_SPAWN_IN(&self->asking, &self->gone, http_gone, .io = &self->client.io,
                        .request = &self->request, .rest = "");
            PT_SPAWN_IN(&self->asking, &self->ask, ask, .path = self->request.path,
                        .client = &self->client);
            PT_WAIT(serve_idle / 2);
            break;
        }
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->reply,
               .size = make_answer(self));
    } while (!self->request.last);
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
    SERVE_EACH(connection);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: gateway [--port N] [--idle SECONDS] TARGET\n\n"
               "For each request, asks the HTTP server at port TARGET of this machine.\n",
               &target, 1);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
