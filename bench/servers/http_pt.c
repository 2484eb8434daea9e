/* http_pt.c - the server of bench http on pt: http_pt [CHAIN KEY]; prints its port
 * SPDX-License-Identifier: MIT */
#include "connection.h"

#include <pt/http.h>

#include <stdlib.h>
#include <string.h>

static char large[64 << 10];
static const char small[100];

struct page {
    struct pt pt;
    struct pt_http_request *request;
    const char *data;
    size_t size;
    struct pt_http_reply reply;
};

static PT_ASYNC(page, self)
{
    PT_TRY(&self->reply, pt_http_reply, .request = self->request, .status = 200,
           .type = "text/plain", .data = self->data, .size = self->size);
}
PT_END

static struct pt *choose(struct pt_http_request *request)
{
    struct page *page = (struct page *)request->room;

    if (!strcmp(request->path, "/small"))
        PT_INIT(page, page, .request = request, .data = small, .size = sizeof small);
    else if (!strcmp(request->path, "/large"))
        PT_INIT(page, page, .request = request, .data = large, .size = sizeof large);
    else
        return NULL;
    return &page->pt;
}

static struct pt_http_server server = {.choose = choose};

struct client {
    struct pt pt;
    struct connection connection;
    struct pt_http_serve http;
    struct page room;
    char in[4096], out[1024];
};

static PT_ASYNC(client, self)
{
    PT_TRY(&self->http, pt_http_serve, .server = &server, .io = &self->connection.io,
           .stream = connection_stream(&self->connection), .room = &self->room, .in = self->in,
           .in_size = sizeof self->in, .out = self->out, .out_size = sizeof self->out);
    PT_FINALLY
    connection_close(&self->connection);
}
PT_END

static PT_POOL(client, 1000) clients;

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *unused)
{
    (void)unused;
    if (PT_START_FROM(loop, &clients, client, .connection.io = pt_io_take(peer)) != PT_OK)
        return NULL;
    return &clients.taken->task;
}

int main(int argc, char **argv)
{
    return serve(argc, argv, start, &clients.pool);
}
