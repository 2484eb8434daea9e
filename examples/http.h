/* http.h - as much of HTTP as the servers here need: requests without a body, replies of text
 * SPDX-License-Identifier: MIT */
#ifndef HTTP_H
#define HTTP_H

#include <pt/stream.h>

#include <stdio.h>
#include <string.h>

/* The frame of read_request: read a request up to the empty line at its end. */
struct read_request {
    struct pt pt;
    struct pt_reader *in; /* the caller's choice */
    struct pt_read_line line;
    char path[32]; /* what is asked for; written here, as the next */
    int minor;     /* of the version: HTTP/1.0 closes the connection behind the reply */
};

static PT_ASYNC(read_request, self)
{
    PT_TRY(&self->line, pt_read_line, .reader = self->in);
    if (sscanf(self->line.text, "%*15s %31s HTTP/1.%d", self->path, &self->minor) != 2)
        PT_RETURN(PT_EINVAL);
    do
        PT_TRY(&self->line, pt_read_line, .reader = self->in);
    while (self->line.length > 1); /* the empty one ends in a CR */
}
PT_END

/* Put a reply together, in ROOM bytes; how long it is. */
static inline size_t make_reply(char *reply, size_t room, const char *status, const char *body)
{
    int length = snprintf(reply, room,
                          "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s",
                          status, (int)strlen(body), body);

    return (size_t)length < room ? (size_t)length : room - 1;
}

#endif
