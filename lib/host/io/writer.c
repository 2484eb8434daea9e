/* writer.c - write text and bytes to a stream, through a buffer
 * SPDX-License-Identifier: MIT */
#include "../../sites.h"

#include "waits.h"

#include <stdio.h>
#include <string.h>

/* Put a 0 behind the bytes. */
static void terminate(struct pt_writer *writer)
{
    if (writer->size)
        writer->data[writer->end] = '\0';
}

static void set_up(struct pt_writer *writer, char *data, size_t size)
{
    memset(writer, 0, sizeof *writer);
    writer->data = data;
    writer->size = size;
    writer->share = PT_STREAM_SHARE_;
    terminate(writer);
}

void pt_writer_init(struct pt_writer *writer, struct pt_stream stream, char *data, size_t size)
{
    PT_NEEDS_(stream.ops && stream.ops->try_write, "the stream has no try_write", "pt_writer_init");
    set_up(writer, data, size);
    writer->stream = stream;
}

void pt_writer_init_memory(struct pt_writer *writer, char *data, size_t size)
{
    PT_NEEDS_(size, "the buffer has no room for a 0", "pt_writer_init_memory");
    set_up(writer, data, size);
}

/* Whether the writer was initialized. */
#define PT_NEEDS_WRITER_(writer, name)                \
    PT_NEEDS_((writer)->size || (writer)->stream.ops, \
              "the pt_writer was not initialized: call pt_writer_init", name)

/* --- into the buffer ------------------------------------------------------------------------- */

/* How many bytes the buffer has room for. What is written already makes room. */
static size_t make_room(struct pt_writer *writer)
{
    if (writer->first) {
        memmove(writer->data, writer->data + writer->first, writer->end - writer->first + 1);
        writer->end -= writer->first;
        writer->first = 0;
    }
    return writer->size ? writer->size - 1 - writer->end : 0;
}

pt_status pt_printf(struct pt_writer *writer, const char *format, ...)
{
    va_list values;
    size_t room;
    int length;

    PT_NEEDS_WRITER_(writer, "pt_printf");
    room = make_room(writer);
    if (writer->failed != PT_OK)
        return writer->failed;
    va_start(values, format);
    length = writer->size ? vsnprintf(writer->data + writer->end, room + 1, format, values)
                          : vsnprintf(NULL, 0, format, values);
    va_end(values);
    if (length >= 0 && (size_t)length <= room) {
        writer->end += (size_t)length;
        return PT_OK;
    }
    terminate(writer);
    writer->failed = length < 0 ? PT_EINVAL : PT_ERANGE;
    return writer->failed;
}

/* Add SIZE bytes, if they fit. */
static bool add(struct pt_writer *writer, const void *data, size_t size)
{
    if (size > make_room(writer))
        return false;
    if (size) {
        memcpy(writer->data + writer->end, data, size);
        writer->end += size;
        terminate(writer);
    }
    return true;
}

/* --- to the stream --------------------------------------------------------------------------- */

/* Write SIZE bytes from index *COUNT of DATA on: whether the task must suspend and then call this
 * again. */
static bool push(struct pt_task *task, struct pt *frame, struct pt_writer *writer, const char *data,
                 size_t *count, size_t size)
{
    const struct pt_stream *stream = &writer->stream;

    while (frame->status == PT_OK && *count < size) {
        size_t put = 0;

        if (pt_stream_yields_(&writer->waits, writer->share))
            return true;
        frame->status = stream->ops->try_write(stream->object, data + *count, size - *count, &put);
        pt_stream_moved_(put, size - *count, true);
        *count += put;
        if (frame->status == PT_EAGAIN)
            return pt_stream_waits_(task, frame, stream, &writer->waits, true);
    }
    return false;
}

/* The same for all that is in the buffer. */
static bool flush(struct pt_task *task, struct pt *frame, struct pt_writer *writer)
{
    if (!writer->stream.ops)
        return false;
    if (push(task, frame, writer, writer->data, &writer->first, writer->end))
        return true;
    if (writer->first == writer->end) {
        writer->first = writer->end = 0;
        terminate(writer);
    }
    return false;
}

