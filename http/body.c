/* body.c - the parser, and the body of a request as a stream
 * SPDX-License-Identifier: MIT
 *
 * A body is parsed as it is read: no more than the reader asks for, and straight into its memory.
 * Its length is known: no byte behind it is read. In chunks: they come into IN, behind the head. */
#include "connection.h"

#include <llhttp.h>

#include <string.h>

PT_STATIC_ASSERT(sizeof(llhttp_t) <= sizeof(((struct pt_http_serve *)0)->parser),
                 "struct pt_http_serve has no room for the parser");

static llhttp_t *parser_of(struct pt_http_serve *of)
{
    return (llhttp_t *)(void *)of->parser;
}

/* --- callbacks ------------------------------------------------------------------------------- */

/* A request to change the protocol is an ordinary one: nobody need heed it. */
static int on_head(llhttp_t *parser)
{
    parser->upgrade = 0;
    return 0;
}

static int on_body(llhttp_t *parser, const char *at, size_t length)
{
    struct pt_http_serve *of = (struct pt_http_serve *)parser->data;

    if (of->into + of->moved != at)
        memmove(of->into + of->moved, at, length);
    of->moved += length;
    return 0;
}

/* The body can be read no more. */
static pt_status broken(struct pt_http_serve *of, pt_code_ code, int refusal, const char *why)
{
    of->broken = (pt_status)code;
    of->refusal = refusal;
    of->why = why;
    of->last = true;
    return of->broken;
}

/* A chunk that the limit does not allow is refused before it comes. The last one has size 0; what
 * follows is read here, since llhttp lets more through. */
static int on_chunk(llhttp_t *parser)
{
    struct pt_http_serve *of = (struct pt_http_serve *)parser->data;
    uint64_t limit = PT_HTTP_LIMIT_(of, body, UINT64_C(1) << 20), before;

    before = of->request.body + of->moved;
    if (parser->content_length > limit || before > limit - parser->content_length) {
        (void)broken(of, PT_ERANGE, 413, "the body is too long");
        return HPE_PAUSED;
    }
    if (parser->content_length)
        return 0;
    of->body = PT_HTTP_TRAILER_;
    of->trailer = 'l';
    return HPE_PAUSED;
}

static int on_end(llhttp_t *parser)
{
    ((struct pt_http_serve *)parser->data)->has_ended = true;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {.on_headers_complete = on_head,
                                           .on_body = on_body,
                                           .on_chunk_header = on_chunk,
                                           .on_message_complete = on_end};

/* --- parsing --------------------------------------------------------------------------------- */

bool pt_http_parser_begin_(struct pt_http_serve *of)
{
    llhttp_t *parser = parser_of(of);
    llhttp_errno_t error;

    llhttp_init(parser, HTTP_REQUEST, &settings);
    parser->data = of;
    of->has_ended = false;
    error = llhttp_execute(parser, of->in + of->start, of->head_end - of->start);
    of->last = !llhttp_should_keep_alive(parser);
    if ((error == HPE_OK || error == HPE_PAUSED) && of->has_ended == (of->body == PT_HTTP_ENDED_))
        return true;
    of->refusal = error == HPE_INVALID_METHOD ? 501 : 400;
    of->why = error == HPE_OK ? "the length is not clear" : llhttp_get_error_reason(parser);
    return false;
}

/* Give SIZE bytes at DATA to the parser; the body in them goes to INTO, and *GOT is how many there
 * are. Returns how many bytes are parsed. */
static size_t feed(struct pt_http_serve *of, const char *data, size_t size, void *into, size_t *got)
{
    llhttp_t *parser = parser_of(of);
    llhttp_errno_t error;
    size_t parsed = size;

    of->into = (char *)into;
    of->moved = 0;
    error = llhttp_execute(parser, data, size);
    *got = of->moved;
    of->request.body += of->moved;
    if (error == HPE_PAUSED)
        parsed = (size_t)(llhttp_get_error_pos(parser) - data);
    else if (error != HPE_OK)
        (void)broken(of, PT_EINVAL, 400, llhttp_get_error_reason(parser));
    if (of->has_ended)
        of->body = PT_HTTP_ENDED_;
    return parsed;
}

/* The state of a trailer behind its next byte. The states: l, the beginning of a line; n, its name;
 * v, its value; r, behind its CR; e, behind that of the empty line; 0, the end; x, malformed. */
char pt_http_trail_(char state, char byte)
{
    switch (state) {
    case 'l': return byte == '\r' ? 'e' : pt_http_is_token_(&byte, 1) ? 'n' : 'x';
    case 'n': return byte == ':' ? 'v' : pt_http_is_token_(&byte, 1) ? 'n' : 'x';
    case 'v': return byte == '\r' ? 'r' : (unsigned char)byte < ' ' && byte != '\t' ? 'x' : 'v';
    case 'r': return byte == '\n' ? 'l' : 'x';
    default: return byte == '\n' ? '0' : 'x';
    }
}

/* The fields behind the last chunk, which are dropped. Returns how many bytes are parsed. */
static size_t skip_trailer(struct pt_http_serve *of, const char *data, size_t size)
{
    size_t i = 0;

    while (i < size && of->body == PT_HTTP_TRAILER_ && of->broken == PT_OK) {
        of->trailer = pt_http_trail_(of->trailer, data[i++]);
        if (of->trailer == '0')
            of->body = PT_HTTP_ENDED_;
        else if (of->trailer == 'x')
            (void)broken(of, PT_EINVAL, 400, "a malformed field behind the last chunk");
    }
    return i;
}

/* --- reading --------------------------------------------------------------------------------- */

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

    if (of->expects && !of->request.sent)
        of->interim = "HTTP/1.1 100 Continue\r\n\r\n";
    of->expects = false;
    return of->interim ? pt_http_raw_write_(of, NULL, 0, &put) : (pt_status)PT_OK;
}

