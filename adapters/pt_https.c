/* pt_https.c - a server of HTTP by TLS: libpt-http over libpt-tls, a task for each connection
 * SPDX-License-Identifier: MIT */
#include "pt_https.h"

#include <stdlib.h>

struct pt_https_serve_ {
    struct pt pt;
    struct pt_https *https;
    struct pt_io io;
    struct pt_tls tls;
    struct pt_scope limit;
    struct pt_http_serve http;
    struct pt_tls_finish finish;
    void *room;
    pt_status status;
    char *out, in[4096];
};

static PT_ASYNC(pt_https_serve_, self)
{
    self->https->open++;
    self->room = calloc(1, self->https->room + self->https->out);
    if (!self->room || pt_tls_open(&self->tls, self->https->tls, &self->io, NULL) != PT_OK)
        PT_RETURN(PT_ENOMEM);
    self->out = (char *)self->room + self->https->room;
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(10))
        PT_TLS_HANDSHAKE(&self->tls);
    if (pt_timed_out(&self->limit) || self->pt.status != PT_OK)
        PT_RETURN(pt_timed_out(&self->limit) ? (pt_status)PT_ETIMEDOUT : self->pt.status);
    PT_WAIT_COMPLETE(&self->http, pt_http_serve, .server = self->https->server, .io = &self->io,
                     .stream = pt_tls_stream(&self->tls), .room = self->room, .in = self->in,
                     .in_size = sizeof self->in, .out = self->out, .out_size = self->https->out);
    self->status = self->pt.status;
    if (self->status != PT_ECLOSED) /* after a refusal, too: the client gets the reason */
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(1))
            PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = &self->tls);
    PT_RETURN(self->status);
    PT_FINALLY
    pt_tls_close(&self->tls);
    pt_io_close(&self->io);
    free(self->room);
    self->https->open--;
}
PT_END

struct pt_task *pt_https_start(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    struct pt_https *https = (struct pt_https *)context;

    https->out = https->out ? https->out : 4096;
    if (https->open >= (https->most ? https->most : 1000))
        return NULL;
    return PT_START_NEW(loop, pt_https_serve_, .https = https, .io = pt_io_take(peer)) == PT_OK
               ? loop->taken
               : NULL;
}
