/* ask.c - a request: its head, and its body, whole or from a stream
 * SPDX-License-Identifier: MIT */
#include "client.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What a chunk has before its bytes and behind them; and the least room for parts of a source. */
enum { SIZE_LINE = 10, CHUNK_END = 2, PART = 64 };

/* --- the head -------------------------------------------------------------------------------- */

/* Whether a field is not for the server to which a redirect has led, or for a body that is gone. */
static bool stays_here(const struct pt_http_call *call, const char *name)
{
    static const char *const secrets[] = {"Authorization", "Cookie", "Proxy-Authorization", NULL};

    return (call->elsewhere && pt_http_is_among_(name, secrets)) ||
           (call->no_body && !strncasecmp(name, "Content-", 8));
}

/* Print the fields of the caller; false if one of them cannot be a field. */
static bool print_fields(const struct pt_http_call *call, struct pt_writer *head)
{
    static const char *const own[] = {"Host", "Content-Length", "Transfer-Encoding", "Connection",
                                      NULL};

    for (const char *const *it = call->fields; it && *it; it += 2) {
        if (!pt_http_is_token_(it[0], strlen(it[0])) || !it[1] || !pt_http_is_value_(it[1]) ||
            pt_http_is_among_(it[0], own))
            return false;
        if (!stays_here(call, it[0]))
            pt_printf(head, "%s: %s\r\n", it[0], it[1]);
    }
    return true;
}

/* Print what tells the end of the body. A method that has one by its nature says that it is 0. */
static void print_length(const struct pt_http_call *call, struct pt_writer *head)
{
    static const char *const with_bodies[] = {"POST", "PUT", "PATCH", NULL};

    if (call->owed == PT_HTTP_CHUNKED)
        pt_printf(head, "Transfer-Encoding: chunked\r\n");
    else if (call->owed || pt_http_is_among_(pt_http_method_(call), with_bodies))
        pt_printf(head, "Content-Length: %llu\r\n", (unsigned long long)call->owed);
}

/* The server as in a Host field: without the port that it has anyway. */
static int host_width(const struct pt_http_call *call)
{
    const char *colon = strrchr(call->out, ':');

    return (int)(strcmp(colon, call->secure ? ":443" : ":80") ? strlen(call->out)
                                                              : (size_t)(colon - call->out));
}

pt_status pt_http_compose_(struct pt_http_call *call)
{
    char *data = call->out + call->begin;
    const size_t room = call->out_size - call->begin;
    struct pt_writer head;

    if (room == 0)
        return pt_http_fails_(call, PT_ERANGE, "OUT is too small for the request");
    pt_writer_init_memory(&head, data, room);
    call->owed = call->no_body ? 0 : call->size;
    call->sent = call->begin;
    pt_printf(&head, "%s %s HTTP/1.1\r\nHost: %.*s\r\n", pt_http_method_(call),
              call->out + strlen(call->out) + 1, host_width(call), call->out);
    if (!print_fields(call, &head))
        return pt_http_fails_(call, PT_EINVAL, "a field of the request cannot be sent");
    print_length(call, &head);
    if (pt_printf(&head, "\r\n") != PT_OK || (call->source.ops && room < PART))
        return pt_http_fails_(call, PT_ERANGE, "OUT is too small for the request");
    call->end = call->begin + head.end;
    if (!call->source.ops && call->owed <= call->out_size - call->end) { /* all in one write */
        if (call->owed)
            memcpy(call->out + call->end, call->data, (size_t)call->owed);
        call->end += (size_t)call->owed;
        call->owed = 0;
    }
    return PT_OK;
}

/* --- sending --------------------------------------------------------------------------------- */

/* The source has no more. */
static pt_status end_source(struct pt_http_call *call)
{
    if (call->owed != PT_HTTP_CHUNKED)
        return pt_http_fails_(call, PT_EINVAL, "the source has ended before SIZE bytes");
    call->sent = call->begin;
    call->end = call->begin + (size_t)sprintf(call->out + call->begin, "0\r\n\r\n");
    call->owed = 0;
    return PT_OK;
}

/* Put a frame around the COUNT bytes of a chunk. */
static void frame(struct pt_http_call *call, size_t count)
{
    char line[SIZE_LINE + 1], *data = call->out + call->begin + SIZE_LINE;
    int length = snprintf(line, sizeof line, "%zx\r\n", count);

    memcpy(data - length, line, (size_t)length);
    memcpy(data + count, "\r\n", CHUNK_END);
    call->sent = call->begin + SIZE_LINE - (size_t)length;
    call->end = call->begin + SIZE_LINE + count + CHUNK_END;
}

/* Read the next part of the source, where the head was. */
static pt_status load(struct pt_http_call *call)
{
    const struct pt_stream *source = &call->source;
    const bool chunk = call->owed == PT_HTTP_CHUNKED;
    size_t at = call->begin + (chunk ? SIZE_LINE : 0);
    size_t room = call->out_size - at - (chunk ? CHUNK_END : 0), got = 0;
    pt_status status;

    if (room > (1u << 24)) /* its size fits in the line */
        room = 1u << 24;
    if (room > call->owed)
        room = (size_t)call->owed;
    status = source->ops->try_read(source->object, call->out + at, room, &got);
    if (status == PT_EAGAIN && source->ops->wait)
        call->sends = source->ops->wait(source->object, false, &call->spares[true]);
    if (status == PT_ECLOSED)
        return end_source(call);
    if (status != PT_OK)
        return status == PT_EAGAIN ? status : pt_http_fails_(call, status, "the source has failed");
    if (chunk && got)
        frame(call, got);
    if (!chunk) {
        call->owed -= got;
        call->sent = at;
        call->end = at + got;
    }
    return PT_OK;
}

/* Write what comes next: of OUT, or of DATA. */
static pt_status put(struct pt_http_call *call)
{
    const bool from_out = call->sent < call->end;
    const char *data = from_out ? call->out + call->sent
                                : (const char *)call->data + (size_t)(call->size - call->owed);
    size_t size = from_out ? call->end - call->sent : (size_t)call->owed, step = 0;
    pt_status status =
        call->link->stream.ops->try_write(call->link->stream.object, data, size, &step);

    if (status == PT_EAGAIN)
        call->sends = pt_http_wait_for_(call, true);
    if (from_out)
        call->sent += step;
    else
        call->owed -= step;
    call->asked = call->asked || step;
    return status;
}

bool pt_http_is_sent_(const struct pt_http_call *call)
{
    return call->sent == call->end && call->owed == 0;
}

void pt_http_stop_sending_(struct pt_http_call *call)
{
    call->sent = call->end;
    call->owed = 0;
    call->last = true;
}

pt_status pt_http_send_(struct pt_http_call *call)
{
    pt_status status;

    if (call->sent == call->end && call->source.ops)
        return load(call);
    status = put(call);
    if (status == PT_OK || status == PT_EAGAIN)
        return status;
    call->unsent = status;
    pt_http_stop_sending_(call);
    return PT_OK;
}
