/* stream.h - more than one read or write: all of it, a line, to the end
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
 * Each is a resumable function: awaited, or spawned. Codes as in io.h, and PT_ERANGE. Cancel, timeout:
 * what was read or written before stays so; the frame tells how much that is. */
#ifndef PT_STREAM_H
#define PT_STREAM_H

#include "io.h"

/* Bytes that were read before they were asked for. Written by the functions. */
struct pt_reader {
    struct pt_io *io; /* where they come from */
    char *data;       /* room for them, the caller's */
    size_t size;      /* of that room */
    size_t first;     /* where the first one is */
    size_t end;       /* behind the last one */
};

/* The frame of pt_read_exactly: read SIZE bytes; PT_ECLOSED if they end before. */
struct pt_read_exactly {
    struct pt pt;
    struct pt_io *io; /* the caller's choice, as the next two */
    void *data;       /* where they go */
    size_t size;      /* how many */
    size_t got;       /* how many have come; written here */
    size_t step;      /* of them the last ones */
};

/* The frame of pt_write_all: write SIZE bytes. */
struct pt_write_all {
    struct pt pt;
    struct pt_io *io; /* the caller's choice, as the next two */
    const void *data; /* the bytes, which stay where they are */
    size_t size;      /* how many */
    size_t put;       /* how many have gone; written here */
    size_t step;      /* of them the last ones */
};

/* The frame of pt_read_line: read up to the next newline, or the end, whichever comes first.
 * TEXT is valid until the reader is used again. PT_ERANGE for a line that is longer than the room: what
 * is there of it is dropped. PT_ECLOSED at the end. */
struct pt_read_line {
    struct pt pt;
    struct pt_reader *reader; /* the caller's choice */
    char *text;               /* the line, with a 0 for its newline; written here, as the next */
    size_t length;            /* of the line, without its newline */
    size_t step;              /* how many bytes have come last */
};

/* The frame of pt_finish: say that nothing more comes, read until the other side says so too, close.
 * What was written before arrives, where a close at once could make the system drop it. Has no time of
 * its own: PT_WITH_TIMEOUT. However it ends, IO is closed. */
struct pt_finish {
    struct pt pt;
    struct pt_io *io; /* the caller's choice */
    size_t step;      /* how many bytes were dropped last */
    char data[256];   /* those */
};

#ifdef __cplusplus
extern "C" {
#endif

PT_EXPORT PT_DECLARE(pt_read_exactly);
PT_EXPORT PT_DECLARE(pt_write_all);
PT_EXPORT PT_DECLARE(pt_read_line);
PT_EXPORT PT_DECLARE(pt_finish);

/* pt_reader_init - a reader of IO with room for SIZE bytes, at least 1 */
PT_EXPORT void pt_reader_init(struct pt_reader *reader, struct pt_io *io, char *data, size_t size);

/* pt_reader_take - move up to SIZE bytes that were read before to DATA; how many */
PT_EXPORT size_t pt_reader_take(struct pt_reader *reader, void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
