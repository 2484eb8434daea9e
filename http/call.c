/* call.c - a call, from its URL to the end of its reply
 * SPDX-License-Identifier: MIT */
#include "client.h"

#include <string.h>

/* How many steps a call makes in a row before other tasks run. */
enum { SHARE = 32 };

/* --- failures -------------------------------------------------------------------------------- */

/* The words for a failure that has none yet. */
static pt_status explain(struct pt_http_call *call, pt_status status)
{
    if (status != PT_OK && !call->why)
        call->why = !call->link       ? pt_status_text(status)
                    : call->link->why ? call->link->why
                                      : pt_io_error_text(&call->link->io, status);
    return status;
}

/* --- the connection -------------------------------------------------------------------------- */

static PT_ASYNC(pt_http_sends_, self)
{
    PT_HTTP_AWAIT_(self->of->sends);
    self->of->either.code = self->pt.status;
}
PT_END

static PT_ASYNC(pt_http_either_, self)
{
    PT_WITH_GROUP(&self->first, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->first, &self->sends, pt_http_sends_, .of = self->of);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        PT_HTTP_AWAIT_(self->of->hears);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        break;
    }
    PT_RETURN(self->code);
}
PT_END

/* What a call waits for after PT_EAGAIN: the reply, and to send more if not all is sent; NULL: for
 * a turn. */
static struct pt *next_wait(struct pt_http_call *call)
{
    if (pt_http_is_sent_(call))
        return call->hears;
    if (!call->asked)
        return call->sends;
    if (!call->hears || !call->sends)
        return NULL;
    PT_INIT(&call->either, pt_http_either_, .of = call);
    return &call->either.pt;
}

static struct pt *wait_for_body(void *object, bool writing, struct pt_stream_wait_ *spare)
{
    (void)writing, (void)spare;
    return next_wait((struct pt_http_call *)object);
}

struct pt_stream pt_http_call_body(struct pt_http_call *call)
{
    static const struct pt_stream_ops ops = {pt_http_read_reply_, NULL, wait_for_body, NULL};
    struct pt_stream stream;

    stream.ops = &ops;
    stream.object = call;
    return stream;
}

/* Whether the next request can be sent behind this reply, of which nothing is left then. If it is
 * that of this call, it is in OUT already. */
static bool can_keep(const struct pt_http_call *call)
{
    return call->phase != PT_HTTP_SENDS_ && (call->again || pt_http_is_sent_(call)) &&
           call->lines.end && call->kind == PT_HTTP_ENDED_ && call->broken == PT_OK &&
           !call->last && call->from == call->used;
}

void pt_http_call_end(struct pt_http_call *call)
{
    if (!call->link && !call->waits)
        return;
    pt_http_give_(call, call->link && can_keep(call));
    if (call->kind != PT_HTTP_ENDED_ && call->broken == PT_OK)
        call->broken = PT_EINVAL; /* a reader gets no more of it */
}

/* Whether a kept connection has nothing to say, as it should. */
static bool is_alive(struct pt_http_call *call)
{
    const struct pt_stream *stream = &call->link->stream;
    size_t got = 0;

    return stream->ops && stream->ops->try_read(stream->object, call->in, 1, &got) == PT_EAGAIN;
}

/* --- the exchange ---------------------------------------------------------------------------- */

/* The request is composed: begin to send it. */
static void begin(struct pt_http_call *call)
{
    call->phase = PT_HTTP_SENDS_;
    call->is_head = pt_http_has_method_(call, "HEAD");
    pt_http_begin_lines_(&call->lines, call->in_size, SIZE_MAX, SIZE_MAX);
    call->used = call->base = call->from = 0;
    call->kind = PT_HTTP_ENDED_;
    call->broken = call->unsent = PT_OK;
    call->asked = call->heard = call->last = call->again = false;
    call->status = 0;
    call->length = 0;
    call->body = NULL;
}

/* --- a step ---------------------------------------------------------------------------------- */

/* The head is there: the call is sent on, or its reply has come. A server can reply before it has
 * all of the request. It gets the rest if that goes well; otherwise it does not want it. */
static void take_head(struct pt_http_call *call)
{
    if (call->status >= 300 && !pt_http_is_sent_(call))
        pt_http_stop_sending_(call);
    call->again = pt_http_is_redirected_(call);
    call->redirected = (uint8_t)(call->redirected + call->again);
    if (call->again)
        pt_http_drop_reply_(call);
    else if (!call->streams)
        call->body = call->in + call->lines.end;
    call->phase = call->again || call->streams ? PT_HTTP_DONE_ : PT_HTTP_READS_;
}

/* The head of the reply, once it is there. */
static pt_status hear_part(struct pt_http_call *call)
{
    pt_status status = pt_http_hear_(call);

    if (status == PT_OK && call->lines.end)
        take_head(call);
    return status;
}

/* A part of the request, unless the reply is there before. */
static pt_status send_part(struct pt_http_call *call)
{
    pt_status status = PT_EAGAIN;

    if (pt_http_is_sent_(call)) {
        call->phase = PT_HTTP_HEARS_;
        return PT_OK;
    }
    if (call->asked)
        status = hear_part(call);
    return status == PT_EAGAIN ? pt_http_send_(call) : status;
}

