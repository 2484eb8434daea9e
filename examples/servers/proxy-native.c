/* proxy-native.c - proxy.c with ordinary functions on their own stacks
 * SPDX-License-Identifier: MIT
 *
 * The connection pumps in one direction itself; a second task pumps in the other, and is joined. */
#include "serve.h"

#include <pt/host/native_io.h>

static int target;
static struct pt_stacks stacks;

/* A client, and the server to which it is connected. */
struct connection {
    struct pt pt;
    struct serve_client client;
    struct serve_socket make;
    struct pt_io server;
    struct pt_native there;
    PT_TASK(pt_native) back;
    void *there_stack, *back_stack;
    bool whole; /* both directions have ended without a failure */
};

/* Reset both sides: they see that the data is not complete. A direction that still pumps ends. */
static void break_off(struct connection *connection)
{
    serve_reset(&connection->client.io);
    serve_reset(&connection->server);
    serve_leave(&connection->client);
    pt_io_close(&connection->server);
}

static pt_status pump(struct pt_native *self, struct pt_io *from, struct pt_io *to)
{
    struct connection *connection = (struct connection *)self->argument;
    struct pt_writer out;
    char data[4096];
    size_t got;
    pt_status status;

    pt_writer_init(&out, pt_io_stream(to), NULL, 0);
    while ((status = pt_native_read(self, from, data, sizeof data, &got)) == PT_OK &&
           (status = pt_native_write_all(self, &out, data, got)) == PT_OK)
        serve_heard(&connection->client, pt_native_now(self));
    if (status == PT_ECLOSED && from->system && pt_io_shutdown(to, SHUT_WR) == PT_OK)
        return PT_OK;
    break_off(connection);
    return PT_EIO;
}

static pt_status pump_back(struct pt_native *self)
{
    struct connection *connection = (struct connection *)self->argument;

    return pump(self, &connection->server, &connection->client.io);
}

static pt_status pass_on(struct pt_native *self)
{
    struct connection *connection = (struct connection *)self->argument;
    struct pt_address address = serve_address(target);
    pt_status status = pt_native_connect(self, &connection->server,
                                         (struct sockaddr *)&address.name, address.length);

    if (status == PT_OK)
        status = pt_native_spawn(self, &connection->back, pt_native, .function = pump_back,
                                 .argument = connection, .stack = connection->back_stack,
                                 .bytes = stacks.bytes);
    if (status == PT_OK)
        status = pump(self, &connection->client.io, &connection->server);
    return status == PT_OK ? pt_native_join(self, &connection->back.task) : status;
}

/* Owns the connection and the stacks of the functions, and releases them. */
static PT_ASYNC(connection, self)
{
    serve_enter(&self->client, PT_NOW());
    self->there_stack = pt_stack_take(&stacks, "there");
    self->back_stack = pt_stack_take(&stacks, "back");
    if (!self->there_stack || !self->back_stack)
        PT_RETURN(PT_ENOMEM);
    PT_TRY(&self->make, serve_socket, .io = &self->server, .system = &serve_system,
           .client = &self->client);
    PT_WAIT_COMPLETE(&self->there, pt_native, .function = pass_on, .argument = self,
                     .stack = self->there_stack, .bytes = stacks.bytes);
    self->whole = self->pt.status == PT_OK;
    PT_FINALLY
    if (!self->whole)
        break_off(self);
    PT_JOIN(&self->back.task); /* it uses its stack until then */
    serve_leave(&self->client);
    pt_io_close(&self->server);
    if (self->there_stack)
        pt_stack_give(&stacks, self->there_stack);
    if (self->back_stack)
        pt_stack_give(&stacks, self->back_stack);
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
               "usage: proxy-native [--port N] [--idle SECONDS] TARGET\n\n"
               "Passes each connection on to port TARGET of this machine.\n",
               &target, 1);
    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
