/* proxy.c - forwards connections to another port, in both directions at once
 * SPDX-License-Identifier: MIT
 *
 * Each connection is a group of two pumps. The end of one direction is forwarded. A failure ends
 * both directions, and both sides see it as a failure. */
#include "serve.h"

static int target;

/* Moves bytes from one descriptor to another, up to the end. */
struct pump {
    struct pt pt;
    struct pt_io *from, *to;
    struct serve_client *client;
    struct pt_writer out;
    struct pt_write_all put;
    size_t got;
    char data[4096];
};

static PT_ASYNC(pump, self)
{
    pt_writer_init(&self->out, pt_io_stream(self->to), NULL, 0);
    for (;;) {
        PT_READ(self->from, self->data, sizeof self->data, &self->got);
        if (self->pt.status != PT_OK)
            break;
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data,
               .size = self->got);
        serve_heard(self->client, PT_NOW());
    }
    if (self->pt.status != PT_ECLOSED || !self->from->system) /* a failure, or closed here */
        PT_RETURN(PT_EIO);
    PT_RETURN(pt_io_shutdown(self->to, SHUT_WR));
}
PT_END

struct connection {
    struct pt pt;
    struct serve_client client;
    struct pt_io server;
    struct serve_socket make;
    struct pt_address address;
    struct pt_group both;
    PT_TASK(pump) there, back;
    bool whole;
};

static PT_ASYNC(connection, self)
{
    serve_enter(&self->client, PT_NOW());
    PT_TRY(&self->make, serve_socket, .io = &self->server, .system = &serve_system,
           .client = &self->client);
    self->address = serve_address(target);
    PT_CONNECT(&self->server, (struct sockaddr *)&self->address.name, self->address.length);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    PT_WITH_GROUP(&self->both, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->both, &self->there, pump, .from = &self->client.io, .to = &self->server,
                    .client = &self->client);
        PT_SPAWN_IN(&self->both, &self->back, pump, .from = &self->server, .to = &self->client.io,
                    .client = &self->client);
    }
    self->whole = self->both.status == PT_OK;
    PT_FINALLY
    if (!self->whole) { /* both sides must see that the data is not complete */
        serve_reset(&self->client.io);
        serve_reset(&self->server);
    }
    serve_leave(&self->client);
    pt_io_close(&self->server);
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
               "usage: proxy [--port N] [--idle SECONDS] TARGET\n\n"
               "Passes each connection on to port TARGET of this machine.\n",
               &target, 1);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
