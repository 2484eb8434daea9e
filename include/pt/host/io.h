/* io.h - descriptors that a task can wait for: sockets, pipes, terminals, files
 * SPDX-License-Identifier: MIT
 *
 *     struct echo {
 *         struct pt pt;
 *         struct pt_io io;                       PT_ACCEPT or pt_io_open opens it
 *         struct pt_writer out;                  stream.h
 *         struct pt_write_all write;
 *         size_t got;
 *         char data[64];
 *     };
 *
 *     pt_writer_init(&self->out, pt_io_stream(&self->io), NULL, 0);
 *     for (;;) {
 *         PT_READ(&self->io, self->data, sizeof self->data, &self->got);
 *         if (self->pt.status != PT_OK)
 *             break;
 *         PT_TRY(&self->write, pt_write_all, .writer = &self->out, .data = self->data,
 *                .size = self->got);
 *     }
 *
 *     PT_FINALLY
 *     pt_io_close(&self->io);
 *
 * An operation tries at once, unless the last one has left nothing to read, or no room: then it
 * first waits for the poller. epoll and kqueue have a descriptor once, for both directions,
 * edge-triggered. So a request over TCP costs one read and one write; over a Unix socket or a pipe
 * it costs one more read, which finds nothing. Each argument of an operation is evaluated again
 * after a wait: PT_DEBUG stops at a side effect.
 *
 * A task that makes 32 operations in a row without a wait yields, so that others run. io->share
 * changes that number for one open descriptor; UINT8_MAX is no limit: then no other task runs while
 * the descriptor has more to read. A reader and a writer (stream.h) have a share of their own.
 *
 * Codes: PT_OK; PT_ECLOSED at the end of the input, when nobody reads the output any more, or when
 * another task has closed the pt_io; PT_EIO or PT_ENOMEM, with the errno in io->error. An operation
 * on a zeroed pt_io that was never opened stops the program with PT_PANIC. One on a
 * pt_io whose opening failed, but whose code was ignored, returns that code: it does not
 * look like the end of the input.
 *
 * Cancel, timeout: the wait ends; earlier reads and writes are not undone. No read or write is in
 * progress then: the buffer belongs to the task again. Only the system goes on with a PT_CONNECT:
 * close that socket. */
#ifndef PT_IO_H
#define PT_IO_H

#include "system.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* A descriptor of a loop. You may read system, fd and error, and write share; only the functions
 * write the rest. While it is open only pt_io_take moves it: a copy of it is not open. It may be
 * freed, or opened again, when it is closed and no task is in an operation on it. */
struct pt_io {
    struct pt_system *system;     /* NULL: closed */
    struct pt_wait_list_ readers; /* tasks that wait until it is readable */
    struct pt_wait_list_ writers; /* tasks that wait until it is writable */
    struct pt_wait_list_ hangups; /* tasks that wait until the other side has gone */
    struct pt_io *beside;         /* the next one that borrows the descriptor */
    int fd;                       /* the descriptor, or -1 */
    int error;                    /* the errno of the last PT_EIO or PT_ENOMEM */
    int held;                     /* of a listener: an accepted descriptor without room, or -1 */
    bool readable, writable;      /* true: try first; false: wait first */
    bool polled;                  /* false: a file, which is always ready */
    bool stream;                  /* TCP: a short read has read all there was */
    bool ended;                   /* the other side has ended: a read finds data or the end */
    bool socket : 1;              /* a socket of any kind */
    bool connecting : 1;          /* a PT_CONNECT has begun and has not ended */
    bool restores : 1;            /* the descriptor was blocking, and its close restores that */
    bool shares : 1;              /* it was non-blocking already when pt_io_open took it over */
    bool borrowed : 1;            /* pt_io_borrow has opened it */
    bool batched : 1;             /* pt_io_batch: the system has bytes */
    bool watched : 1;             /* it is in a pollset's pt_polled_ */
    uint8_t share;  /* operations before the task yields: 32, your number; UINT8_MAX: any */
    uint8_t done;   /* how many of them are done */
    uint8_t opcode; /* how a task suspends: PARK, YIELD or WAIT */
    int8_t refused; /* the code of an opening that failed, else 0 */
};

/* pt_io_open - take over descriptor FD; O(1), a few system calls
 * FD becomes non-blocking, also for copies of it and for other processes and loops that share it (a
 * terminal, for example), until pt_io_close. A program that ends without that leaves it so. PT_OK;
 * PT_EBUSY if another pt_io of the loop has it, PT_EPERM if the loop belongs to a parent process,
 * PT_EIO with io->error, PT_ENOMEM. On an error FD still belongs to the caller, and is as
 * before. */
