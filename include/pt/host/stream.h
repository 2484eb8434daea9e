/* stream.h - readers and writers: lines, exact reads, formatted text; finish a connection
 * SPDX-License-Identifier: MIT
 *
 *     struct talk { struct pt pt; struct pt_io io; struct pt_reader in; struct pt_writer out;
 *                   struct pt_read_line line; struct pt_flush flush; char room[256], text[256]; };
 *
 *     pt_reader_init(&self->in, pt_io_stream(&self->io), self->room, sizeof self->room);
 *     pt_writer_init(&self->out, pt_io_stream(&self->io), self->text, sizeof self->text);
 *     PT_TRY(&self->line, pt_read_line, .reader = &self->in);
 *     PT_PRINTF(&self->out, "%zu bytes: %s\n", self->line.length, self->line.text);
 *     PT_TRY(&self->flush, pt_flush, .writer = &self->out);
 *
 * A reader and a writer have a buffer of the caller's each, and a stream: a descriptor, or whatever
 * has the two functions and the wait of struct pt_stream_ops. They call these once for each
 * buffer of bytes, not for each line. Without a stream they work in memory.
 *
 * PT_PRINTF is a macro; the others are resumable functions: await them or spawn them. If the caller
 * does not set a field that one needs, the program stops with PT_PANIC, which names the field; so
 * do all functions of libpt that need a system, workers or a function to call. One task at a time
 * waits in a reader, and one in a writer: the program stops at a second one, if it is a descriptor
 * that they wait for. A stream of your own with a frame of its own must test for that itself.
 *
 * A task that makes 32 operations in a row without a wait yields, so that others run. Each call of
 * the stream is one, and so is what a reader has in its buffer already. A wait with a frame of its
 * own can end at once: the calls before it count, too. reader->share and writer->share change the
 * number: a server that forwards each line to other tasks sets it to less than they can store.
 * UINT8_MAX is no limit.
 *
 * Codes: as in io.h, those of the stream, and PT_ERANGE. Cancel, timeout: the wait ends; earlier
 * reads and writes are not undone, and nothing is lost. What was read is in the reader's buffer, or
 * the frame tells how much is in the caller's; what is not written yet is in the writer's. So a
 * pt_read_line, pt_read_until, pt_peek or pt_flush that was ended can be called again and continues
 * where the other one ended. */
#ifndef PT_STREAM_H
#define PT_STREAM_H

#include "io.h"

#include <stdarg.h>

/* --- what is read and written ---------------------------------------------------------------- */

struct pt_stream_wait_;

/* How bytes come and go: what a kind of streams is made of. A stream that is only read or only
 * written has NULL for the other function. */
struct pt_stream_ops {
    /* Read at least one byte and at most SIZE, or write, without waiting; store their number.
     * PT_EAGAIN: none can be moved now. PT_ECLOSED at the end, or another code: it goes to the
     * caller. PT_OK with 0 bytes is an empty message: the caller tries again. */
    pt_status (*try_read)(void *object, void *data, size_t size, size_t *got);
    pt_status (*try_write)(void *object, const void *data, size_t size, size_t *put);
    /* After PT_EAGAIN: prepare, by PT_INIT, a frame that waits until it makes sense to try again,
     * and return its address. It stays valid until it ends, for example as a member of the object,
     * and one is needed for each direction. Its code, unless it is PT_OK, ends the operation. NULL:
     * try again in the next turn. A stream over another one passes SPARE to the wait of that one;
     * it has no other use. */
    struct pt *(*wait)(void *object, bool writing, struct pt_stream_wait_ *spare);
    /* NULL, or as try_write for bytes in COUNT parts, none of them empty: what a writer has in its
     * buffer, and what stands behind that, go out by one call. After PT_EAGAIN the same parts come
     * again. */
    pt_status (*try_parts)(void *object, const struct iovec *parts, int count, size_t *put);
};

/* A stream: a value, which can be copied. OBJECT lasts as long as the readers and writers of it. */
struct pt_stream {
    const struct pt_stream_ops *ops;
    void *object; /* what the functions get */
};

/* pt_io_stream - the stream of IO, which need not be open yet; it calls read(2) and sendmsg(2) */
PT_EXPORT struct pt_stream pt_io_stream(struct pt_io *io);

/* --- readers --------------------------------------------------------------------------------- */

/* The storage of a wait for a descriptor. */
struct pt_stream_wait_ {
    struct pt pt;
    struct pt_io *io;
    bool writing;
};

/* What a reader or a writer needs to wait. */
struct pt_stream_waits_ {
    uint8_t done;   /* operations in a row */
    uint8_t opcode; /* how the task suspends: YIELD or WAIT_COMPLETE */
    struct pt_stream_wait_ spare;
};