/* A part of a body of known length. */
static pt_status read_known(struct pt_http_serve *of, char *data, size_t size, size_t *got)
{
    size_t held = of->used - of->next, part = 0;
    const char *from = of->in + of->next;
    pt_status status;

    if (size > of->left)
        size = (size_t)of->left;
    if (held) {
        part = held < size ? held : size;
        of->next += part;
    } else {
        if ((status = pt_http_raw_read_(of, data, size, &part)) != PT_OK)
            return not_read(of, status);
        from = data;
    }
    of->left -= part;
    (void)feed(of, from, part, data, got);
    return of->broken;
}

/* Whether chunks of a body of so many bytes have more around them than anyone needs. */
static bool is_padded(const struct pt_http_serve *of)
{
    return of->raw - of->request.body > 16 * of->request.body + of->in_size;
}

/* A part of a body in chunks. */
static pt_status read_chunks(struct pt_http_serve *of, char *data, size_t size, size_t *got)
{
    size_t part;
    pt_status status;

    if (of->next == of->used) {
        of->next = of->used = of->head_end;
        status = pt_http_raw_read_(of, of->in + of->used, of->in_size - of->used, &part);
        if (status != PT_OK)
            return not_read(of, status);
        of->used += part;
    }
    part = of->used - of->next;
    part = of->body == PT_HTTP_TRAILER_
               ? skip_trailer(of, of->in + of->next, part)
               : feed(of, of->in + of->next, part < size ? part : size, data, got);
    of->next += part;
    of->raw += part;
    if (is_padded(of))
        return broken(of, PT_ERANGE, 413, "the body is too long");
    return of->broken;
}

pt_status pt_http_read_body_(void *object, void *data, size_t size, size_t *got)
{
    struct pt_http_serve *of = (struct pt_http_serve *)object;
    pt_status status = of->broken;

    *got = 0;
    while (status == PT_OK && *got == 0 && size) {
        if (of->body == PT_HTTP_ENDED_)
            return PT_ECLOSED;
        if (of->next == of->used && (status = invite(of)) != PT_OK)
            break;
        status = of->body == PT_HTTP_LENGTH_ ? read_known(of, (char *)data, size, got)
                                             : read_chunks(of, (char *)data, size, got);
    }
    if (status != PT_OK)
        *got = 0;
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
