/* head.c - the head of a request: what it says, and why it is refused
 * SPDX-License-Identifier: MIT
 *
 * What decides the end of the request is read here; then llhttp reads it, too, and must agree. */
#define _GNU_SOURCE
#include "connection.h"

#include <string.h>
#include <strings.h>

static int refuse(struct pt_http_serve *of, int status, const char *why)
{
    of->why = why;
    return status;
}

int pt_http_scan_(struct pt_http_serve *of)
{
    int status = pt_http_scan_lines_(&of->lines, of->in, of->used);

    return status > 200 ? refuse(of, status, of->lines.why) : status;
}

/* --- the request line ------------------------------------------------------------------------ */

/* The end of the line at TEXT: its CR. */
static char *end_of(char *text)
{
    return strchr(text, '\r');
}

/* Whether TEXT is "HTTP/1.0" or "HTTP/1.1"; sets the minor version. */
static int read_version(struct pt_http_serve *of, const char *text, size_t length)
{
    if (length != 8 || memcmp(text, "HTTP/", 5) || text[6] != '.' || text[5] < '0' ||
        text[5] > '9' || text[7] < '0' || text[7] > '9')
        return refuse(of, 400, "the request line does not end with a version");
    if (text[5] != '1' || text[7] > '1')
        return refuse(of, 505, "the version is not HTTP/1.1 or HTTP/1.0");
    of->request.minor = text[7] - '0';
    return 0;
}

static int check_line(struct pt_http_serve *of)
{
    char *line = of->in + of->lines.start, *end = end_of(line);
    char *target = (char *)memchr(line, ' ', (size_t)(end - line));
    char *version = target ? (char *)memchr(target + 1, ' ', (size_t)(end - target - 1)) : NULL;
    int status;

    if (!version || version == target + 1 || memchr(line, '\t', (size_t)(end - line)))
        return refuse(of, 400,
                      "the request line is not: method, one blank, target, one blank, version");
    if (!pt_http_is_token_(line, (size_t)(target - line)))
        return refuse(of, 400, "the method is no word");
    if ((status = read_version(of, version + 1, (size_t)(end - version - 1))) != 0)
        return status;
    if (!strncmp(line, "CONNECT ", 8) || !strncmp(line, "TRACE ", 6))
        return refuse(of, 501, "this server is no proxy, and traces nothing");
    of->is_head = !strncmp(line, "HEAD ", 5);
    return 0;
}

/* The host in a TARGET that is a whole address, and its length; otherwise NULL. */
static char *host_in(char *target, size_t *length)
{
    if (*target == '/' || (strncasecmp(target, "http://", 7) && strncasecmp(target, "https://", 8)))
        return NULL;
    target = strchr(target, ':') + 3;
    *length = strcspn(target, "/? ");
    return target;
}

/* Cut the request line into texts. The target can be a path, "*" or a whole address. */
static int cut_line(struct pt_http_serve *of)
{
    char *line = of->in + of->lines.start, *end = end_of(line);
    char *path = strchr(line, ' ') + 1, *query, *host;
    size_t length;

    *strchr(path, ' ') = *end = path[-1] = '\0';
    if ((host = host_in(path, &length)) != NULL)
        path = host + length;
    if ((query = strchr(path, '?')) != NULL)
        *query++ = '\0';
    of->request.method = line;
    of->request.path = *path ? path : "/";
    of->request.query = query;
    if (*of->request.path == '/' || (!strcmp(path, "*") && !query && !strcmp(line, "OPTIONS")))
        return 0;
    return refuse(of, 400, "the target is no path");
}

/* --- fields ---------------------------------------------------------------------------------- */

/* What the fields say about the end of the request, how often; and its host. */
struct framing {
    int lengths, codings, hosts;
    struct pt_http_pair_ host;
};

/* Whether LENGTH bytes at TEXT, which are not the last ones of the head, are a name or an address,
 * and perhaps a colon and a port. */
static bool is_host(const char *text, size_t length)
{
    /* A bit for each character: ! $ % & ' ( ) * + - . 0 to 9 ; =  A to Z _  a to z ~ */
    static const uint32_t names[4] = {0, UINT32_C(0x2BFF6FF2), UINT32_C(0x87FFFFFE),
                                      UINT32_C(0x47FFFFFE)};
    static const char digits[] = "0123456789", address[] = "0123456789abcdefABCDEF:.";
    size_t end = *text == '[' ? 2 + strspn(text + 1, address) : pt_http_span_(text, length, names);

    if (end == 0 || end > length || (*text == '[' && text[end - 1] != ']') ||
        memmem(text, end, "..", 2))
        return false;
    if (end < length && text[end] == ':')
        end += 1 + strspn(text + end + 1, digits);
    return end == length;
}