/* A buffer of bytes that were read ahead. Write only share; the functions write the rest. */
struct pt_reader {
    struct pt_stream stream; /* where the bytes come from */
    char *data;              /* the buffer, which belongs to the caller */
    size_t size;             /* of the buffer */
    size_t first;            /* the index of the first byte */
    size_t end;              /* the index after the last byte */
    uint8_t share; /* operations before the task yields: 32, your number; UINT8_MAX: any */
    struct pt_stream_waits_ waits;
};

/* pt_reader_init - make a reader of STREAM; the buffer DATA has SIZE bytes
 * Its size limits a line, with the 0 behind it. Without a buffer, NULL and 0, pt_read_exactly reads
 * no byte more than it is asked for, so the next one is still in the stream. The buffer must last
 * as long as the reader: make it a member of the frame, as the reader. A local of a body does not
 * survive the first read that waits, and PT_DEBUG does not see that. */
PT_EXPORT void pt_reader_init(struct pt_reader *reader, struct pt_stream stream, char *data,
                              size_t size);

/* pt_reader_init_memory - make a reader of the LENGTH bytes at DATA, in a buffer of SIZE bytes
 * LENGTH is less than SIZE: a 0 has room behind the last line. The end of the input is behind them,
 * and nothing waits. The functions write into the buffer: a 0 behind each line. */
PT_EXPORT void pt_reader_init_memory(struct pt_reader *reader, char *data, size_t length,
                                     size_t size);

/* pt_reader_take - move up to SIZE bytes from the buffer to DATA; returns how many
 * It reads nothing from the stream. If DATA is NULL, the bytes are dropped. */
PT_EXPORT size_t pt_reader_take(struct pt_reader *reader, void *data, size_t size);

/* The frame of pt_read_exactly: read SIZE bytes; PT_ECLOSED if the input ends before that.
 * First those in the buffer. If at least a buffer is missing then, it reads straight to DATA. */
struct pt_read_exactly {
    struct pt pt;
    struct pt_reader *reader; /* the caller sets this and the next two */
    void *data;               /* where the bytes go */
    size_t size;              /* how many to read */
    size_t got;               /* how many are read, however it ends; the function writes it */
};

/* The frame of pt_read_line: read up to the next newline or the end of the input.
 * TEXT is valid until the reader is used again. PT_ERANGE if the line does not fit in the buffer,
 * and at each further call: the bytes stay there, since what follows is not the next line. A server
 * closes the connection; pt_reader_take takes them. PT_ECLOSED at the end. What stands before the
 * end is a line, too: if a peer that is killed may have cut it off, use pt_read_until. */
struct pt_read_line {
    struct pt pt;
    struct pt_reader *reader; /* the caller sets it */
    char *text;               /* the line, ended by a 0; the function writes this and the rest */
    size_t length;            /* of the line, without its newline */
    size_t seen;              /* how many bytes of the buffer have no newline */
};

/* The frame of pt_read_until: read up to DELIMITER, a string of one or more characters
 * TEXT is valid until the reader is used again. PT_ERANGE if more than LIMIT bytes stand before it,
 * or more than fit in the buffer; PT_ECLOSED if the input ends before it. In both cases the bytes
 * stay in the buffer: pt_reader_take takes them. */
struct pt_read_until {
    struct pt pt;
    struct pt_reader *reader; /* the caller sets this and the next two */
    const char *delimiter;    /* for example "\r\n\r\n" */
    size_t limit;             /* the most bytes of text; 0: as many as fit */
    char *text;    /* what stands before it, ended by a 0; the function writes this and the rest */
    size_t length; /* of text, without the delimiter */
    size_t seen;   /* how many bytes of the buffer have no delimiter */
};

/* The frame of pt_peek: read ahead until SIZE bytes are in the buffer, and leave them there.
 * DATA is valid until the reader is used again. LENGTH can be more than SIZE, and is less if the
 * input ends before that, with PT_ECLOSED. PT_ERANGE if SIZE bytes do not fit in the buffer. */
struct pt_peek {
    struct pt pt;
    struct pt_reader *reader; /* the caller sets this and the next */
    size_t size;              /* how many bytes must be there */
    const char *data;         /* the bytes; the function writes this and the next */
    size_t length;            /* how many are there, however it ends */
};

/* --- writers --------------------------------------------------------------------------------- */

/* A buffer of bytes to write. You may read its fields, and write share; only the functions write
 * the rest. Once an operation has failed, each later one returns its code, FAILED, and does
 * nothing: so a program that prints several times only looks at the code of the flush. The bytes
 * from FIRST to END are then not written; those before are. */
struct pt_writer {
    struct pt_stream stream; /* where the bytes go */
    char *data;              /* the buffer, which belongs to the caller; a 0 is behind the bytes */
    size_t size;             /* of the buffer, with the 0 */
    size_t first;            /* the index of the first byte that is not written */
    size_t end;              /* the index after the last byte */
    uint8_t share;    /* operations before the task yields: 32, your number; UINT8_MAX: any */
    pt_status failed; /* PT_OK, or why it writes nothing any more */
    struct pt_stream_waits_ waits;
};

