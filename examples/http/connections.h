/* connections.h - what long-poll and the gateways share: libpt-http over serve.h
 * SPDX-License-Identifier: MIT
 *
 * The file that includes this has a `struct room`, which begins with the frame of its handlers, and
 * a function that prepares one of them: prepare. */
#ifndef CONNECTIONS_H
#define CONNECTIONS_H

#include "../servers/serve.h"

#include <pt/http.h>

struct connection {
    struct pt pt;
    struct serve_client client;
    struct pt_http_serve http;
    struct room room;
    char in[4096], out[1024];
};

/* Each request makes its client the newest. */
static struct pt *choose(struct pt_http_request *request)
{
    struct connection *self = (struct connection *)request->room;

    serve_heard(&self->client, request->begun);
    return prepare(&self->room, request);
}

/* A line of 1,000 bytes at most, so that a target has room in a buffer. */
static struct pt_http_server http = {.choose = choose, .ending = &serve_signaled, .line = 1000};

static PT_ASYNC(connection, self)
{
    serve_enter(&self->client, PT_NOW());
    PT_TRY(&self->http, pt_http_serve, .server = &http, .io = &self->client.io, .room = self,
           .in = self->in, .in_size = sizeof self->in, .out = self->out,
           .out_size = sizeof self->out);
    PT_FINALLY
    serve_leave(&self->client);
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

/* Serve until a signal. */
static inline void serve_http(void)
{
    static PT_TASK(server) server;

    http.idle = serve_idle;
    serve_check(PT_START(&serve_loop, &server, server), "start");
    serve_until_signal();
}

#endif
