/* url.c - URLs: the server and the target that one names, also one that is relative to another
 * SPDX-License-Identifier: MIT
 *
 * OUT begins with two texts: the server, as pt_dial takes it, and the target, as a request line has
 * it. The request is behind them, from call->begin on. */
#include "client.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- parts of a URL -------------------------------------------------------------------------- */

static char *target_of(const struct pt_http_call *call)
{
    return call->out + strlen(call->out) + 1;
}

/* Skip the scheme at *URL, and store whether it is https; false if it is another one. */
static bool read_scheme(const char **url, bool *secure)
{
    *secure = !strncasecmp(*url, "https://", 8);
    if (!*secure && strncasecmp(*url, "http://", 7))
        return false;
    *url += *secure ? 8 : 7;
    return true;
}

/* How many characters at TEXT are a host: a name, digits, or digits of IPv6 in brackets. */
static size_t host_length(const char *text)
{
    size_t digits;

    if (*text != '[')
        return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_");
    digits = strspn(text + 1, "0123456789abcdefABCDEF:.");
    return digits && text[1 + digits] == ']' ? digits + 2 : 0;
}

/* The port behind a host, at *TEXT, which moves behind it; 0 if it is none. */
static unsigned read_port(const char **text, unsigned normal)
{
    unsigned port = 0;

    if (**text != ':')
        return normal;
    if (!(*text)[1] || strchr("/?#", (*text)[1])) /* "host:" */
        return ++*text, normal;
    for (++*text; **text >= '0' && **text <= '9' && port < 65536; ++*text)
        port = port * 10 + (unsigned)(**text - '0');
    return port < 65536 ? port : 0;
}

/* Put the server at *URL into OUT, and move *URL behind it. */
static bool read_server(struct pt_http_call *call, const char **url)
{
    const char *host = *url;
    size_t length = host_length(host);
    unsigned port;

    if (length == 0 || length > 253)
        return false;
    *url += length;
    port = read_port(url, call->secure ? 443 : 80);
    if (port == 0 || (**url && !strchr("/?#", **url)))
        return false;
    for (size_t i = 0; i < length; i++)
        call->out[i] = (char)(host[i] >= 'A' && host[i] <= 'Z' ? host[i] + 32 : host[i]);
    sprintf(call->out + length, ":%u", port);
    return true;
}

/* --- the target ------------------------------------------------------------------------------ */

/* Whether TEXT, up to its fragment, has only characters that a target may have; its length. */
static bool is_target(const char *text, size_t *length)
{
    *length = strcspn(text, "#");
    for (size_t i = 0; i < *length; i++)
        if ((unsigned char)text[i] <= ' ' || (unsigned char)text[i] >= 127)
            return false;
    return true;
}

/* Put TEXT behind the first KEPT characters of the target, which begins with a slash. */
static pt_status set_target(struct pt_http_call *call, size_t kept, const char *text)
{
    char *target = target_of(call);
    size_t room = call->out_size - (size_t)(target - call->out), length;
    bool slash = kept == 0 && *text != '/';

    if (!is_target(text, &length))
        return PT_EINVAL;
    if (kept + slash + length >= room)
        return PT_ERANGE;
    if (slash)
        target[kept++] = '/';
    memcpy(target + kept, text, length);
    target[kept + length] = '\0';
    call->begin = (size_t)(target - call->out) + kept + length + 1;
    return PT_OK;
}

/* The length of the part of a path, at TEXT, with its slash. */
static size_t segment(const char *text)
{
    return 1 + strcspn(text + 1, "/?");
}

/* Take "." and ".." out of the path of the target, as RFC 3986 does in 5.2.4. */
static void take_dots_out(char *target)
{
    char *to = target;
    const char *from = target;

    while (*from == '/') {
        size_t length = segment(from);
        bool one = length == 2 && from[1] == '.', two = length == 3 && !strncmp(from, "/..", 3);

        if (two)
            while (to > target && *--to != '/')
                ;
        if (!one && !two) {
            memmove(to, from, length);
            to += length;
        } else if (from[length] != '/') { /* the last one leaves its slash */
            *to++ = '/';
        }
        from += length;
    }
    memmove(to, from, strlen(from) + 1);
}

/* --- whole URLs ------------------------------------------------------------------------------ */

/* The server and the target of an absolute URL, behind its scheme. */
static pt_status aim_at(struct pt_http_call *call, const char *rest)
{
    return read_server(call, &rest) ? set_target(call, 0, rest) : (pt_status)PT_EINVAL;
}

pt_status pt_http_aim_(struct pt_http_call *call)
{
    const char *rest = call->url;
    pt_status status;

    if (!read_scheme(&rest, &call->secure))
        return pt_http_fails_(call, PT_EINVAL, "the URL does not begin with http:// or https://");
    if (call->secure && !call->client->secure)
        return pt_http_fails_(call, PT_EINVAL, "https, and the client has no hook for that");
    status = aim_at(call, rest);
    if (status == PT_OK)
        return status;
    return pt_http_fails_(call, status,
                          status == PT_ERANGE ? "the URL is too long for OUT"
                                              : "the URL has no host, or a wrong character");
}

/* How much of the target stays if REFERENCE is relative to it. */
static size_t kept_for(const char *target, const char *reference)
{
    size_t path = strcspn(target, "?");

    if (*reference == '/')
        return 0;
    if (*reference == '#' || !*reference)
        return strlen(target);
    if (*reference == '?')
        return path;
    while (target[path - 1] != '/')
        path--;
    return path;
}

pt_status pt_http_aim_again_(struct pt_http_call *call, const char *location)
{
    char before[sizeof call->link->to];
    bool was_secure = call->secure;
    pt_status status;

    strcpy(before, call->out);
    if (!strncmp(location, "//", 2)) {
        status = aim_at(call, location + 2);
    } else if (read_scheme(&location, &call->secure)) {
        if (call->secure ? !call->client->secure : was_secure)
            return PT_EINVAL; /* it cannot, or should not */
        status = aim_at(call, location);
    } else if (location[strcspn(location, ":/?#")] == ':') {
        return PT_EINVAL; /* another scheme */
    } else {
        status = set_target(call, kept_for(target_of(call), location), location);
    }
    if (status != PT_OK)
        return status;
    take_dots_out(target_of(call));
    if (strcmp(before, call->out) || was_secure != call->secure)
        call->elsewhere = true;
    return PT_OK;
}