/* pt_writer_init - make a writer to STREAM; the buffer DATA has SIZE bytes
 * It holds one byte less: the last is for a 0. Buffer and writer last as for pt_reader_init.
 * Without a buffer, NULL and 0, pt_write_all writes straight to the stream, and nothing can be
 * printed. */
PT_EXPORT void pt_writer_init(struct pt_writer *writer, struct pt_stream stream, char *data,
                              size_t size);

/* pt_writer_init_memory - make a writer that only fills DATA, which has SIZE bytes, at least 1
 * The text is a string from data on, of writer->end bytes. PT_ERANGE for what does not fit. */
PT_EXPORT void pt_writer_init_memory(struct pt_writer *writer, char *data, size_t size);

/* pt_printf - add formatted text to the buffer, as printf(3); never waits, also without a task
 * PT_ERANGE if it does not fit: then nothing of it is added, and the writer has failed, so that no
 * message goes out in part. PT_EINVAL if the system cannot format it. In a body use PT_PRINTF. */
PT_EXPORT pt_status pt_printf(struct pt_writer *writer, const char *text, ...)
    __attribute__((__format__(__printf__, 2, 3)));

/* PT_PRINTF(&writer, format, ...) - pt_printf, then flush the buffer unless half of it is free
 * So behind a PT_PRINTF a text of up to half of the buffer fits; a longer one behind a flush.
 * Behind pt_printf, or pt_write_all with MORE, less can be free. Waits while the stream takes
 * nothing. The values are evaluated once, before the wait: they may be locals. The code of the
 * writer is then in self->pt.status. */
#define PT_PRINTF(writer, ...)                                                      \
    do {                                                                            \
        PT_CHECK_ONE_(writer, "PT_PRINTF") PT_IN_BODY_;                             \
        for (pt_->status = pt_printf(writer, __VA_ARGS__);                          \
             pt_->status == PT_OK && pt_writer_drain_(pt_current_, pt_, writer);) { \
            PT_NOT_LOCAL_(writer, "the pt_writer")                                  \
            PT_SUSPEND_((writer)->waits.opcode);                                    \
        }                                                                           \
        pt_->status = pt_writer_end_(writer, pt_->status);                          \
    } while (0)

/* The frame of pt_write_all: write SIZE bytes, behind those in the buffer; then nothing is left in
 * it. A cancel or a timeout leaves the rest of the buffer there: call it again for the bytes behind
 * PUT. PT_ERANGE in memory without room for them: none of them is written. */
struct pt_write_all {
    struct pt pt;
    struct pt_writer *writer; /* the caller sets this and the next three */
    const void *data;         /* the bytes; they must stay valid until the end */
    size_t size;              /* how many to write */
    bool more;                /* more follow: if they fit in the buffer, only put them there */
    size_t put; /* how many are written or in the buffer, however it ends; the function writes it */
};

/* The frame of pt_flush: write all that is in the buffer. */
struct pt_flush {
    struct pt pt;
    struct pt_writer *writer; /* the caller sets it */
};

/* --- the end --------------------------------------------------------------------------------- */

/* The frame of pt_finish: shut down the writing side, read until the other side does the same,
 * close. So all that was written arrives; after an immediate close the system could drop it.
 * pt_finish has no timeout of its own: use PT_WITH_TIMEOUT. However it ends, IO is closed. What is
 * in the buffer of a writer is not written: await pt_flush before. */
struct pt_finish {
    struct pt pt;
    struct pt_io *io; /* the caller sets it */
    size_t step;      /* how many bytes the last read gave */
    char data[256];   /* for bytes that are dropped */
};

PT_EXPORT PT_DECLARE(pt_read_exactly);
PT_EXPORT PT_DECLARE(pt_read_line);
PT_EXPORT PT_DECLARE(pt_read_until);
PT_EXPORT PT_DECLARE(pt_peek);
PT_EXPORT PT_DECLARE(pt_write_all);
PT_EXPORT PT_DECLARE(pt_flush);
PT_EXPORT PT_DECLARE(pt_finish);

/* --- implementation ------------------------------------------------------------------------ */

/* Whether less than half of the buffer is free. */
PT_EXPORT bool pt_writer_is_half_full_(const struct pt_writer *writer);

/* Write what is in the buffer, unless half of it is free: whether the task must suspend and then
 * call this again. */
PT_EXPORT bool pt_writer_drain_(struct pt_task *task, struct pt *frame, struct pt_writer *writer);

/* An operation ends with STATUS: the code of it, which is that of the writer if that has failed
 * meanwhile, by a pt_printf. */
PT_EXPORT pt_status pt_writer_end_(struct pt_writer *writer, pt_status status);

#endif
