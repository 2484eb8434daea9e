/* chunks.c - llhttp: what it says of a head, and the bytes of a body in chunks
 * SPDX-License-Identifier: MIT
 *
 * The same for requests and replies. What is behind the last chunk is read here, since llhttp lets
 * more through. The states of a body in chunks: c, in chunks; l, the beginning of a line behind the
 * last one; n, its name; v, its value; r, behind its CR; e, behind that of the empty line; 0, the
 * end; x, malformed; m, more than there is room for. */
#include "connection.h"

#include <llhttp.h>

#include <string.h>

PT_STATIC_ASSERT(sizeof(llhttp_t) <= sizeof(((struct pt_http_parser_ *)0)->state_of_llhttp),
                 "struct pt_http_parser_ has no room for that of llhttp");

static llhttp_t *llhttp_of(struct pt_http_parser_ *parser)
{
    return (llhttp_t *)(void *)parser->state_of_llhttp;
}

/* --- callbacks ------------------------------------------------------------------------------- */

/* To change the protocol is never agreed on. 1: there is no body. */
static int on_head(llhttp_t *llhttp)
{
    llhttp->upgrade = 0;
    return ((struct pt_http_parser_ *)llhttp->data)->bare;
}

static int on_body(llhttp_t *llhttp, const char *at, size_t length)
{
    struct pt_http_parser_ *parser = (struct pt_http_parser_ *)llhttp->data;

    memmove(parser->into + parser->moved, at, length);
    parser->moved += length;
    return 0;
}

/* The head of a chunk. One for which there is no room is refused before it comes; the last one has
 * size 0. */
static int on_chunk(llhttp_t *llhttp)
{
    struct pt_http_parser_ *parser = (struct pt_http_parser_ *)llhttp->data;

    if (llhttp->content_length > parser->room)
        parser->state = 'm';
    else if (llhttp->content_length == 0)
        parser->state = 'l';
    parser->room -= llhttp->content_length;
    return parser->state == 'c' ? 0 : HPE_PAUSED;
}

static int on_end(llhttp_t *llhttp)
{
    ((struct pt_http_parser_ *)llhttp->data)->has_ended = true;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {.on_headers_complete = on_head,
                                           .on_body = on_body,
                                           .on_chunk_header = on_chunk,
                                           .on_message_complete = on_end};

/* --- a head ---------------------------------------------------------------------------------- */

int pt_http_agree_(struct pt_http_parser_ *parser, bool is_reply, const char *head, size_t size,
                   bool ends)
{
    llhttp_t *llhttp = llhttp_of(parser);
    llhttp_errno_t error;

    llhttp_init(llhttp, is_reply ? HTTP_RESPONSE : HTTP_REQUEST, &settings);
    llhttp->data = parser;
    parser->state = 'c';
    parser->has_ended = false;
    error = llhttp_execute(llhttp, head, size);
    parser->keeps = llhttp_should_keep_alive(llhttp);
    if (error != HPE_OK && error != HPE_PAUSED) {
        parser->why = llhttp_get_error_reason(llhttp);
        return error == HPE_INVALID_METHOD ? 501 : 400;
    }
    parser->why = "the length is not clear";
    return parser->has_ended == ends ? 0 : 400;
}

/* --- a body ---------------------------------------------------------------------------------- */

/* The state behind the next byte. */
static char trail(char state, char byte)
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
static size_t skip_trailer(struct pt_http_parser_ *parser, const char *data, size_t size)
{
    size_t i = 0;

    parser->why = "a malformed field behind the last chunk";
    while (i < size && parser->state != '0' && parser->state != 'x')
        parser->state = trail(parser->state, data[i++]);
    return i;
}

size_t pt_http_parse_chunks_(struct pt_http_parser_ *parser, const char *data, size_t size,
                             char *into, size_t room, size_t *got)
{
    llhttp_t *llhttp = llhttp_of(parser);
    llhttp_errno_t error;

    *got = 0;
    if (parser->state != 'c')
        return skip_trailer(parser, data, size);
    if (size > room)
        size = room;
    parser->into = into;
    parser->moved = 0;
    error = llhttp_execute(llhttp, data, size);
    *got = parser->moved;
    if (error == HPE_PAUSED)
        return (size_t)(llhttp_get_error_pos(llhttp) - data);
    if (error != HPE_OK) {
        parser->state = 'x';
        parser->why = llhttp_get_error_reason(llhttp);
    }
    return size;
}
