/* http_reply.h - what another server replies
 * SPDX-License-Identifier: MIT */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What stands in a whole reply of SIZE bytes and a 0: its status, "200 OK", and where its body begins. NULL:
 * it is not one, or not whole. */
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
