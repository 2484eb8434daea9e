/* reader.c - read lines, texts up to a delimiter and exact numbers of bytes from a stream
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "waits.h"

#include <string.h>

/* The buffer of a reader without one, which nothing writes: to add 0 to NULL is undefined. */
static char nothing;

void pt_reader_init(struct pt_reader *reader, struct pt_stream stream, char *data, size_t size)
{
    PT_NEEDS_(stream.ops && stream.ops->try_read, "the stream has no try_read", "pt_reader_init");
    memset(reader, 0, sizeof *reader);
    reader->stream = stream;
    reader->data = size ? data : &nothing;
    reader->size = size;
    reader->share = PT_STREAM_SHARE_;
}

void pt_reader_init_memory(struct pt_reader *reader, char *data, size_t length, size_t size)
{
    PT_NEEDS_(length < size, "the buffer has no room for a 0 behind its bytes",
              "pt_reader_init_memory");
    memset(reader, 0, sizeof *reader);
    reader->data = data;
    reader->size = size;
    reader->end = length;
    reader->share = PT_STREAM_SHARE_;
}

/* How many bytes are in the buffer. */
static size_t left(const struct pt_reader *reader)
{
    return reader->end - reader->first;
}

size_t pt_reader_take(struct pt_reader *reader, void *data, size_t size)
{
    size_t count = left(reader) < size ? left(reader) : size;

    if (data && count)
        memcpy(data, reader->data + reader->first, count);
    reader->first += count;
    return count;
}

/* --- from the stream ------------------------------------------------------------------------- */

/* Bytes that were read ahead count as an operation: whether the task must yield before it. */
static bool yields(struct pt_reader *reader)
{
    return left(reader) && pt_stream_yields_(&reader->waits, reader->share);
}

/* Read up to SIZE bytes to DATA, and add their number to COUNT: whether the task must suspend. */
static bool fetch(struct pt_task *task, struct pt *frame, struct pt_reader *reader, char *data,
                  size_t size, size_t *count)
{
    size_t got = 0;

    frame->status = PT_OK;
    if (!reader->stream.ops)
        frame->status = PT_ECLOSED;
    else if (pt_stream_yields_(&reader->waits, reader->share))
        return true;
    else
        frame->status = reader->stream.ops->try_read(reader->stream.object, data, size, &got);
    pt_stream_moved_(got, size, false);
    *count += got;
    return frame->status == PT_EAGAIN &&
           pt_stream_waits_(task, frame, &reader->stream, &reader->waits, false);
}

/* The same to the end of the buffer, after its bytes were moved to the front. */
static bool refill(struct pt_task *task, struct pt *frame, struct pt_reader *reader)
{
    if (reader->first && left(reader))
        memmove(reader->data, reader->data + reader->first, left(reader));
    reader->end -= reader->first;
    reader->first = 0;
    return fetch(task, frame, reader, reader->data + reader->end, reader->size - reader->end,
                 &reader->end);
}

/* In a body: repeat ATTEMPT while it returns true. Then the status is its code. */
#define PT_FETCH_(attempt)                            \
    do {                                              \
        self->pt.status = PT_OK;                      \
        while (self->pt.status == PT_OK && (attempt)) \
            PT_SUSPEND_(self->reader->waits.opcode);  \
    } while (0)
#define PT_REFILL_() PT_FETCH_(refill(pt_current_, &self->pt, self->reader))

/* At the beginning of the function NAME. */
#define PT_BEGIN_READ_(name)                                                       \
    do {                                                                           \
        PT_NEEDS_FIELD_(self, reader, name);                                       \
        PT_NEEDS_(self->reader->size || self->reader->stream.ops,                  \
                  "the pt_reader was not initialized: call pt_reader_init", name); \
        while (yields(self->reader))                                               \
            PT_YIELD();                                                            \
    } while (0)

/* --- so many bytes --------------------------------------------------------------------------- */

PT_ASYNC(pt_read_exactly, self)
{
    self->got = 0;
    PT_BEGIN_READ_("pt_read_exactly");
    for (;;) {
        self->got +=
            pt_reader_take(self->reader, (char *)self->data + self->got, self->size - self->got);
        if (self->got == self->size)
            PT_RETURN(PT_OK);
        if (self->size - self->got < self->reader->size)
            PT_REFILL_();
        else
            PT_FETCH_(fetch(pt_current_, &self->pt, self->reader, (char *)self->data + self->got,
                            self->size - self->got, &self->got));
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
}
PT_END

PT_ASYNC(pt_peek, self)
{
    PT_BEGIN_READ_("pt_peek");
    while (left(self->reader) < self->size && self->pt.status == PT_OK) {
        if (self->size > self->reader->size)
            self->pt.status = PT_ERANGE;
        else
            PT_REFILL_();
    }
    PT_RETURN(self->pt.status);
    PT_FINALLY
    self->data = self->reader->data + self->reader->first;
    self->length = left(self->reader);
}
PT_END

/* --- up to a delimiter ----------------------------------------------------------------------- */

/* Take a text of LENGTH bytes out of the buffer, with the BEHIND bytes that follow it. */
static char *cut(struct pt_reader *reader, size_t length, size_t behind)
{
    char *text = reader->data + reader->first;

    text[length] = '\0';
    reader->first += length + behind;
    return text;
}

/* Look for the DELIMITER of SIZE bytes behind the SEEN bytes that have none. PT_OK: it is behind
 * *LENGTH bytes; PT_EAGAIN: not in the buffer; PT_ERANGE: behind more than LIMIT, or than fit. */
static pt_status find(const struct pt_reader *reader, const char *delimiter, size_t size,
                      size_t limit, size_t *seen, size_t *length)
{
    const char *start = reader->data + reader->first, *found = NULL;

    if (left(reader) > *seen)
        found = (const char *)memmem(start + *seen, left(reader) - *seen, delimiter, size);
    if (found)
        *seen = (size_t)(found - start);
    else if (left(reader) >= size)
        *seen = left(reader) - size + 1;
    if (*seen > limit)
        return PT_ERANGE;
    if (found)
        *length = *seen;
    else if (left(reader) == reader->size)
        return PT_ERANGE;
    return found ? (pt_status)PT_OK : (pt_status)PT_EAGAIN;
}

PT_ASYNC(pt_read_line, self)
{
    self->text = NULL;
    self->length = self->seen = 0;
    PT_BEGIN_READ_("pt_read_line");
    while ((self->pt.status = find(self->reader, "\n", 1, SIZE_MAX, &self->seen, &self->length)) ==
           PT_EAGAIN) {
        PT_REFILL_();
        if (self->pt.status == PT_ECLOSED && left(self->reader)) {
            self->length = left(self->reader);
            self->text = cut(self->reader, self->length, 0);
            PT_RETURN(PT_OK);
        }
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    self->text = cut(self->reader, self->length, 1);
}
PT_END

PT_ASYNC(pt_read_until, self)
{
    self->text = NULL;
    self->length = self->seen = 0;
    PT_NEEDS_FIELD_(self, delimiter, "pt_read_until");
    PT_NEEDS_(*self->delimiter, ".delimiter is empty", "pt_read_until");
    PT_BEGIN_READ_("pt_read_until");
    while ((self->pt.status = find(self->reader, self->delimiter, strlen(self->delimiter),
                                   self->limit ? self->limit : SIZE_MAX, &self->seen,
                                   &self->length)) == PT_EAGAIN) {
        PT_REFILL_();
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    self->text = cut(self->reader, self->length, strlen(self->delimiter));
}
PT_END
