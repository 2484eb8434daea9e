/* answer.c - the reply to a call: its head, and its body as a whole or as a stream
 * SPDX-License-Identifier: MIT
 *
 * As with requests (head.c, body.c): what tells the end of the body is read here, and then by llhttp,
 * which must agree. */
#include "client.h"

#include <string.h>

/* How often a reply is read that is not needed. */
enum { DROPS = 32 };

static pt_status malformed(struct pt_http_call *call, const char *why)
{
    return pt_http_fails_(call, PT_EFAILED, why);
}

/* Read from the connection. */
static pt_status read_raw(struct pt_http_call *call, char *data, size_t size, size_t *got)
{
    pt_status status;

    *got = 0;
    status = call->link->stream.ops->try_read(call->link->stream.object, data, size, got);
    if (status == PT_EAGAIN)
        call->hears = pt_http_wait_for_(call, false);
    if (*got)
        call->heard = true;
    return status;
}

/* --- what a head says ------------------------------------------------------------------------ */

/* The status line: HTTP/1.1 200 OK. The words can be missing, and so can the blank before them. */
static pt_status read_status(struct pt_http_call *call)
{
    const char *line = call->in;

    if (call->lines.end < 14 || memcmp(line, "HTTP/1.", 7) || (line[7] != '0' && line[7] != '1') ||
        line[8] != ' ' || strspn(line + 9, "0123456789") != 3 || !strchr(" \r", line[12]))
        return malformed(call, "the reply does not begin with HTTP/1.1 and a status");
    call->status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    if (call->status < 100 || call->status > 599)
        return malformed(call, "the status of the reply is not one from 100 to 599");
    return call->status == 101 ? malformed(call, "the reply changes the protocol") : PT_OK;
}

/* What the fields say about the end of the reply, how often. */
struct framing {
    int lengths, codings;
};

static pt_status read_field(struct pt_http_call *call, const struct pt_http_pair_ *field,
                            struct framing *found)
{
    if (pt_http_is_named_(field, "Content-Length")) {
        if (found->lengths++)
            return malformed(call, "the reply has Content-Length twice");
        return pt_http_read_length_(field, &call->left) == PT_OK
                   ? PT_OK
                   : malformed(call, "Content-Length of the reply is no number");
    }
    if (pt_http_is_named_(field, "Transfer-Encoding") &&
        (found->codings++ || call->in[7] == '0' || !pt_http_has_value_(field, "chunked")))
        return malformed(call, "Transfer-Encoding of the reply is not just chunked");
    return PT_OK;
}

/* Whether a reply has no body, whatever its fields say. */
static bool is_bare(const struct pt_http_call *call)
{
    return call->is_head || call->status < 200 || call->status == 204 || call->status == 304;
}

static pt_status read_fields(struct pt_http_call *call)
{
    struct framing found = {0, 0};
    struct pt_http_pair_ field;
    char *line = strchr(call->in, '\n') + 1;
    pt_status status;

    call->left = 0;
    while (*line != '\r') {
        if ((line = pt_http_cut_field_(line, &field)) == NULL)
            return malformed(call, "a field of the reply is not: name, colon, value");
        if ((status = read_field(call, &field, &found)) != PT_OK)
            return status;
    }
    if (found.lengths && found.codings)
        return malformed(call, "the reply has both Content-Length and Transfer-Encoding");
    call->kind = (uint8_t)(is_bare(call)    ? PT_HTTP_ENDED_
                           : found.codings  ? PT_HTTP_IN_CHUNKS_
                           : !found.lengths ? PT_HTTP_TO_END_
                           : call->left     ? PT_HTTP_LENGTH_
                                            : PT_HTTP_ENDED_);
    return PT_OK;
}

/* --- the head -------------------------------------------------------------------------------- */

/* Give the head to llhttp, too. */
static pt_status agree(struct pt_http_call *call)
{
    call->parser.bare = is_bare(call);
    call->parser.room = UINT64_MAX;
    if (pt_http_agree_(&call->parser, true, call->in, call->lines.end,
                       call->kind == PT_HTTP_ENDED_))
        return malformed(call, call->parser.why);
    call->last = call->last || !call->parser.keeps;
    return PT_OK;
}

/* An interim reply, such as 100: what is behind it is the next one. */
static void skip_head(struct pt_http_call *call)
{
    call->used -= call->lines.end;
    memmove(call->in, call->in + call->lines.end, call->used);
    pt_http_begin_lines_(&call->lines, call->in_size, SIZE_MAX, SIZE_MAX);
}

/* The head is whole: what it says. */
static pt_status take_head(struct pt_http_call *call)
{
    pt_status status;

    if ((status = read_status(call)) != PT_OK || (status = read_fields(call)) != PT_OK)
        return status;
    if (call->status < 200) {
        skip_head(call);
        return PT_OK;
    }
    if ((status = agree(call)) != PT_OK)
        return status;
    pt_http_cut_fields_(strchr(call->in, '\n') + 1);
    call->base = call->from = call->lines.end;
    call->raw = 0;
    return PT_OK;
}

