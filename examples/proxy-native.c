/* proxy-native.c - proxy.c with functions on stacks of their own
 * SPDX-License-Identifier: MIT
 *
 * Each direction is an ordinary function; what holds the two together is a group, as in proxy.c. */
#include "serve.h"

#include <pt/native_io.h>
#include <pt/stack.h>

static int target;
static struct pt_stacks stacks;

/* From one descriptor to the other. */
struct direction {
    struct pt_io *from, *to;
    struct serve_client *client;
};

static pt_status pump(struct pt_native *self)
{
    const struct direction *way = (const struct direction *)self->argument;
    char data[4096];
    size_t got;
    pt_status status;

    while ((status = pt_native_read(self, way->from, data, sizeof data, &got)) == PT_OK &&
           (status = pt_native_write_all(self, way->to, data, got)) == PT_OK)
        serve_heard(way->client, pt_native_now(self));
    if (status == PT_ECLOSED && way->from->system) /* its end, not a close here */
        return pt_io_shutdown(way->to, SHUT_WR);
    return PT_EIO;
}

/* Has what the functions need, and gives it back. */
struct connection {
    struct pt pt;
    struct serve_client client;
    struct pt_io server;
    struct serve_next *from;
    struct sockaddr_in address;
    struct direction ways[2];
    struct pt_group both;
    PT_TASK(pt_native) there, back;
    void *stacks[2];
    bool whole;
};

static PT_ASYNC(connection, self)
{
    serve_take(&self->client, self->from, PT_NOW());
    self->stacks[0] = pt_stack_take(&stacks, "there");
    self->stacks[1] = pt_stack_take(&stacks, "back");
    if (!self->stacks[0] || !self->stacks[1] ||
        serve_socket(&self->server, &serve_system, &serve_clients) != PT_OK)
        PT_RETURN(PT_EIO);
    self->address = serve_address(target);
    PT_CONNECT(&self->server, (struct sockaddr *)&self->address, sizeof self->address);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    self->ways[0] = (struct direction){&self->client.io, &self->server, &self->client};
    self->ways[1] = (struct direction){&self->server, &self->client.io, &self->client};
    PT_WITH_GROUP(&self->both, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->both, &self->there, pt_native, .function = pump,
                    .argument = &self->ways[0], .stack = self->stacks[0], .bytes = stacks.bytes);
        PT_SPAWN_IN(&self->both, &self->back, pt_native, .function = pump,
                    .argument = &self->ways[1], .stack = self->stacks[1], .bytes = stacks.bytes);
    }
    self->whole = self->both.status == PT_OK;
    PT_FINALLY
    if (!self->whole) { /* what came is not all: both sides shall see that */
        serve_reset(&self->client.io);
        serve_reset(&self->server);
    }
    serve_leave(&self->client);
    pt_io_close(&self->server);
    for (int i = 0; i < 2; i++)
        if (self->stacks[i])
            pt_stack_give(&stacks, self->stacks[i]);
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