/* Whether the request is for one host: whoever looks at its target, and whoever looks at Host. */
static int check_host(struct pt_http_serve *of, const struct framing *found)
{
    size_t length = 0;
    const char *host = host_in(strchr(of->in + of->lines.start, ' ') + 1, &length);

    if (found->hosts > 1 || (found->hosts == 0 && of->request.minor == 1))
        return refuse(of, 400, "not one Host");
    if (found->hosts && !is_host(found->host.value, found->host.length))
        return refuse(of, 400, "Host is no host");
    if (host && !is_host(host, length))
        return refuse(of, 400, "the target has no host");
    if (host && found->hosts &&
        (length != found->host.length || strncasecmp(host, found->host.value, length)))
        return refuse(of, 400, "Host is not the host of the target");
    return 0;
}

static int read_length(struct pt_http_serve *of, const struct pt_http_pair_ *field)
{
    pt_status status = pt_http_read_length_(field, &of->left);

    return status == PT_OK       ? 0
           : status == PT_ERANGE ? refuse(of, 413, "the body is too long")
                                 : refuse(of, 400, "Content-Length is no number");
}

/* The value of Transfer-Encoding, which is not just "chunked". */
static int refuse_coding(struct pt_http_serve *of, const struct pt_http_pair_ *field)
{
    const char *last = field->value + field->length;

    while (last > field->value && !strchr(", \t", last[-1]))
        last--;
    if (last > field->value && field->value + field->length - last == 7 &&
        !strncasecmp(last, "chunked", 7))
        return refuse(of, 501, "a transfer coding other than chunked");
    return refuse(of, 400, "the last transfer coding is not chunked");
}

static int read_field(struct pt_http_serve *of, const struct pt_http_pair_ *field,
                      struct framing *found)
{
    if (pt_http_is_named_(field, "Content-Length")) {
        if (found->lengths++)
            return refuse(of, 400, "Content-Length twice");
        return read_length(of, field);
    }
    if (pt_http_is_named_(field, "Transfer-Encoding")) {
        if (found->codings++ || of->request.minor == 0)
            return refuse(of, 400, "Transfer-Encoding twice, or in HTTP/1.0");
        return pt_http_has_value_(field, "chunked") ? 0 : refuse_coding(of, field);
    }
    if (pt_http_is_named_(field, "Host")) {
        found->hosts++;
        found->host = *field;
    }
    if (pt_http_is_named_(field, "Expect") && of->request.minor == 1) {
        of->expects = pt_http_has_value_(field, "100-continue");
        return of->expects ? 0 : refuse(of, 417, "Expect is not 100-continue");
    }
    return 0;
}

static int check_fields(struct pt_http_serve *of)
{
    struct framing found = {0, 0, 0, {NULL, NULL, 0, 0}};
    struct pt_http_pair_ field;
    char *line = end_of(of->in + of->lines.start) + 2;
    int status;

    while (*line != '\r') {
        if ((line = pt_http_cut_field_(line, &field)) == NULL)
            return refuse(of, 400, "a field is not: name, colon, value");
        if ((status = read_field(of, &field, &found)) != 0)
            return status;
    }
    if (found.lengths && found.codings)
        return refuse(of, 400, "both Content-Length and Transfer-Encoding");
    if ((status = check_host(of, &found)) != 0)
        return status;
    of->body = found.codings ? PT_HTTP_IN_CHUNKS_ : of->left ? PT_HTTP_LENGTH_ : PT_HTTP_ENDED_;
    return of->left > PT_HTTP_LIMIT_(of, body, UINT64_C(1) << 20)
               ? refuse(of, 413, "the body is too long")
               : 0;
}

/* End the name and the value of each field by a 0. */
static void cut_fields(struct pt_http_serve *of)
{
    char *line = of->in + of->lines.start;

    line += strlen(line); /* behind the version */
    while (*line++ != '\n')
        ;
    pt_http_cut_fields_(line);
}

const char *pt_http_field(const struct pt_http_request *request, const char *name)
{
    const struct pt_http_serve *of = request->connection;
    const char *end = of->in + of->lines.end, *line = request->method;

    if (!*line) /* it was refused */
        return NULL;
    line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
    return pt_http_find_(line, end, name);
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Give the head to llhttp, too. */
static int agree(struct pt_http_serve *of)
{
    int status;

    of->parser.bare = false;
    of->parser.room = PT_HTTP_LIMIT_(of, body, UINT64_C(1) << 20);
    status = pt_http_agree_(&of->parser, false, of->in + of->lines.start,
                            of->lines.end - of->lines.start, of->body == PT_HTTP_ENDED_);
    of->last = !of->parser.keeps;
    return status ? refuse(of, status, of->parser.why) : 0;
}

int pt_http_parse_(struct pt_http_serve *of)
{
    int status;

    of->left = 0;
    if ((status = check_line(of)) != 0 || (status = check_fields(of)) != 0)
        return status;
    if ((status = agree(of)) != 0)
        return status;
    status = cut_line(of);
    cut_fields(of); /* the log can ask for one, also if it is refused */
    return status;
}
