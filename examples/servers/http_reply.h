/* http_reply.h - parse the lines of a head, and the reply of another server
 * SPDX-License-Identifier: MIT */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The length of the name, right behind which a colon stands; 0 if there is none. So a space before the
 * colon, or a line that continues the one before it, is no name: some programs ignore such a line, and
 * others take it for the length of the body. */
static inline size_t http_name(const char *line)
{
    size_t length = strspn(line, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    return line[length] == ':' ? length : 0;
}

/* Whether the rest of a line is the number SIZE, with spaces around it and nothing else. */
static inline bool is_length(const char *text, size_t size)
{
    char *end;

    text += strspn(text, " \t");
    if (!strspn(text, "0123456789") || strtoul(text, &end, 10) != size)
        return false;
    return end[strspn(end, " \t")] == '\r';
}

/* Whether a line, up to its CR and LF, has no control characters but tabs: to some programs one of them
 * is the end of the line. */
static inline bool is_plain(const char *line)
{
    while ((unsigned char)*line >= ' ' || *line == '\t')
        line++;
    return line[0] == '\r' && line[1] == '\n';
}

/* Whether a line of the head says nothing else about the body than its SIZE. */
static inline bool fits_body(const char *line, size_t size)
{
    size_t name = http_name(line);

    return name && is_plain(line) && strncasecmp(line, "Transfer-Encoding:", name + 1) &&
           (strncasecmp(line, "Content-Length:", name + 1) || is_length(line + name + 1, size));
}

/* Parse a reply of *SIZE bytes, followed by a 0. Stores its status, such as "200 OK"; returns its
 * body, which can have any bytes, and its size in *SIZE. NULL if it is not a reply, or is
 * incomplete, or if another program could read it in another way. */
static inline const char *parse_reply(const char *text, size_t *size, char status[64])
{
    const char *end = strstr(text, "\r\n\r\n"), *line = text;
    size_t body = end ? *size - (size_t)(end + 4 - text) : 0;

    if (!end || !is_plain(text) || sscanf(text, "HTTP/1.%*1[01]%*1[ ]%63[ -~]", status) != 1 ||
        strspn(status, "0123456789") != 3 || (status[3] && status[3] != ' '))
        return NULL;
    if (*status < '2' || *status > '5' ||
        ((!strncmp(status, "204", 3) || !strncmp(status, "304", 3)) && body))
        return NULL; /* it says that another one follows, or has a body that a client takes for the next one */
    while ((line = strstr(line, "\r\n") + 2) < end)
        if (!fits_body(line, body))
            return NULL;
    *size = body;
    return end + 4;
}

#endif
