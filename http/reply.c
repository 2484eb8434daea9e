/* reply.c - the reply to a request: its head, as a whole, or as a stream
 * SPDX-License-Identifier: MIT
 *
 * OUT holds what must go before the next byte of the body: the head, the frame of a chunk. A write
 * of a stream gathers that, and as much of the body as has room, in one buffer for one call. What
 * of the body was not taken is not kept: it still belongs to the caller. */
#include "connection.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* --- the head -------------------------------------------------------------------------------- */

/* Add bytes behind those in OUT, which has room for them. */
static void add(struct pt_writer *out, const char *data, size_t size)
{
    memcpy(out->data + out->end, data, size);
    out->end += size;
    out->data[out->end] = '\0';
}

/* Print LENGTH bytes: as pt_printf, which takes ten times as long. Inline: a literal is some moves. */
static inline void put(struct pt_writer *out, const char *text, size_t length)
{
    if (out->failed == PT_OK && length < out->size - out->end)
        add(out, text, length);
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

void pt_http_print_head_(struct pt_http_serve *of, int status, const char *type, uint64_t size,
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
    if (of->bad_field) { /* nobody has looked at the code of pt_http_add */
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

/* --- as a whole ------------------------------------------------------------------------------ */

/* Put a body behind its head, where it has room, and write both, unless the task must yield before:
 * whether all of the reply is written. What is not is left to pt_write_all. */
static bool write_at_once(struct pt_http_reply *reply, struct pt_writer *out)
{
    size_t put = 0;
    pt_status status;

    if (out->failed != PT_OK || reply->size >= out->size - out->end ||
        out->waits.done >= out->share)
        return false;
    out->waits.done++;
    if (reply->size)
        add(out, (const char *)reply->data, reply->size);
    reply->size = 0;
    status = out->stream.ops->try_write(out->stream.object, out->data + out->first,
                                        out->end - out->first, &put);
    out->first += put;
    if (out->first == out->end)
        out->first = out->end = 0;
    if (status != PT_EAGAIN)
        out->failed = status;
    return status == PT_OK && !out->end;
}

PT_ASYNC(pt_http_reply, self)
{
    struct pt_http_serve *of;

    PT_NEEDS_FIELD_(self, request, "pt_http_reply");
    PT_NEEDS_FIELD_(self, status, "pt_http_reply");
    PT_NEEDS_(self->data || !self->size, ".size is set, and not .data", "pt_http_reply");
    of = self->request->connection;
    pt_http_print_head_(of, self->status, self->type, self->size, PT_HTTP_WHOLE_);
    if (of->is_head || of->bad_field || is_bare(self->status))
        self->size = 0;
    if (write_at_once(self, &of->writer))
        PT_RETURN(PT_OK);
    PT_TRY(&self->write, pt_write_all, .writer = &self->request->connection->writer,
           .data = self->data, .size = self->size);
}
PT_END

/* --- as a stream ----------------------------------------------------------------------------- */

/* Write what is in OUT, of which the first FRAME bytes are no body. Then OUT has what of them is
 * left, and *COUNT is how many bytes behind them were taken. */
static pt_status push(struct pt_http_serve *of, size_t frame, size_t *count)
{
    struct pt_writer *out = &of->writer;
    size_t put = 0;
    pt_status status = pt_http_raw_write_(of, out->data + out->first, out->end - out->first, &put);

    *count = put > frame ? put - frame : 0;
    out->first += put < frame ? put : frame;
    out->end = out->first + (put < frame ? frame - put : 0);
    if (out->first == out->end)
        out->first = out->end = 0;
    return status == PT_OK && put < frame ? (pt_status)PT_EAGAIN : status;
}

/* Write a part of the body, behind what is in OUT; TAIL, a text, follows it if all SIZE bytes have
 * room. */
static pt_status put_part(struct pt_http_serve *of, const char *data, size_t size, const char *tail,
                          size_t *put)
{
    struct pt_writer *out = &of->writer;
    size_t frame = out->end - out->first, room, part, behind = strlen(tail), count;
    pt_status status;

    if (out->first) {
        memmove(out->data, out->data + out->first, frame);
        out->first = 0;
        out->end = frame;
    }
    room = out->size - 1 - out->end;
    if (frame == 0 && (!behind || size + behind > room)) { /* straight from the caller's memory */
        status = pt_http_raw_write_(of, data, size, put);
        if (*put == size)
            add(out, tail, behind);
        return status;
    }
    part = size + behind <= room ? size : room > behind ? room - behind : 0;
    add(out, data, part);
    if (part == size)
        add(out, tail, behind);
    status = push(of, frame, &count);
    *put = count < part ? count : part;
    if (*put == size && behind) /* what of the tail was not taken must go first next time */
        add(out, tail + (count - part), behind - (count - part));
    return *put ? (pt_status)PT_OK : status == PT_OK ? (pt_status)PT_EAGAIN : status;
}

/* A write of a body whose size is known. */
static pt_status put_sized(struct pt_http_serve *of, const char *data, size_t size, size_t *put)
{
    pt_status status;

    if (size > of->owed)
        return PT_ERANGE;
    status = put_part(of, data, size, "", put);
    of->owed -= *put;
    return status;
}

/* A write of a body in chunks: what one call is given is a chunk. */
static pt_status put_chunk(struct pt_http_serve *of, const char *data, size_t size, size_t *put)
{
    pt_status status;

    if (of->owed == 0) {
        if (of->writer.size - 1 - (of->writer.end - of->writer.first) < 32) { /* for its frame */
            size_t none;

            if ((status = push(of, of->writer.end - of->writer.first, &none)) != PT_OK)
                return status;
        }
        if (pt_printf(&of->writer, "%zx\r\n", size) != PT_OK)
            return of->writer.failed;
        of->owed = size;
    }
    if (size > of->owed)
        size = (size_t)of->owed;
    status = put_part(of, data, size, size == of->owed ? "\r\n" : "", put);
    of->owed -= *put;
    return status;
}

static pt_status try_write(void *object, const void *data, size_t size, size_t *put)
{
    struct pt_http_serve *of = (struct pt_http_serve *)object;

    *put = 0;
    if (of->writer.failed != PT_OK)
        return of->writer.failed;
    if (of->reply == PT_HTTP_SIZED_)
        return put_sized(of, (const char *)data, size, put);
    if (of->reply == PT_HTTP_CHUNKS_ && of->request.minor == 1)
        return put_chunk(of, (const char *)data, size, put);
    if (of->reply == PT_HTTP_CHUNKS_)
        return put_part(of, (const char *)data, size, "", put);
    *put = size; /* a body that nobody gets */
    return PT_OK;
}

struct pt_stream pt_http_begin(struct pt_http_request *request, int status, const char *type,
                               uint64_t size)
{
    static const struct pt_stream_ops ops = {NULL, try_write, pt_http_raw_wait_, NULL};
    struct pt_stream stream;

    pt_http_print_head_(request->connection, status, type, size,
                        size == PT_HTTP_CHUNKED ? PT_HTTP_CHUNKS_ : PT_HTTP_SIZED_);
    stream.ops = &ops;
    stream.object = request->connection;
    return stream;
}
