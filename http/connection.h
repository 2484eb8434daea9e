/* connection.h - what the files of libpt-http share
 * SPDX-License-Identifier: MIT */
#ifndef PT_HTTP_CONNECTION_H
#define PT_HTTP_CONNECTION_H

#include "../lib/sites.h"

#include "../lib/needs.h"

#include <pt/http.h>

/* How far a reply is: request->status is not 0 from HEADED on. */
enum { PT_HTTP_NONE_, PT_HTTP_FIELDS_, PT_HTTP_WHOLE_, PT_HTTP_SIZED_, PT_HTTP_CHUNKS_ };

/* The body of a request. */
enum { PT_HTTP_ENDED_, PT_HTTP_LENGTH_, PT_HTTP_IN_CHUNKS_, PT_HTTP_TRAILER_ };

/* Await a frame that was prepared by PT_INIT, by whomever. */
#define PT_HTTP_AWAIT_(frame)                     \
    do {                                          \
        pt_current_->node.link.operand = (frame); \
        PT_SUSPEND_(PT_OP_WAIT_COMPLETE);         \
    } while (0)

/* A setting of the server, or its default. */
#define PT_HTTP_LIMIT_(of, field, normal) ((of)->server->field ? (of)->server->field : (normal))

/* head.c: look at the bytes that have come. 0: the head is not whole yet; 200: it is, from
 * of->start to of->head_end; else the status to refuse it with, and of->why. */
int pt_http_scan_(struct pt_http_serve *of);

/* head.c: take the head apart, into of->request. 0, or the status to refuse it with. */
int pt_http_parse_(struct pt_http_serve *of);

/* head.c: whether a name of LENGTH bytes is a token. */
bool pt_http_is_token_(const char *text, size_t length);

/* body.c: prepare the parser, and give it the head; false, and of->why, if it refuses that. */
bool pt_http_parser_begin_(struct pt_http_serve *of);

/* body.c: read a part of the body, as a try_read. */
pt_status pt_http_read_body_(void *object, void *data, size_t size, size_t *got);

/* raw.c: the stream of the connection, with limits of time and counts. */
struct pt_stream pt_http_raw_(struct pt_http_serve *of);
pt_status pt_http_raw_read_(void *object, void *data, size_t size, size_t *got);
pt_status pt_http_raw_write_(void *object, const void *data, size_t size, size_t *put);
struct pt *pt_http_raw_wait_(void *object, bool writing, struct pt_stream_wait_ *spare);

/* reply.c: print the head of a reply into the buffer. */
void pt_http_print_head_(struct pt_http_serve *of, int status, const char *type, uint64_t size,
                         int kind);

#endif