/* A part of a body that is read as a whole. */
static pt_status read_part(struct pt_http_call *call)
{
    size_t room = call->in_size - 1 - call->base, got = 0;
    pt_status status;

    if (call->kind == PT_HTTP_ENDED_) {
        call->in[call->base] = '\0';
        call->phase = PT_HTTP_DONE_;
        return PT_OK;
    }
    if (room == 0 || (call->kind == PT_HTTP_LENGTH_ && call->left > room))
        return pt_http_fails_(call, PT_ERANGE, "IN is too small for the reply");
    status = pt_http_read_reply_(call, call->in + call->base, room, &got);
    call->base += got;
    return status == PT_ECLOSED ? (pt_status)PT_OK : status;
}

/* Do what comes next; PT_EAGAIN if it must wait. */
static pt_status step(struct pt_http_call *call)
{
    pt_status status;

    call->hears = call->sends = NULL;
    switch (call->phase) {
    case PT_HTTP_SENDS_: return send_part(call);
    case PT_HTTP_HEARS_:
        status = hear_part(call);
        if (status != PT_OK && status != PT_EAGAIN && !call->why && call->unsent != PT_OK)
            status = call->unsent;
        return status;
    default: return read_part(call);
    }
}

/* As many steps as can be made, up to a share. */
static pt_status go_on(struct pt_http_call *call)
{
    pt_status status = PT_OK;

    while (status == PT_OK && call->phase != PT_HTTP_DONE_) {
        if (call->steps++ == SHARE) {
            call->steps = 0;
            call->hears = call->sends = NULL;
            return PT_EAGAIN;
        }
        status = step(call);
    }
    return status;
}

/* --- the call -------------------------------------------------------------------------------- */

static void set_up(struct pt_http_call *call)
{
    PT_NEEDS_FIELD_(call, client, "pt_http_call");
    PT_NEEDS_SYSTEM_(call->client->system, "pt_http_call");
    PT_NEEDS_FIELD_(call, client->links, "pt_http_call");
    PT_NEEDS_FIELD_(call, client->count, "pt_http_call");
    PT_NEEDS_FIELD_(call, url, "pt_http_call");
    PT_NEEDS_(call->in && call->in_size >= 512, ".in has less than 512 bytes", "pt_http_call");
    PT_NEEDS_(call->out && call->out_size >= 512, ".out has less than 512 bytes", "pt_http_call");
    PT_NEEDS_(!call->size || call->source.ops || (call->data && call->size < PT_HTTP_CHUNKED),
              ".size is set, and neither .data nor .source", "pt_http_call");
    for (size_t i = 0; i < call->client->count; i++)
        PT_NEEDS_(call->client->links[i].call != call,
                  "the stream of the call before it was not ended: pt_http_call_end",
                  "pt_http_call");
}

/* The target and the head of the first request. */
static pt_status begin_call(struct pt_http_call *call)
{
    pt_status status;

    set_up(call);
    if (call->method && !pt_http_is_token_(call->method, strlen(call->method)))
        return pt_http_fails_(call, PT_EINVAL, "the method is no word");
    status = pt_http_aim_(call);
    return status == PT_OK ? pt_http_compose_(call) : status;
}

/* Whether the request may be sent once more: its connection was kept, and closed meanwhile. */
static bool may_retry(const struct pt_http_call *call, pt_status status)
{
    static const char *const harmless[] = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"};

    if (!call->reused || call->heard || call->source.ops || call->why ||
        (status != PT_ECLOSED && status != PT_EIO))
        return false;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (pt_http_has_method_(call, harmless[i]))
            return true;
    return false;
}

/* The same request, on a new connection in the place of the old one. */
static pt_status try_again(struct pt_http_call *call)
{
    call->reused = false;
    call->again = true;
    return pt_http_compose_(call);
}

PT_ASYNC(pt_http_call, self)
{
    self->pt.status = begin_call(self);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    do {
        if (!self->link && !pt_http_take_(self, PT_NOW()))
            PT_WAIT_EVENT(&self->given);
        if (!self->reused || !is_alive(self)) {
            pt_http_close_(self->client, self->link);
            self->reused = false;
            self->link->why = NULL;
            PT_WAIT_COMPLETE(&self->dial, pt_dial, .io = &self->link->io,
                             .system = self->client->system, .to = self->link->to);
            if (self->pt.status != PT_OK)
                PT_RETURN(explain(self, self->pt.status));
            (void)pt_tcp_tune(&self->link->io, true, 0);
            self->link->stream = pt_io_stream(&self->link->io);
            if (self->secure)
                PT_HTTP_AWAIT_(self->client->secure(self->link));
            if (self->pt.status != PT_OK)
                PT_RETURN(explain(self, self->pt.status));
            self->link->why = NULL;
        }
        begin(self);
        while ((self->pt.status = go_on(self)) == PT_EAGAIN) {
            self->wait = next_wait(self);
            if (self->wait)
                PT_HTTP_AWAIT_(self->wait);
            else
                PT_YIELD();
            if (self->wait && self->pt.status != PT_OK)
                break;
        }
        if (self->again)
            pt_http_call_end(self);
        else if (may_retry(self, self->pt.status))
            self->pt.status = try_again(self);
    } while (self->again && self->pt.status == PT_OK);
    PT_RETURN(explain(self, self->pt.status));
    PT_FINALLY
    if (self->pt.result != PT_OK || !self->streams)
        pt_http_call_end(self);
}
PT_END
