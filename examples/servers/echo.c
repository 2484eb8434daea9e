/* echo.c - a server that sends back what it receives, for any number of clients
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 echo.c $(pkg-config --cflags --libs pt) -o echo && ./echo --port 7007
 *     nc localhost 7007 */
#include "serve.h"

struct echo {
    struct pt pt;
    struct serve_client client;
    struct pt_writer out;
    struct pt_write_all put;
    size_t got;
    char data[512];
};

static PT_ASYNC(echo, self)
{
    serve_enter(&self->client, PT_NOW());
    pt_io_batch(&self->client.io); /* with PT_POLLER=io_uring: one call for all clients */
    pt_writer_init(&self->out, pt_io_stream(&self->client.io), NULL, 0);
    for (;;) {
        PT_READ(&self->client.io, self->data, sizeof self->data, &self->got);
        if (self->pt.status != PT_OK)
            break;
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data,
               .size = self->got);
        serve_heard(&self->client, PT_NOW());
    }
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
    SERVE_EACH(echo);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: echo [--port N] [--idle SECONDS]\n\n"
               "Says back what it is told. Without a port, the system chooses one.\n",
               NULL, 0);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
