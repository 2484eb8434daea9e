/* stream.c - read or write a whole buffer, read a line, finish a connection
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "descriptor.h"
#include "../../needs.h"

#include <pt/host/stream.h>

#include <string.h>

PT_ASYNC(pt_read_exactly, self)
{
    PT_NEEDS_FIELD_(self, io, "pt_read_exactly");
    for (self->got = 0; self->got < self->size; self->got += self->step) {
        PT_READ(self->io, (char *)self->data + self->got, self->size - self->got, &self->step);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
}
PT_END

PT_ASYNC(pt_write_all, self)
{
    PT_NEEDS_FIELD_(self, io, "pt_write_all");
    for (self->put = 0; self->put < self->size; self->put += self->step) {
        PT_WRITE(self->io, (const char *)self->data + self->put, self->size - self->put,
                 &self->step);
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
}
PT_END

/* --- lines ----------------------------------------------------------------------------------- */

void pt_reader_init(struct pt_reader *reader, struct pt_io *io, char *data, size_t size)
{
    reader->io = io;
    reader->data = data;
    reader->size = size;
    reader->first = reader->end = 0;
}

size_t pt_reader_take(struct pt_reader *reader, void *data, size_t size)
{
    size_t count = reader->end - reader->first;

    if (count > size)
        count = size;
    memcpy(data, reader->data + reader->first, count);
    reader->first += count;
    return count;
}

/* Take a line of LENGTH bytes out of the buffer, with the BEHIND bytes that follow it. */
static void cut(struct pt_read_line *self, size_t length, size_t behind)
{
    struct pt_reader *reader = self->reader;

    self->text = reader->data + reader->first;
    self->text[length] = '\0';
    self->length = length;
    reader->first += length + behind;
}

/* Take a whole line, if there is one. If not, move its first part to the front of the buffer. */
static bool find(struct pt_read_line *self)
{
    struct pt_reader *reader = self->reader;
    size_t count = reader->end - reader->first;
    const char *start = reader->data + reader->first, *newline = memchr(start, '\n', count);

    if (newline) {
        cut(self, (size_t)(newline - start), 1);
        return true;
    }
    memmove(reader->data, start, count);
    reader->first = 0;
    reader->end = count;
    return false;
}

/* A line that was read ahead counts as an operation: whether the task must yield before it. */
static bool is_to_yield(struct pt_io *io)
{
    if (!pt_io_share_is_over_(io))
        return false;
    io->done = 1; /* this line */
    return true;
}

PT_ASYNC(pt_read_line, self)
{
    PT_NEEDS_FIELD_(self, reader, "pt_read_line");
    PT_NEEDS_(self->reader->io, "the pt_reader was not initialized: call pt_reader_init",
              "pt_read_line");
    self->text = NULL;
    self->length = 0;
    if (self->reader->first < self->reader->end && is_to_yield(self->reader->io))
        PT_YIELD();
    while (!find(self)) {
        if (self->reader->end == self->reader->size) {
            self->reader->end = 0;
            PT_RETURN(PT_ERANGE);
        }
        PT_READ(self->reader->io, self->reader->data + self->reader->end,
                self->reader->size - self->reader->end, &self->step);
        self->reader->end += self->step;
        if (self->pt.status == PT_ECLOSED && self->reader->end) {
            cut(self, self->reader->end, 0);
            PT_RETURN(PT_OK);
        }
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
    }
}
PT_END

/* --- the end --------------------------------------------------------------------------------- */

PT_ASYNC(pt_finish, self)
{
    PT_NEEDS_FIELD_(self, io, "pt_finish");
    self->pt.status = pt_io_shutdown(self->io, SHUT_WR);
    if (self->pt.status != PT_OK)
        PT_RETURN(self->pt.status);
    do
        PT_READ(self->io, self->data, sizeof self->data, &self->step);
    while (self->pt.status == PT_OK);
    if (self->pt.status != PT_ECLOSED)
        PT_RETURN(self->pt.status);
    PT_FINALLY
    pt_io_close(self->io);
}
PT_END
