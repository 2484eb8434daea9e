/* client.h - what the files of the client share
 * SPDX-License-Identifier: MIT */
#ifndef PT_HTTP_CLIENT_PRIVATE_H
#define PT_HTTP_CLIENT_PRIVATE_H

#include "connection.h"

#include <pt/http_client.h>

#include <string.h>

/* How far a call is. */
enum { PT_HTTP_SENDS_, PT_HTTP_HEARS_, PT_HTTP_READS_, PT_HTTP_DONE_ };

/* A body that ends with its connection; the other kinds are those of a request. */
enum { PT_HTTP_TO_END_ = PT_HTTP_IN_CHUNKS_ + 1 };

/* Note why a call fails, in words, and return STATUS. */
static inline pt_status pt_http_fails_(struct pt_http_call *call, pt_code_ status, const char *why)
{
    if (why)
        call->why = why;
    return (pt_status)status;
}

static inline const char *pt_http_method_(const struct pt_http_call *call)
{
    return call->method ? call->method : "GET";
}

static inline bool pt_http_has_method_(const struct pt_http_call *call, const char *name)
{
    return !strcmp(pt_http_method_(call), name);
}

/* Prepare to wait for the connection; NULL if it needs no wait. */
static inline struct pt *pt_http_wait_for_(struct pt_http_call *call, bool writing)
{
    const struct pt_stream *stream = &call->link->stream;

    return stream->ops->wait ? stream->ops->wait(stream->object, writing, &call->spares[writing])
                             : NULL;
}

/* pool.c: get a connection for the call, or a place for one: false, and the call waits in the
 * queue until its event GIVEN. Then: leave that queue, or give the connection back, to be KEPT for
 * the next call or closed; close it, but keep its place. */
bool pt_http_take_(struct pt_http_call *call, pt_time now);
void pt_http_give_(struct pt_http_call *call, bool keep);
void pt_http_close_(const struct pt_http_client *client, struct pt_http_link *link);

/* url.c: put the server and the target of the call's URL into OUT; those of LOCATION, which a reply
 * names; compose the request behind them. */
pt_status pt_http_aim_(struct pt_http_call *call);
pt_status pt_http_aim_again_(struct pt_http_call *call, const char *location);

/* ask.c: compose the request behind the target; send a part of it, unless all is sent: PT_EAGAIN,
 * and call->sends, if it must wait. A connection that takes no more ends that, and not the call:
 * the reply can be there, and tells more. Or send no more of it. */
pt_status pt_http_compose_(struct pt_http_call *call);
pt_status pt_http_send_(struct pt_http_call *call);
bool pt_http_is_sent_(const struct pt_http_call *call);
void pt_http_stop_sending_(struct pt_http_call *call);

/* answer.c: read the head of the reply: PT_EAGAIN, and call->hears; PT_OK and no call->head: it was
 * an interim one. Read a part of its body, and send one of the request, if not all is sent. */
pt_status pt_http_hear_(struct pt_http_call *call);
pt_status pt_http_read_reply_(void *object, void *data, size_t size, size_t *got);

/* answer.c: drop what is there of a short reply that is not needed, so that its connection can be
 * kept. It sends nothing: the next request can be in OUT already. */
void pt_http_drop_reply_(struct pt_http_call *call);

/* redirect.c: whether the reply sends the call elsewhere: then its next request is composed. */
bool pt_http_is_redirected_(struct pt_http_call *call);

#endif
