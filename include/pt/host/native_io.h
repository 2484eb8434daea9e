/* native_io.h - the operations of io.h and stream.h for native tasks
 * SPDX-License-Identifier: MIT
 *
 *     static pt_status echo(struct pt_native *self)
 *     {
 *         struct pt_io *io = (struct pt_io *)self->argument;
 *         struct pt_writer out;
 *         char data[64];
 *         size_t got;
 *         pt_status status;
 *
 *         pt_writer_init(&out, pt_io_stream(io), NULL, 0);
 *         while ((status = pt_native_read(self, io, data, sizeof data, &got)) == PT_OK &&
 *                (status = pt_native_write_all(self, &out, data, got)) == PT_OK) {
 *         }
 *         pt_io_close(io);
 *         return status;
 *     }
 *
 * Each function returns its code, as in native.h. Buffers and lengths may be local variables. */
#ifndef PT_NATIVE_IO_H
#define PT_NATIVE_IO_H

#include "blocking.h"
#include "../stack/native.h"
#include "../stack/stack.h"
#include "resolve.h"
#include "signals.h"
#include "stream.h"

/* pt_native_read, pt_native_write - PT_READ, PT_WRITE */
PT_API pt_status pt_native_read(struct pt_native *self, struct pt_io *io, void *data, size_t size,
                                size_t *got);
PT_API pt_status pt_native_write(struct pt_native *self, struct pt_io *io, const void *data,
                                 size_t size, size_t *put);

/* pt_native_readv, pt_native_writev - PT_READV, PT_WRITEV */
PT_API pt_status pt_native_readv(struct pt_native *self, struct pt_io *io,
                                 const struct iovec *parts, int count, size_t *got);
PT_API pt_status pt_native_writev(struct pt_native *self, struct pt_io *io,
                                  const struct iovec *parts, int count, size_t *put);

/* pt_native_accept, pt_native_connect - PT_ACCEPT, PT_CONNECT */
PT_API pt_status pt_native_accept(struct pt_native *self, struct pt_io *io, struct pt_io *peer);
PT_API pt_status pt_native_connect(struct pt_native *self, struct pt_io *io,
                                   const struct sockaddr *address, socklen_t length);

/* pt_native_recvfrom, pt_native_sendto - PT_RECVFROM, PT_SENDTO */
PT_API pt_status pt_native_recvfrom(struct pt_native *self, struct pt_io *io, void *data,
                                    size_t size, size_t *got, struct sockaddr_storage *from);
PT_API pt_status pt_native_sendto(struct pt_native *self, struct pt_io *io, const void *data,
                                  size_t size, const struct sockaddr *to, socklen_t length);

/* pt_native_wait_readable, pt_native_wait_writable - PT_WAIT_READABLE, PT_WAIT_WRITABLE */
PT_API pt_status pt_native_wait_readable(struct pt_native *self, struct pt_io *io);
PT_API pt_status pt_native_wait_writable(struct pt_native *self, struct pt_io *io);

/* pt_native_wait_hangup - PT_WAIT_HANGUP */
PT_API pt_status pt_native_wait_hangup(struct pt_native *self, struct pt_io *io);

/* pt_native_read_exactly, pt_native_write_all, pt_native_flush - those of stream.h without frames
 * If they end early, a part may be read or written. To know how much, use pt_native_call with a
 * frame: its `got` or `put` tells. */
PT_API pt_status pt_native_read_exactly(struct pt_native *self, struct pt_reader *reader,
                                        void *data, size_t size);
PT_API pt_status pt_native_write_all(struct pt_native *self, struct pt_writer *writer,
                                     const void *data, size_t size);
PT_API pt_status pt_native_flush(struct pt_native *self, struct pt_writer *writer);

/* pt_native_read_line, pt_native_read_until - *TEXT is valid until the reader is used again
 * For a limit: pt_native_call(self, &frame, pt_read_until, .limit = 100, ...) */
PT_API pt_status pt_native_read_line(struct pt_native *self, struct pt_reader *reader, char **text,
                                     size_t *length);
PT_API pt_status pt_native_read_until(struct pt_native *self, struct pt_reader *reader,
                                      const char *delimiter, char **text, size_t *length);

