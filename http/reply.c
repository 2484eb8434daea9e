/* reply.c - the reply to a request, as a whole, or as a stream
 * SPDX-License-Identifier: MIT
 *
 * OUT holds what must go before the next byte of the body: the head, the frame of a chunk. A write
 * of a stream gathers that, and as much of the body as has room, in one buffer for one call. What
 * of the body was not taken is not kept: it still belongs to the caller. */
#include "connection.h"

#include <string.h>

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
        pt_http_append_(out, (const char *)reply->data, reply->size);
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
    if (!pt_http_print_head_(of, self->status, self->type, self->size, PT_HTTP_WHOLE_))
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
            pt_http_append_(out, tail, behind);
        return status;
    }
    part = size + behind <= room ? size : room > behind ? room - behind : 0;
    pt_http_append_(out, data, part);
    if (part == size)
        pt_http_append_(out, tail, behind);
    status = push(of, frame, &count);
    *put = count < part ? count : part;
    if (*put == size && behind) /* what of the tail was not taken must go first next time */
        pt_http_append_(out, tail + (count - part), behind - (count - part));
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
