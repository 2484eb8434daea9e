/* http.h - the part of HTTP/1.1 that these servers need: requests without bodies, replies of text
 * SPDX-License-Identifier: MIT
 *
 * The reader must find the exact end of each request. Otherwise a client could hide a request in
 * the body of another one. So a request that is not understood is refused, and then the connection
 * is closed. */
#ifndef HTTP_H
#define HTTP_H

#include <pt/host.h>

#include "http_reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HTTP_LINES = 64, HTTP_BODY = 65536 }; /* the limits of a request */

/* The frame of read_request: read a request, and drop its body. To a request that cannot be served
 * it replies itself; then it closes the connection and returns PT_EINVAL. */
struct read_request {
    struct pt pt;
    struct pt_reader *in; /* the caller sets this and the next */
    struct pt_io *io;     /* the connection */
    char path[32];        /* what is asked for; read_request writes this and the rest */
    bool head;            /* a HEAD request: the reply has no body */
    bool last;            /* the connection is closed after the reply */
    bool old;             /* HTTP/1.0: it knows no interim reply */
    const char *refused;  /* the status of the refusal, or NULL */
    int lines;            /* how many lines were read */
    long body;            /* how many bytes of the body are left; -1: no Content-Length */
    struct pt_read_line line;
    struct pt_read_exactly drop;
    struct pt_writer out;
    struct pt_write_all put;
    struct pt_finish finish;
    char text[128];
};

/* --- a request ------------------------------------------------------------------------------- */

/* Parse "GET /path HTTP/1.1"; NULL, or the status of the refusal. */
static inline const char *http_start(struct read_request *self)
{
    char method[16], minor[2];
    int end = 0;

    if (sscanf(self->line.text, "%15[A-Z]%*1[ ]%31[!-~]%*1[ ]HTTP/1.%1[0-9]%n", method, self->path,
               minor, &end) != 3 ||
        self->line.text[end])
        return "400 Bad Request";
    self->head = !strcmp(method, "HEAD");
    self->last = self->old = *minor == '0';
    return self->head || !strcmp(method, "GET") || !strcmp(method, "POST") ? NULL
                                                                           : "501 Not Implemented";
}

/* Whether WORD is in LIST; commas separate its words. */
static inline bool http_has(const char *list, const char *word)
{
    for (size_t length; *(list += strspn(list, ", \t")); list += length) {
        length = strcspn(list, ", \t");
        if (length == strlen(word) && !strncasecmp(list, word, length))
            return true;
    }
    return false;
}

/* The number in TEXT; -1 if it is not a number, or has more than 9 digits. */
static inline long http_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits - 1 < 9 && !text[digits + strspn(text + digits, " \t")] ? atol(text) : -1;
}

/* Parse "Name: value"; NULL, or the status of the refusal. */
static inline const char *http_header(struct read_request *self)
{
    char *name = self->line.text, *value = name + http_name(name);
    long number;

    if (value == name)
        return "400 Bad Request";
    *value++ = '\0';
    value += strspn(value, " \t");
    if (!strcasecmp(name, "Transfer-Encoding"))
        return "501 Not Implemented";
    if (!strcasecmp(name, "Connection") && http_has(value, "close"))
        self->last = true;
    if (strcasecmp(name, "Content-Length"))
        return NULL;
    number = http_number(value);
    if (number < 0 || (self->body >= 0 && self->body != number))
        return "400 Bad Request";
    self->body = number;
    return number > HTTP_BODY ? "413 Content Too Large" : NULL;
}

/* Parse the next line of a request: whether more lines follow. */
static inline bool http_line(struct read_request *self)
{
    char *text = self->line.text;

    if (self->line.length && text[self->line.length - 1] == '\r')
        text[--self->line.length] = '\0';
    if (strlen(text) != self->line.length || strchr(text, '\r'))
        self->refused = "400 Bad Request";
    else if (self->lines++ == 0)
        self->refused = http_start(self);
    else if (self->line.length == 0)
        return false;
    else
        self->refused =
            self->lines > HTTP_LINES ? "431 Request Header Fields Too Large" : http_header(self);
    return !self->refused;
}

/* Write a reply with a body of SIZE bytes, which must fit in ROOM bytes; returns its length. It stands
 * behind REST, the rest of what the client has got. */
static inline size_t make_reply_of(const struct read_request *to, char *reply, size_t room,
                                   const char *rest, const char *status, const char *body,
                                   size_t size)
{
    size_t length = (size_t)snprintf(
        reply, room, "%sHTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n%s\r\n",
        rest, status, size, to->last ? "Connection: close\r\n" : "");

    if (to->head)
        size = 0;
    if (length + size >= room)
        abort();
    memcpy(reply + length, body, size);
    return length + size;
}

/* The same for a body without a 0 in it. */
static inline size_t make_reply(const struct read_request *to, char *reply, size_t room,
                                const char *rest, const char *status, const char *body)
{
    return make_reply_of(to, reply, room, rest, status, body, strlen(body));
}

/* How many bytes of the body to read and drop at once. */
static inline size_t http_part(const struct read_request *self)
{
    return (size_t)self->body < sizeof self->text ? (size_t)self->body : sizeof self->text;
}

/* Ends with a code when the client has gone. One that has only shut down its writing side still
 * reads, and TCP does not tell the two apart until something is written: interim replies, which
 * HTTP/1.1 allows. A client of HTTP/1.0 counts as there. */
struct http_gone {
    struct pt pt;
    struct pt_io *io;                   /* the caller sets this and the next two */
    const struct read_request *request; /* to which it waits for a reply */
    const char *rest; /* at first ""; the end of an interim reply that has begun */
    size_t step;      /* how many bytes of it the last write took */
};

static inline PT_ASYNC(http_gone, self)
{
    PT_WAIT_HANGUP(self->io);
    while (self->pt.status == PT_OK) {
        if (!self->request->old)
            self->rest = "HTTP/1.1 102 Processing\r\n\r\n";
        for (; *self->rest; self->rest += self->step) {
            PT_WRITE(self->io, self->rest, strlen(self->rest), &self->step);
            if (self->pt.status != PT_OK)
                PT_RETURN(self->pt.status);
        }
        PT_WAIT(PT_SEC(1));
    }
    PT_RETURN(self->pt.status);
}
PT_END

static PT_ASYNC(read_request, self)
{
    self->refused = NULL;
    self->lines = 0;
    self->body = -1;
    do {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = self->in);
        if (self->pt.status == PT_ERANGE)
            self->refused = "431 Request Header Fields Too Large";
        else if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    } while (!self->refused && http_line(self));
    while (self->body > 0 && !self->refused) {
        PT_TRY(&self->drop, pt_read_exactly, .reader = self->in, .data = self->text,
               .size = http_part(self));
        self->body -= (long)self->drop.size;
    }
    if (self->refused) {
        self->last = true;
        pt_writer_init(&self->out, pt_io_stream(self->io), NULL, 0);
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->text,
               .size = make_reply(self, self->text, sizeof self->text, "", self->refused, ""));
        PT_TRY(&self->finish, pt_finish, .io = self->io);
        PT_RETURN(PT_EINVAL);
    }
}
PT_END

#endif