PT_EXPORT pt_status pt_io_open(struct pt_io *io, struct pt_system *system, int fd);

/* pt_io_close - close the descriptor; tasks that wait for it get PT_ECLOSED; O(waiters)
 * PT_OK, or PT_EIO with io->error: what was written may be lost (a file on a network, a full disk).
 * The descriptor is closed in any case.
 * If it was blocking before pt_io_open, all that share it find it so again; but not before the last
 * pt_io of this loop with a copy of it is closed, and not by a close in a forked process.
 * No effect if it is closed, or zeroed and never opened. A cleanup that closes a pt_io needs one of
 * the two: static storage and PT_SPAWN_NEW are zero; clear any other. */
PT_EXPORT pt_status pt_io_close(struct pt_io *io);

/* pt_io_release - what pt_io_close does, and the descriptor stays open: the result; -1 if closed
 * For a descriptor that belongs to somebody else: standard input, one of another library, one that
 * a child process or another loop gets. One that pt has made (pt_socket, PT_ACCEPT) stays
 * non-blocking and is closed at an exec: clear that for a child. What a pt_reader has read ahead is
 * no longer in it. A connection that a listener has accepted without room for it is closed. */
PT_EXPORT int pt_io_release(struct pt_io *io);

/* pt_io_borrow - wait for descriptor FD, which belongs to somebody else; O(1), two system calls
 * For the descriptor of another library, or one that a pt_io of this loop has already: any number
 * of pt_io can borrow it, and each has its own waits. FD stays as it is, also if it is blocking.
 * The waits are all that a borrowed pt_io has: PT_WAIT_READABLE and so on, and these cases of a
 * select; they tell what is so now. PT_READ and the like stop the program with PT_PANIC.
 *
 * pt_io_close and pt_io_release end the loan, and close nothing. The owner's pt_io_close ends it,
 * too: waits get PT_ECLOSED. Other code must not close FD before the loan ends: then no event
 * comes, and with io_uring the other side does not see the close. PT_OK, or a code as
 * pt_io_open, but not PT_EBUSY. */
PT_EXPORT pt_status pt_io_borrow(struct pt_io *io, struct pt_system *system, int fd);

/* pt_io_take - move a descriptor: the result is open, FROM is then like a closed one; O(1)
 * So one task accepts connections for others:
 *
 *     PT_ACCEPT(&self->listener, &self->peer);
 *     PT_SPAWN_FROM(&pool, connection, .io = pt_io_take(&self->peer));
 *     pt_io_close(&self->peer);            of no effect, unless no task could start
 *
 * The new task has an open io from its first step on, and its PT_FINALLY closes it. If it cannot
 * start, no field was evaluated, and peer stays open; only with storage of your own, in a loop that
 * cannot grow, its frame has the io. Assign the result: if it is dropped, nobody closes the
 * descriptor. The program stops if a task waits for FROM, or if FROM is borrowed. */
PT_MUST_CHECK PT_API struct pt_io pt_io_take(struct pt_io *from);

/* pt_io_shutdown - shut down one or both directions of a socket: SHUT_RD, SHUT_WR or SHUT_RDWR
 * Codes as the operations below; it does not wait. */
PT_EXPORT pt_status pt_io_shutdown(struct pt_io *io, int how);

/* pt_socket - open IO with a new non-blocking socket, as socket(2) makes it; codes as pt_io_open */
PT_EXPORT pt_status pt_socket(struct pt_io *io, struct pt_system *system, int domain, int type,
                              int protocol);

/* pt_listen - open IO with a new socket that listens on ADDRESS (SO_REUSEADDR); codes as pt_io_open
 * PORTS_SHARED: several loops can listen on the same address (SO_REUSEPORT). */
PT_EXPORT pt_status pt_listen(struct pt_io *io, struct pt_system *system,
                              const struct sockaddr *address, socklen_t length, bool ports_shared);

/* PT_READ(&io, data, size, &got) - wait until there is something to read; read SIZE bytes at most
 * *GOT, a size_t, is the number of bytes read; 0 if the code is not PT_OK. A socket with messages
 * gives one message, or as much of it as SIZE: PT_RECVFROM tells whether it was longer. An empty
 * message gives PT_OK and 0 bytes, as a SIZE of 0 does; only those just before the end of a
 * SOCK_SEQPACKET connection are part of the end. */
#define PT_READ(io, data, size, got)                                                  \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(data) PT_IO_ONE_(size) PT_IO_ONE_(got) PT_OK), NULL, \
                 pt_io_read_(pt_current_, pt_, io, data, size, got))

/* PT_WRITE(&io, data, size, &put) - wait for room, write as many of SIZE bytes as fit
 * *PUT is the number written: 0 if the code is not PT_OK, or if SIZE is 0. */
