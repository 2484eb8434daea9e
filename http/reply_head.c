/* reply_head.c - the head of a reply: its fields, and the status line before them
 * SPDX-License-Identifier: MIT */
#include "connection.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* --- texts ----------------------------------------------------------------------------------- */

/* Print LENGTH bytes: as pt_printf, which takes ten times as long. Inline: a literal is some moves. */
static inline void put(struct pt_writer *out, const char *text, size_t length)
{
    if (out->failed == PT_OK && length < out->size - out->end)
        pt_http_append_(out, text, length);
    else
        pt_printf(out, "%.*s", (int)length, text);
}

/* The same for a literal, whose length the compiler knows. */
#define PUT(out, literal) put(out, literal, sizeof(literal) - 1)

static void put_text(struct pt_writer *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_length(struct pt_writer *out, uint64_t size)
{
    char digits[20], *first = digits + sizeof digits;

    do
        *--first = (char)('0' + size % 10);
    while (size /= 10);
    PUT(out, "\r\nContent-Length: ");
    put(out, first, (size_t)(digits + sizeof digits - first));
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Room for the longest status line, which is known only when the fields stand behind it. */
enum { LINE_ROOM = 64 };

/* Begin the head, if it has not begun. */
static void open_head(struct pt_http_serve *of)
{
    if (of->reply != PT_HTTP_NONE_)
        return;
    of->reply = PT_HTTP_FIELDS_;
    of->writer.end = LINE_ROOM;
}

/* Put the status line right before the fields. */
static void put_line(struct pt_writer *out, int status)
{
    const char *words = pt_http_words_(status);
    size_t length = strlen(words);
    char *line = out->data + LINE_ROOM - (sizeof "HTTP/1.1 000 \r\n" - 1) - length;

    if (out->failed != PT_OK)
        return;
    out->first = (size_t)(line - out->data);
    memcpy(line, "HTTP/1.1 ", 9);
    line[9] = (char)('0' + status / 100);
    line[10] = (char)('0' + status / 10 % 10);
    line[11] = (char)('0' + status % 10);
    line[12] = ' ';
    memcpy(line + 13, words, length);
    memcpy(line + 13 + length, "\r\n", 2);
}

/* The length of a date. */
enum { DATE = sizeof "Thu, 01 Jan 1970 00:00:00 GMT" - 1 };

/* The text of now, as in a Date field. */
static const char *date_of(struct pt_http_server *server)
{
    static const char names[] = "SunMonTueWedThuFriSatJanFebMarAprMayJunJulAugSepOctNovDec";
    time_t now = time(NULL);
    struct tm tm;

    if (server->dated == (int64_t)now && *server->date)
        return server->date;
    server->dated = (int64_t)now;
    memset(&tm, 0, sizeof tm);
    gmtime_r(&now, &tm);
    snprintf(server->date, sizeof server->date, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
             names + 3 * (tm.tm_wday % 7), tm.tm_mday % 100, names + 21 + 3 * (tm.tm_mon % 12),
             (tm.tm_year + 1900) % 10000, tm.tm_hour % 100, tm.tm_min % 100, tm.tm_sec % 100);
    return server->date;
}

/* Whether a reply with this status has no body, whoever asks. */
static bool is_bare(int status)
{
    return status < 200 || status == 204 || status == 304;
}

/* Tell the other side whether the connection is kept, if it would not think so. */
static void put_keeping(struct pt_http_serve *of)
{
    if (of->last)
        PUT(&of->writer, "\r\nConnection: close");
    else if (of->request.minor == 0)
        PUT(&of->writer, "\r\nConnection: keep-alive");
}

bool pt_http_print_head_(struct pt_http_serve *of, int status, const char *type, uint64_t size,
                         int kind)
{
    struct pt_writer *out = &of->writer;

    PT_NEEDS_(status >= 200 && status <= 599, "the status is not one from 200 to 599",
              "a reply to a request");
    PT_NEEDS_(of->handling && of->reply <= PT_HTTP_FIELDS_,
              "the request has its reply, or its handler has ended", "a reply to a request");
    open_head(of);
    if (type && !pt_http_is_value_(type))
        of->bad_field = true;
    if (of->bad_field) { /* the code of pt_http_add was ignored */
        status = 500;
        out->first = 0;
        out->end = LINE_ROOM;
        out->failed = PT_OK;
        type = NULL;
        size = 0;
        kind = PT_HTTP_WHOLE_; /* what a stream writes is dropped */
    }
    if (pt_http_ends_(of))
        of->last = true;
    if (kind == PT_HTTP_WHOLE_ && of->expects && of->body != PT_HTTP_ENDED_)
        of->last = true; /* the client may send the body or not */
    if (kind == PT_HTTP_CHUNKS_ && of->request.minor == 0)
        of->last = true; /* the end of the connection is the end of the body */
    if (is_bare(status))
        size = 0;
    PUT(out, "Date: ");
    put(out, date_of(of->server), DATE);
    if (type) {
        PUT(out, "\r\nContent-Type: ");
        put_text(out, type);
    }
    if (kind == PT_HTTP_CHUNKS_ && of->request.minor == 1 && !is_bare(status))
        PUT(out, "\r\nTransfer-Encoding: chunked");
    else if (kind != PT_HTTP_CHUNKS_ && !is_bare(status))
        put_length(out, size);
    put_keeping(of);
    PUT(out, "\r\n\r\n");
    put_line(out, status);
    of->request.status = status;
    of->reply = (uint8_t)(is_bare(status) || of->is_head ? PT_HTTP_WHOLE_ : kind);
    of->owed = kind == PT_HTTP_SIZED_ ? size : 0;
    return !of->is_head && !of->bad_field && !is_bare(status);
}

pt_status pt_http_add(struct pt_http_request *request, const char *name, const char *format, ...)
{
    static const char *const own[] = {"Date", "Content-Length", "Transfer-Encoding", "Connection",
                                      NULL};
    struct pt_http_serve *of = request->connection;
    struct pt_writer *out = &of->writer;
    size_t value, room;
    va_list values;
    int length;

    PT_NEEDS_(of->handling && of->reply <= PT_HTTP_FIELDS_, "the reply has begun", "pt_http_add");
    open_head(of);
    if (!pt_http_is_token_(name, strlen(name)) || pt_http_is_among_(name, own)) {
        of->bad_field = true;
        return PT_EINVAL;
    }
    if (out->failed == PT_OK)
        pt_printf(out, "%s: ", name);
    value = out->end;
    room = out->size - value;
    va_start(values, format);
    length = vsnprintf(out->data + value, room, format, values);
    va_end(values);
    if (out->failed != PT_OK || length < 0 || (size_t)length + 2 >= room) {
        of->bad_field = true;
        return PT_ERANGE;
    }
    if (!pt_http_is_value_(out->data + value)) {
        of->bad_field = true;
        return PT_EINVAL;
    }
    out->end += (size_t)length;
    return pt_printf(out, "\r\n");
}