/* The same for the buffer and SIZE bytes of DATA behind it, by one call for both. Nothing is done
 * if the buffer is empty, or if the stream takes no parts. */
static bool push_both(struct pt_task *task, struct pt *frame, struct pt_writer *writer,
                      const char *data, size_t *count, size_t size)
{
    const struct pt_stream *stream = &writer->stream;

    while (frame->status == PT_OK && writer->first < writer->end && stream->ops->try_parts) {
        size_t held = writer->end - writer->first, put = 0;
        const struct iovec parts[2] = {{writer->data + writer->first, held},
                                       {(void *)(uintptr_t)data, size}};

        if (pt_stream_yields_(&writer->waits, writer->share))
            return true;
        frame->status = stream->ops->try_parts(stream->object, parts, 2, &put);
        pt_stream_moved_(put, held + size, true);
        writer->first += put < held ? put : held;
        *count = put > held ? put - held : 0;
        if (frame->status == PT_EAGAIN)
            return pt_stream_waits_(task, frame, stream, &writer->waits, true);
    }
    return false;
}

bool pt_writer_is_half_full_(const struct pt_writer *writer)
{
    size_t room = writer->size ? writer->size - 1 - writer->end : 0;

    return room < writer->size / 2;
}

bool pt_writer_drain_(struct pt_task *task, struct pt *frame, struct pt_writer *writer)
{
    return (writer->first || pt_writer_is_half_full_(writer)) && flush(task, frame, writer);
}

pt_status pt_writer_end_(struct pt_writer *writer, pt_status status)
{
    if (writer->failed == PT_OK)
        writer->failed = status;
    return writer->failed;
}

/* In a body: repeat ATTEMPT while it returns true. Then the status is its code, and WRITER's. */
#define PT_WRITE_OUT_(writer, attempt)                               \
    do {                                                             \
        self->pt.status = (writer)->failed;                          \
        while (self->pt.status == PT_OK && (attempt))                \
            PT_SUSPEND_((writer)->waits.opcode);                     \
        self->pt.status = pt_writer_end_((writer), self->pt.status); \
        if (self->pt.status != PT_OK)                                \
            PT_RETURN(self->pt.status);                              \
    } while (0)
#define PT_FLUSH_(writer) PT_WRITE_OUT_(writer, flush(pt_current_, &self->pt, writer))

PT_ASYNC(pt_flush, self)
{
    PT_NEEDS_FIELD_(self, writer, "pt_flush");
    PT_NEEDS_WRITER_(self->writer, "pt_flush");
    PT_FLUSH_(self->writer);
}
PT_END

PT_ASYNC(pt_write_all, self)
{
    self->put = 0;
    PT_NEEDS_FIELD_(self, writer, "pt_write_all");
    PT_NEEDS_WRITER_(self->writer, "pt_write_all");
    if (self->writer->failed != PT_OK)
        PT_RETURN(self->writer->failed);
    if (add(self->writer, self->data, self->size)) {
        self->put = self->size;
        if (self->more)
            PT_RETURN(PT_OK);
    } else if (!self->writer->stream.ops) {
        self->writer->failed = PT_ERANGE;
        PT_RETURN(PT_ERANGE);
    }
    if (self->size && self->put == 0 && !(self->more && self->size < self->writer->size))
        PT_WRITE_OUT_(self->writer, push_both(pt_current_, &self->pt, self->writer,
                                              (const char *)self->data, &self->put, self->size));
    PT_FLUSH_(self->writer);
    if (self->more && add(self->writer, self->data, self->size)) {
        self->put = self->size;
        PT_RETURN(PT_OK);
    }
    PT_WRITE_OUT_(self->writer, push(pt_current_, &self->pt, self->writer, (const char *)self->data,
                                     &self->put, self->size));
}
PT_END