#define PT_WRITE(io, data, size, put)                                \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(size) PT_IO_ONE_(put) PT_OK), data, \
                 pt_io_write_(pt_current_, pt_, io, data, size, put))

/* PT_READV(&io, parts, count, &got), PT_WRITEV(&io, parts, count, &put) - as readv(2), writev(2) */
#define PT_READV(io, parts, count, got)                                \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(count) PT_IO_ONE_(got) PT_OK), parts, \
                 pt_io_readv_(pt_current_, pt_, io, parts, count, got))
#define PT_WRITEV(io, parts, count, put)                               \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(count) PT_IO_ONE_(put) PT_OK), parts, \
                 pt_io_writev_(pt_current_, pt_, io, parts, count, put))

/* PT_ACCEPT(&listener, &peer) - accept a connection; PEER becomes an open pt_io
 * While the system has no descriptor or memory left for it, the task waits and tries again: it does
 * not spin. If only the poller has no room, the listener holds the connection meanwhile; a cancel
 * leaves it there for the next PT_ACCEPT. A connection that is gone before it was accepted is
 * skipped. If the code is not PT_OK, PEER is closed. Before, it may hold anything, but not an open
 * one, which would be lost: PT_DEBUG stops there. */
#define PT_ACCEPT(io, peer)                                                                        \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(peer) PT_IO_CLOSED_(pt_current_->loop, peer, "PT_ACCEPT") PT_OK), \
                 NULL, pt_io_accept_(pt_current_, pt_, io, peer))

/* PT_CONNECT(&io, address, length) - connect a socket that is not connected
 * After a cancel or a timeout the system goes on: each further PT_CONNECT of this pt_io fails with
 * EALREADY. So take a new socket for the next address. */
#define PT_CONNECT(io, address, length)                                                     \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(address) PT_IO_ONE_(length) pt_io_may_connect_(io)), NULL, \
                 pt_io_connect_(pt_current_, pt_, io, address, length))

/* PT_RECVFROM(&io, data, size, &got, &from), PT_SENDTO(&io, data, size, to, length) - a datagram
 * FROM, a struct sockaddr_storage or NULL, gets the sender's address, and zeros behind it. It
 * is all zero, with the family AF_UNSPEC, if the sender has no address or nothing was
 * received. PT_ERANGE: the datagram was longer than SIZE, and the rest is lost. Empty
 * messages and the end: as PT_READ. */
#define PT_RECVFROM(io, data, size, got, from)                                                   \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(data) PT_IO_ONE_(size) PT_IO_ONE_(got) PT_IO_ONE_(from) PT_OK), \
                 NULL, pt_io_recvfrom_(pt_current_, pt_, io, data, size, got, from))
#define PT_SENDTO(io, data, size, to, length)                                          \
    PT_IO_BEGUN_(io, (PT_IO_ONE_(size) PT_IO_ONE_(to) PT_IO_ONE_(length) PT_OK), data, \
                 pt_io_sendto_(pt_current_, pt_, io, data, size, to, length))

/* PT_WAIT_READABLE(&io), PT_WAIT_WRITABLE(&io) - wait until it is readable, writable
 * For code that calls the system itself, such as another library, and for a task that cannot afford
 * a buffer while there is nothing to read. Costs one or two calls of poll(2). */
#define PT_WAIT_READABLE(io) PT_IO_(io, pt_io_ready_(pt_current_, pt_, io, false))
#define PT_WAIT_WRITABLE(io) PT_IO_(io, pt_io_ready_(pt_current_, pt_, io, true))

/* PT_WAIT_HANGUP(&io) - wait until the other side has gone: for a server with nothing to send yet
 * It reads nothing: bytes that came before the hang-up neither hide it nor cause it, and can still
 * be read. A hang-up stays true. Costs one or two calls of poll(2).
 *
 * A connection: the other side has closed or reset it, or has only shut down its writing side,
 * because TCP reports both in the same way. So a client that shuts down its writing side and still
 * reads counts as gone. A server with such clients writes instead, and gets PT_ECLOSED or PT_EIO
 * when the client has gone. The writing end of a pipe: nobody reads any more.
 *
 * A stream socket that was never connected is hung up from the start, and a socket of any kind once
 * this side has shut down its reading. Otherwise a socket of datagrams or a file never is. An error
 * of a socket is not a hang-up: a refused datagram, a message in its error queue. On systems other
 * than Linux, FreeBSD and macOS, where poll(2) does not report the end of the other side, unread
 * bytes hide a hang-up. */
#define PT_WAIT_HANGUP(io) PT_IO_(io, pt_io_hangup_(pt_current_, pt_, io))

