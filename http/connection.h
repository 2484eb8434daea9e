/* connection.h - what the files of libpt-http share
 * SPDX-License-Identifier: MIT */
#ifndef PT_HTTP_CONNECTION_H
#define PT_HTTP_CONNECTION_H

#include "../lib/sites.h"

#include "../lib/needs.h"

#include <pt/http.h>

#include <string.h>
#include <strings.h>

/* How far a reply is: request->status is not 0 from HEADED on. */
enum { PT_HTTP_NONE_, PT_HTTP_FIELDS_, PT_HTTP_WHOLE_, PT_HTTP_SIZED_, PT_HTTP_CHUNKS_ };

/* The body of a request. */
enum { PT_HTTP_ENDED_, PT_HTTP_LENGTH_, PT_HTTP_IN_CHUNKS_ };

/* Await a frame that was prepared by PT_INIT, by whomever. */
#define PT_HTTP_AWAIT_(frame)                     \
    do {                                          \
        pt_current_->node.link.operand = (frame); \
        PT_SUSPEND_(PT_OP_WAIT_COMPLETE);         \
    } while (0)

/* A setting of the server, or its default. */
#define PT_HTTP_LIMIT_(of, field, normal) ((of)->server->field ? (of)->server->field : (normal))

/* Whether the server ends. */
static inline bool pt_http_ends_(const struct pt_http_serve *of)
{
    return of->server->ending && of->server->ending->set;
}

/* lines.c: begin to read a head in a buffer of SIZE bytes, with so many bytes of a line and so many
 * fields at most. Then look at the bytes of IN up to USED. 0: the head is not whole yet; 200: it is,
 * from lines->start to lines->end; else the status that a request deserves, and lines->why. */
void pt_http_begin_lines_(struct pt_http_lines_ *lines, size_t size, size_t longest, size_t fields);
int pt_http_scan_lines_(struct pt_http_lines_ *lines, const char *in, size_t used);

/* head.c: the same for a request: else the status to refuse it with, and of->why. */
int pt_http_scan_(struct pt_http_serve *of);

/* head.c: take the head apart, into of->request. 0, or the status to refuse it with. */
int pt_http_parse_(struct pt_http_serve *of);

/* fields.c: how many of LENGTH bytes at TEXT, from the first on, are in SET: a bit for each
 * character. */
size_t pt_http_span_(const char *text, size_t length, const uint32_t set[4]);

/* fields.c: whether a name of LENGTH bytes is a token; whether a value has only characters that a
 * field may have. */
bool pt_http_is_token_(const char *text, size_t length);
bool pt_http_is_value_(const char *text);

/* fields.c: whether a name, in any case, is one of NAMES, which end with a NULL. */
bool pt_http_is_among_(const char *name, const char *const *names);

/* A field of a head: its name, and its value without blanks around it. */
struct pt_http_pair_ {
    char *name, *value;
    size_t name_length, length;
};

/* Whether a field has this name, or this value. */
static inline bool pt_http_is_named_(const struct pt_http_pair_ *field, const char *name)
{
    return field->name_length == strlen(name) &&
           !strncasecmp(field->name, name, field->name_length);
}

static inline bool pt_http_has_value_(const struct pt_http_pair_ *field, const char *value)
{
    return field->length == strlen(value) && !strncasecmp(field->value, value, field->length);
}

/* fields.c: the field at LINE; returns the next line, or NULL if LINE is no field. */
char *pt_http_cut_field_(char *line, struct pt_http_pair_ *field);

/* fields.c: end each name and value of the fields at LINE by a 0; then find a value among them. */
void pt_http_cut_fields_(char *line);
const char *pt_http_find_(const char *line, const char *end, const char *name);

/* fields.c: the length that a field says: PT_EINVAL if it is no number, PT_ERANGE if it has too many
 * digits. */
pt_status pt_http_read_length_(const struct pt_http_pair_ *field, uint64_t *length);

/* chunks.c: let llhttp look at a head; ENDS: the message ends with it. 0 if it agrees; else the status
 * that a request deserves, and parser->why. Set BARE and ROOM before. */
int pt_http_agree_(struct pt_http_parser_ *parser, bool is_reply, const char *head, size_t size,
                   bool ends);

/* chunks.c: parse bytes of a body in chunks, which goes to INTO; *GOT is how much of it. Returns how
 * many bytes are parsed; parser->state tells the rest. */
size_t pt_http_parse_chunks_(struct pt_http_parser_ *parser, const char *data, size_t size,
                             char *into, size_t room, size_t *got);

/* body.c: read a part of the body, as a try_read. */
pt_status pt_http_read_body_(void *object, void *data, size_t size, size_t *got);

/* raw.c: the stream of the connection, with limits of time and counts. */
struct pt_stream pt_http_raw_(struct pt_http_serve *of);
pt_status pt_http_raw_read_(void *object, void *data, size_t size, size_t *got);
pt_status pt_http_raw_write_(void *object, const void *data, size_t size, size_t *put);
struct pt *pt_http_raw_wait_(void *object, bool writing, struct pt_stream_wait_ *spare);

/* Add bytes behind those in OUT, which has room for them. */
static inline void pt_http_append_(struct pt_writer *out, const char *data, size_t size)
{
    memcpy(out->data + out->end, data, size);
    out->end += size;
    out->data[out->end] = '\0';
}

/* reply_head.c: print the head of a reply into the buffer; whether its body is sent, too. */
bool pt_http_print_head_(struct pt_http_serve *of, int status, const char *type, uint64_t size,
                         int kind);

/* status.c: the words behind a status; "" if it has none. */
const char *pt_http_words_(int status);

#endif
