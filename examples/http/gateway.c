/* gateway.c - an HTTP server that asks another server before it replies
 * SPDX-License-Identifier: MIT
 *
 *     ./long-poll --port 7007 & ./gateway --port 7008 7007 & curl localhost:7008/wait
 *
 * While it answers a request, it is a client of the other server. This takes a few lines, and no
 * other client waits, unless 32 do. If its own client leaves meanwhile, it stops asking. */
#include "../servers/serve.h"

#include <pt/http_client.h>

enum { LINKS = 32 };

static int target;
static struct pt_http_link links[LINKS];
static struct pt_http_client other = {.system = &serve_system, .links = links, .count = LINKS};

/* Asks the other server, and passes on its reply. */
struct ask {
    struct pt pt;
    struct pt_http_request *request;
    struct pt_scope limit;
    struct pt_http_call call;
    bool answered;
    struct pt_http_reply reply;
    char url[1100], in[4096], out[2048];
};

static void make_url(struct ask *self)
{
    const char *query = self->request->query;

    snprintf(self->url, sizeof self->url, "http://127.0.0.1:%d%s%s%s", target, self->request->path,
             query ? "?" : "", query ? query : "");
}

static PT_ASYNC(ask, self)
{
    make_url(self);
    PT_WITH_TIMEOUT(&self->limit, serve_idle / 2) {
        PT_WAIT_COMPLETE(&self->call, pt_http_call, .client = &other, .url = self->url,
                         .in = self->in, .in_size = sizeof self->in, .out = self->out,
                         .out_size = sizeof self->out);
        self->answered = self->pt.status == PT_OK;
    }
    if (self->answered)
        PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = self->call.status,
               .type = pt_http_call_field(&self->call, "Content-Type"), .data = self->call.body,
               .size = self->call.length);
    else
        PT_TRY(&self->reply, pt_http_reply, .request = self->request,
               .status = pt_timed_out(&self->limit) ? 504 : 502, .type = "text/plain",
               .data = "the other server does not answer\n", .size = 33);
}
PT_END

struct room {
    struct ask ask;
};

static struct pt *prepare(struct room *room, struct pt_http_request *request)
{
    PT_INIT(&room->ask, ask, .request = request);
    return &room->ask.pt;
}

#include "connections.h"

int main(int argc, char **argv)
{
    serve_open(argc, argv,
               "usage: gateway [--port N] [--idle SECONDS] TARGET\n\n"
               "For each request, asks the HTTP server at port TARGET of this machine.\n",
               &target, 1);
    http.half_closed = true;
    other.count = serve_reserve(LINKS);
    serve_http();
    pt_http_client_close(&other);
    return serve_close();
}