/* pt_native_peek - pt_peek: at least SIZE bytes, if the code is PT_OK */
PT_API pt_status pt_native_peek(struct pt_native *self, struct pt_reader *reader, size_t size,
                                const char **data, size_t *length);

/* pt_native_printf(self, &writer, format, ...) - PT_PRINTF: a pt_status */
#define pt_native_printf(self, writer, ...)    \
    (PT_CHECK_ONE_(writer, "pt_native_printf") \
         pt_native_printed_(self, writer, pt_printf(writer, __VA_ARGS__)))

/* pt_native_finish - pt_finish */
PT_API pt_status pt_native_finish(struct pt_native *self, struct pt_io *io);

/* pt_native_resolve(self, &lookup, .system = &sys, .host = name, ...) - pt_resolve
 * LOOKUP is the frame and holds the addresses. It may be a local variable and need not be zero:
 * arguments that you do not name get their defaults. */
#define pt_native_resolve(self, lookup, ...)                                        \
    (PT_CHECK_ONE_(lookup, "pt_native_resolve") pt_native_lookup_defaults_(lookup), \
     pt_native_call(self, lookup, pt_resolve, __VA_ARGS__))

/* pt_native_wait_signal - PT_WAIT_SIGNAL
 * For other waits: pt_native_call(self, &frame, pt_wait_process, ...) */
PT_API pt_status pt_native_wait_signal(struct pt_native *self, struct pt_signals *set, int *number);

/* pt_native_blocking - pt_blocking */
PT_API pt_status pt_native_blocking(struct pt_native *self, struct pt_workers *workers,
                                    void (*work)(void *argument), void *argument);

/* --- implementation ------------------------------------------------------------------------ */

/* The end of a function: call ATTEMPT; while it returns true, suspend and call it again. */
#define PT_NATIVE_IO_(self, io, attempt) PT_NATIVE_IO_BEGUN_(self, io, PT_OK, attempt)

/* As PT_NATIVE_IO_, unless BEGIN returns another code than PT_OK. */
#define PT_NATIVE_IO_BEGUN_(self, io, begin, attempt)                    \
    (self)->pt.status = (begin);                                         \
    while ((self)->pt.status == PT_OK && (attempt)) {                    \
        pt_status status_ = pt_native_suspend_by_((self), (io)->opcode); \
                                                                         \
        if (status_ != PT_OK)                                            \
            return status_;                                              \
    }                                                                    \
    return (self)->pt.status

PT_API pt_status pt_native_read(struct pt_native *self, struct pt_io *io, void *data, size_t size,
                                size_t *got)
{
    PT_NATIVE_IO_(self, io, pt_io_read_(self->task, &self->pt, io, data, size, got));
}

PT_API pt_status pt_native_write(struct pt_native *self, struct pt_io *io, const void *data,
                                 size_t size, size_t *put)
{
    PT_NATIVE_IO_(self, io, pt_io_write_(self->task, &self->pt, io, data, size, put));
}

PT_API pt_status pt_native_readv(struct pt_native *self, struct pt_io *io,
                                 const struct iovec *parts, int count, size_t *got)
{
    PT_NATIVE_IO_(self, io, pt_io_readv_(self->task, &self->pt, io, parts, count, got));
}

PT_API pt_status pt_native_writev(struct pt_native *self, struct pt_io *io,
                                  const struct iovec *parts, int count, size_t *put)
{
    PT_NATIVE_IO_(self, io, pt_io_writev_(self->task, &self->pt, io, parts, count, put));
}

PT_API pt_status pt_native_accept(struct pt_native *self, struct pt_io *io, struct pt_io *peer)
{
    (void)(PT_IO_CLOSED_(self->task->loop, peer, "pt_native_accept") 0);
    PT_NATIVE_IO_(self, io, pt_io_accept_(self->task, &self->pt, io, peer));
}

PT_API pt_status pt_native_connect(struct pt_native *self, struct pt_io *io,
                                   const struct sockaddr *address, socklen_t length)
{
    PT_NATIVE_IO_BEGUN_(self, io, pt_io_may_connect_(io),
                        pt_io_connect_(self->task, &self->pt, io, address, length));
}

PT_API pt_status pt_native_recvfrom(struct pt_native *self, struct pt_io *io, void *data,
                                    size_t size, size_t *got, struct sockaddr_storage *from)
{
    PT_NATIVE_IO_(self, io, pt_io_recvfrom_(self->task, &self->pt, io, data, size, got, from));
}

