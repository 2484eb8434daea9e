/* io.h - descriptors that a task can wait for: sockets, pipes, terminals, files
 * SPDX-License-Identifier: MIT
 *
 *     struct echo { struct pt pt; struct pt_io io; size_t got; char data[64]; };
 *
 *     for (;;) {
 *         PT_READ(&self->io, self->data, sizeof self->data, &self->got);
 *         if (self->pt.status != PT_OK)
 *             break;
 *         PT_TRY(&self->write, pt_write_all, .io = &self->io, .data = self->data, .size = self->got);
 *     }
 *
 *     PT_FINALLY
 *     pt_io_close(&self->io);
 *
 * Every operation tries first, and waits only where the system would have to. A descriptor is
 * registered once, for both directions, edge-triggered: so a request over TCP costs one read and one write;
 * over a Unix socket or a pipe it costs a read more, which finds that there is no more.
 * After PT_IO_BUDGET operations that did not have to wait a task lets the others run, and after so many
 * lines (stream.h) that had been read before; io->share sets another number for a descriptor, once it is
 * open. A server that passes each line on to others sets it to less than they can store.
 *
 * Codes: PT_OK; PT_ECLOSED at the end of what there is to read, where nobody reads any more, or when
 * another task has closed the pt_io; PT_EIO, and the system's number in io->error.
 *
 * Cancel, timeout: the task leaves; what was read or written before stays so. Nothing is under way
 * then: the buffer is the task's again. */
#ifndef PT_IO_H
#define PT_IO_H

#include "system.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Operations without a wait before a task yields. */
#ifndef PT_IO_BUDGET
#define PT_IO_BUDGET 32
#endif

/* A descriptor of a loop. Read fd and error, write share; the rest is written by the functions. It must not
 * move while it is open; it may be freed, or opened again, when no task is in an operation on it any more. */
struct pt_io {
    struct pt_system *system;     /* NULL: it is closed */
    struct pt_wait_list_ readers; /* tasks that wait until it is readable */
    struct pt_wait_list_ writers; /* or writable */
    struct pt_wait_list_ hangups; /* or the other side has gone */
    int fd;                       /* the descriptor, or -1 */
    int error;                    /* the errno of the last PT_EIO */
    bool readable, writable;      /* whether to try, or to wait at once */
    bool polled;                  /* false: a file, which is always ready */
    bool socket;                  /* a socket */
    bool stream;                  /* TCP: less than was asked for is all there was */
    bool ended;     /* the other side has: there is something to read, if only the end */
    uint8_t share;  /* operations before others run: PT_IO_BUDGET, or as you set it */
    uint8_t done;   /* how many have been done of them */
    uint8_t opcode; /* how the task rests that has to suspend: an opcode */
};

#ifdef __cplusplus
extern "C" {
#endif

/* pt_io_open - take over descriptor FD; O(1), a few system calls
 * It becomes non-blocking, for all who share it: a terminal, say. PT_OK; PT_EBUSY if another pt_io of the
 * loop has it, PT_EPERM if the loop is that of a parent process, PT_EIO with io->error, PT_ENOMEM: then FD
 * is still the caller's. */
PT_EXPORT pt_status pt_io_open(struct pt_io *io, struct pt_system *system, int fd);

/* pt_io_close - close the descriptor; who waits for it gets PT_ECLOSED; O(waiters)
 * Without effect if it is closed. */
PT_EXPORT void pt_io_close(struct pt_io *io);

/* pt_io_move - TO becomes what FROM is, which is as closed then; nobody may be in an operation on it
 * So that one task accepts and another one has the connection. */
PT_EXPORT void pt_io_move(struct pt_io *to, struct pt_io *from);

/* pt_io_shutdown - close one direction of a socket: SHUT_RD, SHUT_WR or SHUT_RDWR */
PT_EXPORT pt_status pt_io_shutdown(struct pt_io *io, int how);

/* pt_socket - a non-blocking socket, as of socket(2), taken over by IO; codes as of pt_io_open */
PT_EXPORT pt_status pt_socket(struct pt_io *io, struct pt_system *system, int domain, int type,
                              int protocol);

/* pt_listen - a socket that is bound to ADDRESS and listens, its address reusable at once
 * PORTS_SHARED: several loops may have one on the same address (SO_REUSEPORT). */
PT_EXPORT pt_status pt_listen(struct pt_io *io, struct pt_system *system,
                              const struct sockaddr *address, socklen_t length, bool ports_shared);

/* What the macros ask, again and again: whether the task has to suspend. */
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

#ifdef __cplusplus
}
#endif

