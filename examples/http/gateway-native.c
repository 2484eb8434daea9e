/* gateway-native.c - gateway.c with an ordinary function, on a stack of its own, for each request
 * SPDX-License-Identifier: MIT */
#include "../servers/serve.h"

#include <pt/host/native_io.h>
#include <pt/http_client.h>

enum { LINKS = 32 };

static int target;
static struct pt_stacks stacks;
static struct pt_http_link links[LINKS];
static struct pt_http_client other = {.system = &serve_system, .links = links, .count = LINKS};

static pt_status say(struct pt_native *self, struct pt_http_request *request, int status,
                     const char *text)
{
    struct pt_http_reply reply;

    return pt_native_call(self, &reply, pt_http_reply, .request = request, .status = status,
                          .type = "text/plain", .data = text, .size = strlen(text));
}

/* This server ends before the other one has replied: tell the client so, within a second. */
static pt_status excuse(struct pt_native *self, struct pt_http_request *request)
{
    struct pt_scope limit = {0};

    pt_native_cleanup(self); /* otherwise the cancel would end the reply, too */
    pt_native_timeout(self, &limit, PT_SEC(1));
    say(self, request, 503, "this server ends\n");
    pt_native_timeout_end(self, &limit);
    pt_native_cleanup_end(self);
    return PT_ECANCELED;
}

/* Ask the other server, and pass on its reply. */
static pt_status ask(struct pt_native *self)
{
    struct pt_http_request *request = (struct pt_http_request *)self->argument;
    const char *query = request->query;
    struct pt_scope limit = {0};
    struct pt_http_call call;
    struct pt_http_reply reply;
    char url[1100], in[4096], out[2048];
    pt_status status;

    snprintf(url, sizeof url, "http://127.0.0.1:%d%s%s%s", target, request->path, query ? "?" : "",
             query ? query : "");
    pt_native_timeout(self, &limit, serve_idle / 2);
    status = pt_native_call(self, &call, pt_http_call, .client = &other, .url = url, .in = in,
                            .in_size = sizeof in, .out = out, .out_size = sizeof out);
    pt_native_timeout_end(self, &limit);
    if (status == PT_ECANCELED)
        return excuse(self, request);
    if (status != PT_OK)
        return say(self, request, status == PT_ETIMEDOUT ? 504 : 502,
                   "the other server does not answer\n");
    return pt_native_call(self, &reply, pt_http_reply, .request = request, .status = call.status,
                          .type = pt_http_call_field(&call, "Content-Type"), .data = call.body,
                          .size = call.length);
}

/* Owns the stack of a request. */
struct room {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_native body;
    void *stack;
};

static PT_ASYNC(room, self)
{
    self->stack = pt_stack_take(&stacks, "request");
    if (!self->stack)
        PT_RETURN(PT_ENOMEM);
    PT_TRY(&self->body, pt_native, .function = ask, .argument = self->request, .stack = self->stack,
           .bytes = stacks.bytes);
    PT_FINALLY
    if (self->stack)
        pt_stack_give(&stacks, self->stack);
}
PT_END

static struct pt *prepare(struct room *room, struct pt_http_request *request)
{
    PT_INIT(room, room, .request = request);
    return &room->pt;
}

#include "connections.h"

int main(int argc, char **argv)
{
    serve_open(argc, argv,
               "usage: gateway-native [--port N] [--idle SECONDS] TARGET\n\n"
               "For each request, asks the HTTP server at port TARGET of this machine.\n",
               &target, 1);
    http.half_closed = true;
    other.count = serve_reserve(LINKS);
    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    serve_http();
    pt_http_client_close(&other);
    return serve_close();
}