PT_API pt_status pt_native_sendto(struct pt_native *self, struct pt_io *io, const void *data,
                                  size_t size, const struct sockaddr *to, socklen_t length)
{
    PT_NATIVE_IO_(self, io, pt_io_sendto_(self->task, &self->pt, io, data, size, to, length));
}

PT_API pt_status pt_native_wait_readable(struct pt_native *self, struct pt_io *io)
{
    PT_NATIVE_IO_(self, io, pt_io_ready_(self->task, &self->pt, io, false));
}

PT_API pt_status pt_native_wait_writable(struct pt_native *self, struct pt_io *io)
{
    PT_NATIVE_IO_(self, io, pt_io_ready_(self->task, &self->pt, io, true));
}

PT_API pt_status pt_native_wait_hangup(struct pt_native *self, struct pt_io *io)
{
    PT_NATIVE_IO_(self, io, pt_io_hangup_(self->task, &self->pt, io));
}

PT_API pt_status pt_native_read_exactly(struct pt_native *self, struct pt_reader *reader,
                                        void *data, size_t size)
{
    struct pt_read_exactly frame;

    return pt_native_call(self, &frame, pt_read_exactly, .reader = reader, .data = data,
                          .size = size);
}

PT_API pt_status pt_native_write_all(struct pt_native *self, struct pt_writer *writer,
                                     const void *data, size_t size)
{
    struct pt_write_all frame;

    return pt_native_call(self, &frame, pt_write_all, .writer = writer, .data = data, .size = size);
}

PT_API pt_status pt_native_flush(struct pt_native *self, struct pt_writer *writer)
{
    struct pt_flush frame;

    return pt_native_call(self, &frame, pt_flush, .writer = writer);
}

PT_API pt_status pt_native_read_line(struct pt_native *self, struct pt_reader *reader, char **text,
                                     size_t *length)
{
    struct pt_read_line frame;
    pt_status status = pt_native_call(self, &frame, pt_read_line, .reader = reader);

    *text = frame.text;
    *length = frame.length;
    return status;
}

PT_API pt_status pt_native_read_until(struct pt_native *self, struct pt_reader *reader,
                                      const char *delimiter, char **text, size_t *length)
{
    struct pt_read_until frame;
    pt_status status =
        pt_native_call(self, &frame, pt_read_until, .reader = reader, .delimiter = delimiter);

    *text = frame.text;
    *length = frame.length;
    return status;
}

PT_API pt_status pt_native_peek(struct pt_native *self, struct pt_reader *reader, size_t size,
                                const char **data, size_t *length)
{
    struct pt_peek frame;
    pt_status status = pt_native_call(self, &frame, pt_peek, .reader = reader, .size = size);

    *data = frame.data;
    *length = frame.length;
    return status;
}

/* A text was printed, with STATUS: flush if it is time to. */
PT_API pt_status pt_native_printed_(struct pt_native *self, struct pt_writer *writer,
                                    pt_status status)
{
    struct pt_flush frame;

    if (status != PT_OK || !pt_writer_is_half_full_(writer) || !writer->stream.ops)
        return status;
    return pt_native_call(self, &frame, pt_flush, .writer = writer);
}

PT_API pt_status pt_native_finish(struct pt_native *self, struct pt_io *io)
{
    struct pt_finish frame;

    return pt_native_call(self, &frame, pt_finish, .io = io);
}

PT_API void pt_native_lookup_defaults_(struct pt_resolve *lookup)
{
    lookup->host = lookup->service = lookup->servers = NULL;
    lookup->family = AF_UNSPEC;
}

PT_API pt_status pt_native_wait_signal(struct pt_native *self, struct pt_signals *set, int *number)
{
    PT_NATIVE_IO_(self, &set->io, pt_signals_must_wait_(self->task, &self->pt, set, number));
}

PT_API pt_status pt_native_blocking(struct pt_native *self, struct pt_workers *workers,
                                    void (*work)(void *argument), void *argument)
{
    struct pt_blocking frame;

    return pt_native_call(self, &frame, pt_blocking, .workers = workers, .work = work,
                          .argument = argument);
}

#endif
