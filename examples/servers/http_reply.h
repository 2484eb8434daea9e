/* http_reply.h - parse the reply of another server
 * SPDX-License-Identifier: MIT */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Parse a reply of SIZE bytes, followed by a 0. Stores its status, such as "200 OK"; returns its
 * body. NULL if it is not a reply, or is incomplete. */
static inline const char *parse_reply(const char *text, size_t size, char status[64])
{
    const char *end = strstr(text, "\r\n\r\n"), *line = text;

    if (!end || sscanf(text, "HTTP/1.%*1[01]%*1[ ]%63[ -~]", status) != 1)
        return NULL;
    while ((line = strstr(line, "\r\n") + 2) < end)
        if ((!strncasecmp(line, "Content-Length:", 15) &&
             strtoul(line + 15, NULL, 10) != size - (size_t)(end + 4 - text)) ||
            !strncasecmp(line, "Transfer-Encoding:", 18))
            return NULL;
    return end + 4;
}

#endif