/* PT_CASE_READABLE(&io), PT_CASE_WRITABLE(&io), PT_CASE_HANGUP(&io) - these waits, in a select */
#define PT_CASE_READABLE(io) pt_case_io_(PT_CASE_TASK_, io, false)
#define PT_CASE_WRITABLE(io) pt_case_io_(PT_CASE_TASK_, io, true)
#define PT_CASE_HANGUP(io) pt_case_hangup_(PT_CASE_TASK_, io)

/* --- implementation ------------------------------------------------------------------------ */

/* PT_DEBUG: before a start zeroes a frame, stop if a pt_io in it is open (run/overwritten.h). */
PT_EXPORT bool pt_io_is_open_within_(const struct pt_loop *loop, uintptr_t start, size_t size);
#if PT_DEBUG
PT_API void pt_io_check_overwritten_(const struct pt_loop *loop, uintptr_t frame, size_t size,
                                     const char *where, unsigned line)
{
    pt_check_overwritten_(loop, frame, size, where, line);
    if (loop && pt_io_is_open_within_(loop, frame, size))
        PT_PANIC("a pt_io in its frame is open, and would become zero: close it first, or put "
                 "PT_KEEP behind the name",
                 where, line);
}
#define pt_check_overwritten_ pt_io_check_overwritten_
#endif

/* PT_DEBUG: stop if IO, which the operation NAME is about to open, is open. */
#define PT_IO_CLOSED_(loop, io, name) \
    PT_IF_(PT_DEBUG, pt_io_check_closed_(loop, (uintptr_t)(io), name), )
PT_API void pt_io_check_closed_(const struct pt_loop *loop, uintptr_t io, const char *name)
{
    if (loop && pt_io_is_open_within_(loop, io, 1))
        PT_PANIC("the pt_io is open, and its descriptor would be lost: close it first", name, 0);
}

PT_EXPORT void pt_io_take_(struct pt_io *to, struct pt_io *from);
PT_MUST_CHECK PT_API struct pt_io pt_io_take(struct pt_io *from)
{
    struct pt_io taken;

    pt_io_take_(&taken, from);
    return taken;
}

/* Call ATTEMPT; while it returns true, suspend and call it again. The next attempt needs DATA: what
 * it writes, or the parts. A read fills its buffer after the last suspension: it may be a local. */
#define PT_IO_(io, attempt) PT_IO_BEGUN_(io, PT_OK, NULL, attempt)

/* As PT_IO_, unless BEGIN is another code than PT_OK. PT_IO_ONE_ stands before: PT_DEBUG stops if
 * an argument is another one at each attempt. */
#define PT_IO_ONE_(argument) PT_CHECK_ONE_(argument, "an operation of a pt_io")
#define PT_IO_BEGUN_(io, begin, data, attempt)                                       \
    do {                                                                             \
        PT_IO_ONE_(io) PT_IO_ONE_(data) PT_IN_BODY_;                                 \
        for (pt_->status = (pt_status)(begin); pt_->status == PT_OK && (attempt);) { \
            PT_NOT_LOCAL_(data, "the data of the operation")                         \
            PT_SUSPEND_((io)->opcode);                                               \
        }                                                                            \
    } while (0)

/* One attempt of an operation: true if the task must suspend and the macro must then try again. */
PT_EXPORT bool pt_io_read_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data,
                           size_t size, size_t *got);
PT_EXPORT bool pt_io_write_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                            const void *data, size_t size, size_t *put);
PT_EXPORT bool pt_io_readv_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                            const struct iovec *parts, int count, size_t *got);
PT_EXPORT bool pt_io_writev_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                             const struct iovec *parts, int count, size_t *put);
PT_EXPORT bool pt_io_accept_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                             struct pt_io *peer);
PT_EXPORT pt_status pt_io_may_connect_(struct pt_io *io);
PT_EXPORT bool pt_io_connect_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                              const struct sockaddr *address, socklen_t length);
PT_EXPORT bool pt_io_recvfrom_(struct pt_task *task, struct pt *frame, struct pt_io *io, void *data,
                               size_t size, size_t *got, struct sockaddr_storage *from);
PT_EXPORT bool pt_io_sendto_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                             const void *data, size_t size, const struct sockaddr *to,
                             socklen_t length);
PT_EXPORT bool pt_io_ready_(struct pt_task *task, struct pt *frame, struct pt_io *io,
                            bool writable);
PT_EXPORT bool pt_io_hangup_(struct pt_task *task, struct pt *frame, struct pt_io *io);
PT_EXPORT void pt_case_io_(struct pt_task *task, struct pt_io *io, bool writable);
PT_EXPORT void pt_case_hangup_(struct pt_task *task, struct pt_io *io);

#endif
