/* gateway-native.c - gateway.c with ordinary functions on their own stacks
 * SPDX-License-Identifier: MIT */
#include "http.h"
#include "serve.h"

#include <pt/host/native_io.h>

static int target;
static struct pt_stacks stacks;

struct reply {
    char status[64], text[1024];
    const char *body;
    size_t size;      /* of the body */
    const char *rest; /* what of an interim reply must stand before it */
};

/* Ask the other server for PATH and keep its answer in REPLY. */
static pt_status ask(struct pt_native *self, struct pt_io *io, const char *path,
                     struct reply *reply)
{
    struct pt_address address = serve_address(target);
    struct pt_writer out;
    struct pt_reader in;
    struct pt_read_exactly get;
    char request[64];
    pt_status status =
        pt_native_connect(self, io, (struct sockaddr *)&address.name, address.length);

    if (status != PT_OK)
        return status;
    pt_writer_init(&out, pt_io_stream(io), request, sizeof request);
    pt_reader_init(&in, pt_io_stream(io), NULL, 0);
    pt_native_printf(self, &out, "GET %s HTTP/1.0\r\n\r\n", path);
    status = pt_native_flush(self, &out);
    if (status != PT_OK)
        return status;
    status = pt_native_call(self, &get, pt_read_exactly, .reader = &in, .data = reply->text,
                            .size = sizeof reply->text - 1);
    if (status != PT_ECLOSED) /* the answer must end, and fit */
        return status == PT_OK ? (pt_status)PT_ERANGE : status;
    reply->text[get.got] = '\0';
    reply->size = get.got;
    reply->body = parse_reply(reply->text, &reply->size, reply->status);
    return reply->body ? PT_OK : PT_EIO;
}

/* Ask while the client is there: PT_ECANCELED if it leaves, or if this server ends. */
static pt_status ask_for(struct pt_native *self, struct serve_client *client,
                         const struct read_request *request, struct reply *reply)
{
    struct pt_scope limit = {0};
    struct pt_group asking = {0};
    PT_TASK(http_gone) gone = {.frame = {.rest = ""}};
    struct serve_socket make;
    struct pt_io io;
    pt_status status = pt_native_call(self, &make, serve_socket, .io = &io, .system = &serve_system,
                                      .client = client);

    reply->rest = "";
    if (status != PT_OK)
        return status;
    pt_native_timeout(self, &limit, serve_idle / 2);
    pt_native_group(self, &asking, PT_GROUP_FIRST);
    status = pt_native_spawn_in(self, &asking, &gone, http_gone, .io = &client->io,
                                .request = request, .rest = "");
    if (status == PT_OK)
        status = ask(self, &io, request->path, reply);
    pt_native_group_leave(self, &asking);
    pt_native_timeout_end(self, &limit);
    client->other = NULL;
    pt_io_close(&io);
    reply->rest = gone.frame.rest;
    return status;
}

/* This server ends before the other one has replied: tell the client so, if it is there, within a
 * second. */
static pt_status excuse(struct pt_native *self, struct pt_writer *out,
                        const struct read_request *request, const char *rest)
{
    struct pt_scope limit = {0};
    char text[256];
    size_t length = make_reply(request, text, sizeof text, rest, "503 Service Unavailable",
                               "the server ends\n");

    pt_native_cleanup(self); /* otherwise the cancel would end the write, too */
    pt_native_timeout(self, &limit, PT_SEC(1));
    pt_native_write_all(self, out, text, length);
    pt_native_timeout_end(self, &limit);
    pt_native_cleanup_end(self);
    return PT_ECANCELED;
}

static pt_status talk(struct pt_native *self)
{
    struct serve_client *client = (struct serve_client *)self->argument;
    struct read_request request;
    struct pt_reader in;
    struct pt_writer out;
    struct reply reply;
    char room[256], text[1280];
    pt_status status;

    pt_reader_init(&in, pt_io_stream(&client->io), room, sizeof room);
    pt_writer_init(&out, pt_io_stream(&client->io), NULL, 0);
    do {
        status = pt_native_call(self, &request, read_request, .in = &in, .io = &client->io);
        if (status != PT_OK)
            return status;
        serve_heard(client, pt_native_now(self));
        status = ask_for(self, client, &request, &reply);
        if (status == PT_ECANCELED)
            return excuse(self, &out, &request, reply.rest);
        status = pt_native_write_all(
            self, &out, text,
            status == PT_OK ? make_reply_of(&request, text, sizeof text, reply.rest, reply.status,
                                            reply.body, reply.size)
                            : make_reply(&request, text, sizeof text, reply.rest, "502 Bad Gateway",
                                         "the other server does not answer\n"));
    } while (status == PT_OK && !request.last);
    return status;
}

/* Owns the connection and the stack of the function, and releases them. */
struct connection {
    struct pt pt;
    struct serve_client client;
    struct pt_native body;
    void *stack;
};

static PT_ASYNC(connection, self)
{
    serve_enter(&self->client, PT_NOW());
    self->stack = pt_stack_take(&stacks, "connection");
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
    SERVE_EACH(connection);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    serve_open(argc, argv,
               "usage: gateway-native [--port N] [--idle SECONDS] TARGET\n\n"
               "For each request, asks the HTTP server at port TARGET of this machine.\n",
               &target, 1);
    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    serve_check(PT_START(&serve_loop, &server, server), "start");
    return serve_run();
}
