/* gateway.c - an HTTP server that asks another one before it replies
 * SPDX-License-Identifier: MIT
 *
 *     ./long-poll --port 7007 & ./gateway --port 7008 7007 & curl localhost:7008/wait
 *
 * In the middle of a request it is a client itself, for as long as that takes: a few lines more, and
 * nobody else has to wait. */
#include "http.h"
#include "serve.h"

static int target;

/* Ask the other server for PATH: what it says, as text, or a code. */
struct ask {
    struct pt pt;
    const char *path;
    struct pt_io io;
    struct sockaddr_in address;
    struct pt_write_all put;
    struct pt_read_exactly get;
    const char *body;
    char request[64], text[1024];
};

static PT_ASYNC(ask, self)
{
    if (pt_socket(&self->io, &serve_system, AF_INET, SOCK_STREAM, 0) != PT_OK)
        PT_RETURN(PT_EIO);
    self->address = serve_address(target);
    PT_CONNECT(&self->io, (struct sockaddr *)&self->address, sizeof self->address);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    snprintf(self->request, sizeof self->request, "GET %s HTTP/1.0\r\n\r\n", self->path);
    PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->request,
           .size = strlen(self->request));
    PT_WAIT_COMPLETE(&self->get, pt_read_exactly, .io = &self->io, .data = self->text,
                     .size = sizeof self->text - 1);
    self->text[self->get.got] = '\0';
    self->body = strstr(self->text, "\r\n\r\n");
    if (self->pt.status != PT_ECLOSED || !self->body) /* it shall end, within the room */
        PT_RETURN(PT_EIO);
    self->body += 4;
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

struct connection {
    struct pt pt;
    struct pt_io io, *from;
    struct pt_reader in;
    struct read_request request;
    struct ask ask;
    struct pt_scope limit;
    struct pt_write_all put;
    bool answered;
    char room[256], reply[1200];
};

static PT_ASYNC(connection, self)
{
    pt_io_move(&self->io, self->from);
    pt_reader_init(&self->in, &self->io, self->room, sizeof self->room);
    do {
        PT_TRY(&self->request, read_request, .in = &self->in);
        self->answered = false;
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(60)) {
            PT_WAIT_COMPLETE(&self->ask, ask, .path = self->request.path);
            self->answered = self->pt.status == PT_OK;
        }
        PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->reply,
               .size = self->answered
                           ? make_reply(self->reply, sizeof self->reply, "200 OK", self->ask.body)
                           : make_reply(self->reply, sizeof self->reply, "502 Bad Gateway",
                                        "the other server does not answer\n"));
    } while (self->request.minor);
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
    SERVE_EACH(connection);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: gateway [--port N] TARGET\n\n"
               "For each request, asks the HTTP server at port TARGET of this machine.\n",
               &target, 1);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
