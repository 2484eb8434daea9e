/* poller.h - what every back end has: which descriptors can be read or written
 * SPDX-License-Identifier: MIT
 *
 * A descriptor is added once and stays until it is removed. The back end tells of each that became
 * readable or writable since it told last, or more often; never of one that was removed. */
#ifndef PT_LIB_POLLER_H
#define PT_LIB_POLLER_H

#include <pt/host/io.h>

#include <poll.h>

/* Which directions an event is about; whether the other side has ended, which is told only once; whether
 * there is urgent data. */
enum { PT_READABLE_ = 1, PT_WRITABLE_ = 2, PT_HANGUP_ = 4, PT_URGENT_ = 8 };

struct pt_poller {
    const char *name;

    /* Make system->state; false with errno. */
    bool (*open)(struct pt_system *system);
    void (*close)(struct pt_system *system);

    /* Begin with the descriptor, of this generation. 0; EPERM for one that is always ready; or another
     * errno. */
    int (*add)(struct pt_system *system, int fd, unsigned generation);

    /* End with it; it is still open. */
    void (*remove)(struct pt_system *system, int fd);

    /* Wait until something happens, or for TIMEOUT nanoseconds, at most a day, rounded up; below 0: for
     * ever. Each event goes to pt_system_notice_. A signal ends the wait. How many there were. */
    int (*wait)(struct pt_system *system, int64_t timeout);
};

extern const struct pt_poller pt_poller_epoll_, pt_poller_io_uring_, pt_poller_kqueue_,
    pt_poller_poll_;

/* What a descriptor is. A read stops short only of a TCP connection for want of bytes alone: a Unix socket
 * stops behind a descriptor that was passed and between two writers, and a pipe behind each packet of
 * O_DIRECT, which its writer may switch on at any time. */
enum { PT_IO_OTHER_, PT_IO_FILE_, PT_IO_TCP_, PT_IO_SOCKET_ };

/* descriptor.c: take over one that is non-blocking; what ERROR of the system comes to. */
pt_status pt_io_adopt_(struct pt_io *io, struct pt_system *system, int fd, int kind);
pt_status pt_io_fail_(struct pt_io *io, int error);

/* What poll(2) is asked for to tell that the other side has shut its writing side. macOS tells it as POLLHUP,
 * other systems only by a read. */
#if defined(POLLRDHUP) && !defined(PT_PLAIN_UNIX)
#define PT_POLLRDHUP_ POLLRDHUP
#else
#define PT_POLLRDHUP_ 0
#endif

/* Count an operation that may not have to wait: whether the others are to run before it. */
static inline bool pt_io_share_is_over_(struct pt_io *io)
{
    if (io->done && io->done >= io->share)
        return true;
    io->done++;
    return false;
}

/* connection.c: whether the other side has gone. */
bool pt_io_gone_(struct pt_io *io);

/* Whether the process has forked since the system was opened: then this is the child. */
bool pt_system_forked_(const struct pt_system *system);

/* Something is said of a descriptor, of this generation: wake who waits for that. */
void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, unsigned directions);

#endif
