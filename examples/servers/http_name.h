/* http_name.h - the name at the front of a line of a head, "Name: value"
 * SPDX-License-Identifier: MIT */
#ifndef HTTP_NAME_H
#define HTTP_NAME_H

#include <string.h>

/* The length of the name, right behind which a colon stands; 0 if there is none. So a space before the
 * colon, or a line that continues the one before it, is no name: some programs ignore such a line, and
 * others take it for the length of the body. */
static inline size_t http_name(const char *line)
{
    size_t length = strspn(line, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    return line[length] == ':' ? length : 0;
}

#endif
