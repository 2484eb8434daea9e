/* gateway-native.c - gateway.c with functions on stacks of their own
 * SPDX-License-Identifier: MIT */
#include "http.h"
#include "serve.h"

#include <pt/native_io.h>
#include <pt/stack.h>

static int target;
static struct pt_stacks stacks;

/* Ask the other server for PATH: what it says goes to TEXT, and *BODY is where its text begins. */
static pt_status ask(struct pt_native *self, struct pt_io *io, const char *path, char *text,
                     size_t room, const char **body)
{
    struct sockaddr_in address = serve_address(target);
    struct pt_read_exactly get;
    char request[64];
    pt_status status = pt_native_connect(self, io, (struct sockaddr *)&address, sizeof address);

    snprintf(request, sizeof request, "GET %s HTTP/1.0\r\n\r\n", path);
    if (status == PT_OK)
        status = pt_native_write_all(self, io, request, strlen(request));
    if (status != PT_OK)
        return status;
    status = pt_native_call(self, &get, pt_read_exactly, .io = io, .data = text, .size = room - 1);
    text[get.got] = '\0';
    *body = strstr(text, "\r\n\r\n");
    if (status != PT_ECLOSED || !*body) /* it shall end, within the room */
        return status == PT_ECANCELED ? status : (pt_status)PT_EIO;
    *body += 4;
    return PT_OK;
}

static pt_status talk(struct pt_native *self)
{
    struct pt_io *io = (struct pt_io *)self->argument, other;
    struct read_request request;
    struct pt_reader in;
    char room[256], text[1024], reply[1200];
    const char *body;
    pt_status status;

    pt_reader_init(&in, io, room, sizeof room);
    do {
        status = pt_native_call(self, &request, read_request, .in = &in);
        if (status != PT_OK)
            return status;
        status = pt_socket(&other, &serve_system, AF_INET, SOCK_STREAM, 0);
        if (status == PT_OK)
            status = ask(self, &other, request.path, text, sizeof text, &body);
        pt_io_close(&other);
        status =
            pt_native_write_all(self, io, reply,
                                status == PT_OK ? make_reply(reply, sizeof reply, "200 OK", body)
                                                : make_reply(reply, sizeof reply, "502 Bad Gateway",
                                                             "the other server does not answer\n"));
    } while (status == PT_OK && request.minor);
    return status;
}

/* Has what the function needs, and gives it back. */
struct connection {
    struct pt pt;
    struct pt_io io, *from;
    struct pt_native body;
    void *stack;
};

static PT_ASYNC(connection, self)
{
    pt_io_move(&self->io, self->from);
    self->stack = pt_stack_take(&stacks, "connection");
    if (!self->stack)
        PT_RETURN(PT_ENOMEM);
    PT_WAIT_COMPLETE(&self->body, pt_native, .function = talk, .argument = &self->io,
                     .stack = self->stack, .bytes = stacks.bytes);
    PT_FINALLY
    pt_io_close(&self->io);
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
               "usage: gateway-native [--port N] TARGET\n\n"
               "For each request, asks the HTTP server at port TARGET of this machine.\n",
               &target, 1);
    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