/* Look at what has come of the head. */
static pt_status scan(struct pt_http_call *call)
{
    int found = pt_http_scan_lines_(&call->lines, call->in, call->used);

    if (call->lines.start)
        return malformed(call, "the reply begins with an empty line");
    if (found == 0 || found == 200)
        return PT_OK;
    return found == 400
               ? malformed(call, call->lines.why)
               : pt_http_fails_(call, PT_ERANGE, "IN is too small for the head of the reply");
}

pt_status pt_http_hear_(struct pt_http_call *call)
{
    size_t got;
    pt_status status = scan(call);

    while (status == PT_OK && !call->lines.end) {
        status = read_raw(call, call->in + call->used, call->in_size - call->used, &got);
        if (status != PT_OK)
            return status;
        call->used += got;
        status = scan(call);
    }
    return status == PT_OK ? take_head(call) : status;
}

const char *pt_http_call_field(const struct pt_http_call *call, const char *name)
{
    const char *end = call->in + call->lines.end;

    if (!call->base) /* there is no reply, or a malformed one */
        return NULL;
    return pt_http_find_((const char *)memchr(call->in, '\n', call->lines.end) + 1, end, name);
}

/* --- the body -------------------------------------------------------------------------------- */

static pt_status broken(struct pt_http_call *call, pt_code_ code, const char *why)
{
    call->last = true;
    return call->broken = pt_http_fails_(call, code, why);
}

/* A read of the connection has failed with STATUS. */
static pt_status not_read(struct pt_http_call *call, pt_status status)
{
    if (status == PT_EAGAIN)
        return status;
    if (status == PT_ECLOSED && call->kind == PT_HTTP_TO_END_) {
        call->kind = PT_HTTP_ENDED_;
        return PT_OK;
    }
    if (status == PT_ECLOSED)
        return broken(call, PT_EFAILED, "the reply has ended before its time");
    return broken(call, status, NULL);
}

/* A part of a body that is not in chunks. */
static pt_status read_known(struct pt_http_call *call, char *data, size_t size, size_t *got)
{
    size_t held = call->used - call->from;
    pt_status status;

    if (call->kind == PT_HTTP_LENGTH_ && size > call->left)
        size = (size_t)call->left;
    if (held) {
        *got = held < size ? held : size;
        memmove(data, call->in + call->from, *got);
        call->from += *got;
    } else if ((status = read_raw(call, data, size, got)) != PT_OK) {
        return not_read(call, status);
    }
    if (call->kind == PT_HTTP_LENGTH_ && (call->left -= *got) == 0)
        call->kind = PT_HTTP_ENDED_;
    return PT_OK;
}

/* A part of a body in chunks, which come into IN behind what is there of the body. */
static pt_status read_chunks(struct pt_http_call *call, char *data, size_t size, size_t *got)
{
    size_t part;
    pt_status status;

    if (call->from == call->used) {
        call->from = call->used = call->base;
        status = read_raw(call, call->in + call->used, call->in_size - call->used, &part);
        if (status != PT_OK)
            return not_read(call, status);
        call->used += part;
    }
    part = pt_http_parse_chunks_(&call->parser, call->in + call->from, call->used - call->from,
                                 data, size, got);
    call->from += part;
    call->raw += part;
    if (call->parser.state == '0')
        call->kind = PT_HTTP_ENDED_;
    if (call->parser.state == 'x')
        return broken(call, PT_EFAILED, call->parser.why);
    return call->raw > 16 * (call->length + *got) + call->in_size
               ? broken(call, PT_EFAILED, "the chunks of the reply have too much around them")
               : (pt_status)PT_OK;
}

/* A part of the body. PT_OK and no byte: only what is around a chunk was there. */
static pt_status read_body(struct pt_http_call *call, char *data, size_t size, size_t *got)
{
    pt_status status = call->kind == PT_HTTP_IN_CHUNKS_ ? read_chunks(call, data, size, got)
                                                        : read_known(call, data, size, got);

    if (status != PT_OK)
        *got = 0;
    call->length += *got;
    return status;
}

void pt_http_drop_reply_(struct pt_http_call *call)
{
    char *data = call->in + call->base;
    const size_t room = call->in_size - call->base;
    size_t got;

    for (int i = 0; i < DROPS && call->kind != PT_HTTP_ENDED_; i++)
        if (read_body(call, data, room, &got) != PT_OK)
            break;
    call->why = NULL;
}

pt_status pt_http_read_reply_(void *object, void *data, size_t size, size_t *got)
{
    struct pt_http_call *call = (struct pt_http_call *)object;
    pt_status sent = PT_EAGAIN, status;

    *got = 0;
    if (call->broken != PT_OK || size == 0)
        return call->broken;
    if (!call->base) /* there is no reply */
        return PT_EINVAL;
    if (call->kind == PT_HTTP_ENDED_)
        return PT_ECLOSED;
    call->hears = call->sends = NULL;
    if (!pt_http_is_sent_(call))
        sent = pt_http_send_(call);
    if (sent != PT_OK && sent != PT_EAGAIN)
        return broken(call, sent, NULL);
    status = read_body(call, (char *)data, size, got);
    return status == PT_EAGAIN && sent == PT_OK ? (pt_status)PT_OK : status;
}
