/* body.c - the body of a request as a stream
 * SPDX-License-Identifier: MIT
 *
 * A body is parsed as it is read: no more than the reader asks for, and straight into its memory.
 * Its length is known: no byte behind it is read. In chunks: they come into IN, behind the head. */
#include "connection.h"

#include <string.h>

/* The body can be read no more. */
static pt_status broken(struct pt_http_serve *of, pt_code_ code, int refusal, const char *why)
{
    of->broken = (pt_status)code;
    of->refusal = refusal;
    of->why = why;
    of->last = true;
    return of->broken;
}

/* A read of the connection has failed with STATUS. */
static pt_status not_read(struct pt_http_serve *of, pt_status status)
{
    if (status == PT_EAGAIN)
        return status;
    if (status == PT_ECLOSED)
        return broken(of, PT_EINVAL, 400, "the body has ended before its time");
    return broken(of, status, 400, "the body cannot be read");
}

/* Tell a client that waits for it that it may send the body. */
static pt_status invite(struct pt_http_serve *of)
{
    size_t put;

    if (of->expects && !of->request.sent && !of->interim)
        of->interim = "HTTP/1.1 100 Continue\r\n\r\n";
    of->expects = false;
    return of->interim ? pt_http_raw_write_(of, NULL, 0, &put) : (pt_status)PT_OK;
}

/* A part of a body of known length. */
static pt_status read_known(struct pt_http_serve *of, char *data, size_t size, size_t *got)
{
    size_t held = of->used - of->next;
    pt_status status;

    if (size > of->left)
        size = (size_t)of->left;
    if (held) {
        *got = held < size ? held : size;
        memcpy(data, of->in + of->next, *got);
        of->next += *got;
    } else if ((status = pt_http_raw_read_(of, data, size, got)) != PT_OK) {
        return not_read(of, status);
    }
    of->request.body += *got;
    if ((of->left -= *got) == 0)
        of->body = PT_HTTP_ENDED_;
    return PT_OK;
}

/* How many bytes may stand around chunks before the next byte of the body: else there are more than
 * a body of so many bytes needs. */
static uint64_t padding_left(const struct pt_http_serve *of)
{
    return 17 * of->request.body + of->in_size + 1 - of->raw;
}

/* A part of a body in chunks. */
static pt_status read_chunks(struct pt_http_serve *of, char *data, size_t size, size_t *got)
{
    uint64_t most = padding_left(of);
    size_t part;
    pt_status status;

    if (of->next == of->used) {
        of->next = of->used = of->lines.end;
        status = pt_http_raw_read_(of, of->in + of->used, of->in_size - of->used, &part);
        if (status != PT_OK)
            return not_read(of, status);
        of->used += part;
    }
    part = of->used - of->next;
    part = pt_http_parse_chunks_(&of->parser, of->in + of->next, part < most ? part : (size_t)most,
                                 data, size, got);
    of->next += part;
    of->raw += part;
    of->request.body += *got;
    if (of->parser.state == '0')
        of->body = PT_HTTP_ENDED_;
    if (of->parser.state == 'x')
        return broken(of, PT_EINVAL, 400, of->parser.why);
    return of->parser.state == 'm' || !padding_left(of)
               ? broken(of, PT_ERANGE, 413, "the body is too long")
               : (pt_status)PT_OK;
}

/* So many bytes of the body have come: what follows may come later. */
static void give_time(struct pt_http_serve *of, uint64_t count)
{
    const uint64_t rate = PT_HTTP_LIMIT_(of, body_rate, 1024);

    if (PT_HTTP_LIMIT_(of, body_time, PT_SEC(60)) < PT_DELAY_NEVER / 2)
        of->read_until += (pt_time)(count * PT_SEC(1) / rate);
}

/* What stands around chunks is PT_OK and no byte: only so can the caller yield in the midst of it. */
pt_status pt_http_read_body_(void *object, void *data, size_t size, size_t *got)
{
    struct pt_http_serve *of = (struct pt_http_serve *)object;
    pt_status status = of->broken;

    *got = 0;
    if (status != PT_OK || size == 0)
        return status;
    if (of->body == PT_HTTP_ENDED_)
        return PT_ECLOSED;
    if (of->next == of->used && (status = invite(of)) != PT_OK)
        return status;
    status = of->body == PT_HTTP_LENGTH_ ? read_known(of, (char *)data, size, got)
                                         : read_chunks(of, (char *)data, size, got);
    if (status != PT_OK)
        *got = 0;
    give_time(of, *got);
    return status;
}

struct pt_stream pt_http_body(struct pt_http_request *request)
{
    static const struct pt_stream_ops ops = {pt_http_read_body_, NULL, pt_http_raw_wait_, NULL};
    struct pt_stream stream;

    stream.ops = &ops;
    stream.object = request->connection;
    return stream;
}
