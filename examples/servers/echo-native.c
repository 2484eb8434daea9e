/* echo-native.c - echo.c with an ordinary function on its own stack for each connection
 * SPDX-License-Identifier: MIT */
#include "serve.h"

#include <pt/host/native_io.h>

static struct pt_stacks stacks;

static pt_status talk(struct pt_native *self)
{
    struct serve_client *client = (struct serve_client *)self->argument;
    struct pt_writer out;
    char data[512];
    size_t got;
    pt_status status;

    pt_writer_init(&out, pt_io_stream(&client->io), NULL, 0);
    while ((status = pt_native_read(self, &client->io, data, sizeof data, &got)) == PT_OK &&
           (status = pt_native_write_all(self, &out, data, got)) == PT_OK)
        serve_heard(client, pt_native_now(self));
    return status;
}

/* Owns the connection and the stack of the function, and releases them. */
struct echo {
    struct pt pt;
    struct serve_client client;
    struct pt_native body;
    void *stack;
};

static PT_ASYNC(echo, self)
{
    serve_enter(&self->client, PT_NOW());
    self->stack = pt_stack_take(&stacks, "echo");
    if (!self->stack)
        PT_RETURN(PT_ENOMEM);
    PT_WAIT_COMPLETE(&self->body, pt_native, .function = talk, .argument = &self->client,
                     .stack = self->stack, .bytes = stacks.bytes);
    PT_FINALLY
    serve_leave(&self->client);
    if (self->stack)
        pt_stack_give(&stacks, self->stack);
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
               "usage: echo-native [--port N] [--idle SECONDS]\n\n"
               "Says back what it is told. Without a port, the system chooses one.\n",
               NULL, 0);
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_GUARDED);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
