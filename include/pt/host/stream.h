/* stream.h - read or write a whole buffer, read a line, finish a connection
 * SPDX-License-Identifier: MIT
 *
 *     struct talk { struct pt pt; struct pt_io io; struct pt_reader in; char room[256];
 *                   struct pt_read_line line; struct pt_write_all put; };
 *
 *     pt_reader_init(&self->in, &self->io, self->room, sizeof self->room);
 *     PT_TRY(&self->line, pt_read_line, .reader = &self->in);
 *     PT_TRY(&self->put, pt_write_all, .io = &self->io, .data = self->line.text,
 *            .size = self->line.length);
 *
 * Each is a resumable function: await it or spawn it. Codes as in io.h, and PT_ERANGE. Cancel,
 * timeout: earlier reads and writes are not undone; the frame holds the count. If the caller does
 * not set io or reader, the program stops with PT_PANIC, which names the field; so do all functions
 * of libpt that need a system, workers or a function to call. */
#ifndef PT_STREAM_H
#define PT_STREAM_H

#include "io.h"

/* A buffer of bytes that were read ahead. Only the functions write its fields. */
struct pt_reader {
    struct pt_io *io; /* where the bytes come from */
    char *data;       /* the buffer, which belongs to the caller */
    size_t size;      /* of the buffer */
    size_t first;     /* the index of the first byte */
    size_t end;       /* the index after the last byte */
};

/* The frame of pt_read_exactly: read SIZE bytes; PT_ECLOSED if the input ends before that. */
struct pt_read_exactly {
    struct pt pt;
    struct pt_io *io; /* the caller sets this and the next two */
    void *data;       /* where the bytes go */
    size_t size;      /* how many to read */
    size_t got;       /* how many are read; the function writes this and the next */
    size_t step;      /* how many the last read gave */
};

/* The frame of pt_write_all: write SIZE bytes. */
struct pt_write_all {
    struct pt pt;
    struct pt_io *io; /* the caller sets this and the next two */
    const void *data; /* the bytes; they must stay valid until the end */
    size_t size;      /* how many to write */
    size_t put;       /* how many are written; the function writes this and the next */
    size_t step;      /* how many the last write took */
};

/* The frame of pt_read_line: read up to the next newline or the end of the input.
 * TEXT is valid until the reader is used again. PT_ERANGE if the line does not fit in the buffer:
 * the part of it in the buffer is dropped, and what follows would be the next line. So a server
 * closes the connection. PT_ECLOSED at the end. */
struct pt_read_line {
    struct pt pt;
    struct pt_reader *reader; /* the caller sets it */
    char *text;               /* the line, ended by a 0; the function writes this and the rest */
    size_t length;            /* of the line, without its newline */
    size_t step;              /* how many bytes the last read gave */
};

/* The frame of pt_finish: shut down the writing side, read until the other side does the same,
 * close. So all that was written arrives; after an immediate close the system could drop it.
 * pt_finish has no timeout of its own: use PT_WITH_TIMEOUT. However it ends, IO is closed. */
struct pt_finish {
    struct pt pt;
    struct pt_io *io; /* the caller sets it */
    size_t step;      /* how many bytes the last read gave */
    char data[256];   /* for bytes that are dropped */
};

PT_EXPORT PT_DECLARE(pt_read_exactly);
PT_EXPORT PT_DECLARE(pt_write_all);
PT_EXPORT PT_DECLARE(pt_read_line);
PT_EXPORT PT_DECLARE(pt_finish);

/* pt_reader_init - make a reader of IO; the buffer DATA has SIZE bytes, at least 1
 * The buffer must last as long as the reader: make it a member of the frame, as the reader. A local
 * of a body does not survive the first read that waits, and PT_DEBUG does not see that. */
PT_EXPORT void pt_reader_init(struct pt_reader *reader, struct pt_io *io, char *data, size_t size);

/* pt_reader_take - move up to SIZE bytes from the buffer to DATA; returns how many */
PT_EXPORT size_t pt_reader_take(struct pt_reader *reader, void *data, size_t size);

#endif
