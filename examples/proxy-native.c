/* proxy-native.c - proxy.c with functions on stacks of their own
 * SPDX-License-Identifier: MIT
 *
 * The connection pumps in one direction itself; a second task does the other, and is joined. */
#include "serve.h"

#include <pt/native_io.h>
#include <pt/stack.h>

static int target;
static struct pt_stacks stacks;

struct ends {
    struct pt_io client, server;
    PT_TASK(pt_native) back;
};

static pt_status pump(struct pt_native *self, struct pt_io *from, struct pt_io *to)
{
    char data[4096];
    size_t got;
    pt_status status;

    while ((status = pt_native_read(self, from, data, sizeof data, &got)) == PT_OK &&
           (status = pt_native_write_all(self, to, data, got)) == PT_OK) {
    }
    if (status == PT_ECLOSED)
        pt_io_shutdown(to, SHUT_WR);
    else /* the other direction ends, too */
        pt_io_close(to);
    return status;
}

static pt_status pump_back(struct pt_native *self)
{
    struct ends *ends = (struct ends *)self->argument;

    return pump(self, &ends->server, &ends->client);
}

static pt_status pass_on(struct pt_native *self)
{
    struct ends *ends = (struct ends *)self->argument;
    struct sockaddr_in address = serve_address(target);
    void *stack = pt_stack_take(&stacks, "back");
    pt_status status = stack ? pt_socket(&ends->server, &serve_system, AF_INET, SOCK_STREAM, 0)
                             : (pt_status)PT_ENOMEM;

    if (status == PT_OK)
        status =
            pt_native_connect(self, &ends->server, (struct sockaddr *)&address, sizeof address);
    if (status == PT_OK)
        status = pt_native_spawn(self, &ends->back, pt_native, .function = pump_back,
                                 .argument = ends, .stack = stack, .bytes = stacks.bytes);
    if (status == PT_OK) {
        status = pump(self, &ends->client, &ends->server);
        pt_native_cleanup(self); /* what the other task uses is given back */
        if (status != PT_ECLOSED)
            pt_cancel(&ends->back.task, status);
        pt_native_join(self, &ends->back.task);
    }
    if (stack)
        pt_stack_give(&stacks, stack);
    return status;
}

/* Has what the functions need, and gives it back. */
struct connection {
    struct pt pt;
    struct pt_io *from;
    struct ends ends;
    struct pt_native body;
    void *stack;
};

static PT_ASYNC(connection, self)
{
    pt_io_move(&self->ends.client, self->from);
    self->stack = pt_stack_take(&stacks, "there");
    if (!self->stack)
        PT_RETURN(PT_ENOMEM);
    PT_WAIT_COMPLETE(&self->body, pt_native, .function = pass_on, .argument = &self->ends,
                     .stack = self->stack, .bytes = stacks.bytes);
    PT_FINALLY
    pt_io_close(&self->ends.client);
    pt_io_close(&self->ends.server);
    if (self->stack)
        pt_stack_give(&stacks, self->stack);
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
               "usage: proxy-native [--port N] TARGET\n\n"
               "Passes each connection on to port TARGET of this machine.\n",
               &target, 1);
    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