/* PT_READ(&io, data, size, &got) - read what is there, at least one byte, at most SIZE
 * *GOT, a size_t, is how many came. */
#define PT_READ(io, data, size, got) PT_IO_(io, pt_io_read_(pt_current_, pt_, io, data, size, got))

/* PT_WRITE(&io, data, size, &put) - write at least one byte of SIZE; *PUT is how many went */
#define PT_WRITE(io, data, size, put) \
    PT_IO_(io, pt_io_write_(pt_current_, pt_, io, data, size, put))

/* PT_READV(&io, parts, count, &got), PT_WRITEV(&io, parts, count, &put) - as readv(2), writev(2) */
#define PT_READV(io, parts, count, got) \
    PT_IO_(io, pt_io_readv_(pt_current_, pt_, io, parts, count, got))
#define PT_WRITEV(io, parts, count, put) \
    PT_IO_(io, pt_io_writev_(pt_current_, pt_, io, parts, count, put))

/* PT_ACCEPT(&listener, &peer) - a connection that was made, as an open pt_io
 * While the system has no descriptor or memory left for it, it waits and tries again: it does not
 * spin. A connection that is gone before it was accepted is passed over. */
#define PT_ACCEPT(io, peer) PT_IO_(io, pt_io_accept_(pt_current_, pt_, io, peer))

/* PT_CONNECT(&io, address, length) - connect a socket that is not connected */
#define PT_CONNECT(io, address, length) \
    PT_IO_(io, pt_io_connect_(pt_current_, pt_, io, address, length))

/* PT_RECVFROM(&io, data, size, &got, &from), PT_SENDTO(&io, data, size, to, length) - a datagram
 * PT_ERANGE: it was longer than SIZE, and the rest of it is lost. One that is empty is no end. */
#define PT_RECVFROM(io, data, size, got, from) \
    PT_IO_(io, pt_io_recvfrom_(pt_current_, pt_, io, data, size, got, from))
#define PT_SENDTO(io, data, size, to, length) \
    PT_IO_(io, pt_io_sendto_(pt_current_, pt_, io, data, size, to, length))

/* PT_WAIT_READABLE(&io), PT_WAIT_WRITABLE(&io) - until it is, for those who call the system
 * themselves: another library, say; or for whom a buffer is too much while there is nothing to read.
 * Costs poll(2), once or twice. */
#define PT_WAIT_READABLE(io) PT_IO_(io, pt_io_ready_(pt_current_, pt_, io, false))
#define PT_WAIT_WRITABLE(io) PT_IO_(io, pt_io_ready_(pt_current_, pt_, io, true))

/* PT_WAIT_HANGUP(&io) - until the other side has gone: for a server that has nothing to say yet
 * Nothing is read: what came before the hang-up neither hides it nor causes it, and can still be read. It
 * is a hang-up when the other side has closed or reset the connection, and also when it has only shut its
 * writing side, because TCP says the same of both. A client that shuts its writing side and reads on is
 * thus told as gone: a server that has such clients writes, and sees by PT_ECLOSED or PT_EIO. Of a pipe's
 * writing end it is that nobody reads any more. It stays true. A socket that was never connected has
 * nobody at its other side, so it is true at once; of a file, which has no other side, it never is. Costs
 * poll(2), once or twice. Where poll(2) has no POLLRDHUP (not Linux, FreeBSD, macOS), bytes that were not
 * read hide a hang-up. */
#define PT_WAIT_HANGUP(io) PT_IO_(io, pt_io_hangup_(pt_current_, pt_, io))

/* PT_CASE_READABLE(&io), PT_CASE_WRITABLE(&io), PT_CASE_HANGUP(&io) - of a select: the same */
#define PT_CASE_READABLE(io) pt_case_io_(pt_current_, io, false)
#define PT_CASE_WRITABLE(io) pt_case_io_(pt_current_, io, true)
#define PT_CASE_HANGUP(io) pt_case_hangup_(pt_current_, io)

/* ATTEMPT says whether to suspend, and try again. */
#define PT_IO_(io, attempt)                                           \
    do {                                                              \
        for (pt_->status = PT_OK; pt_->status == PT_OK && (attempt);) \
            PT_SUSPEND_((io)->opcode);                                \
    } while (0)

#endif
