/* echo.c - a server that says back what it is told, to any number of clients
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 echo.c $(pkg-config --cflags --libs pt) -o echo && ./echo --port 7007
 *     nc localhost 7007 */
#include "serve.h"

struct echo {
    struct pt pt;
    struct pt_io io, *from;
    struct pt_write_all put;
    size_t got;
    char data[512];
};

static PT_ASYNC(echo, self)
{
    pt_io_move(&self->io, self->from);
    for (;;) {
        PT_READ(&self->io, self->data, sizeof self->data, &self->got);
        if (self->pt.status != PT_OK)
            break;
        PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->data, .size = self->got);
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
    SERVE_EACH(echo);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: echo [--port N]\n\n"
               "Says back what it is told. Without a port, the system chooses one.\n",
               NULL, 0);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
