/* poller.h - the interface of the pollers, which report the descriptors that can be read or written
 * SPDX-License-Identifier: MIT
 *
 * A descriptor is added once and stays until it is removed. The poller reports each descriptor that
 * became readable or writable since its last report. It may report more often, but never a
 * descriptor that was removed. */
#ifndef PT_LIB_POLLER_H
#define PT_LIB_POLLER_H

#include <pt/host/io.h>

#include <poll.h>

/* What an event reports: a direction; that the other side has ended, which is reported only once;
 * urgent data. */
enum { PT_READABLE_ = 1, PT_WRITABLE_ = 2, PT_HANGUP_ = 4, PT_URGENT_ = 8 };

struct pt_poller {
    const char *name;

    /* Make system->state; false with errno. */
    bool (*open)(struct pt_system *system);
    void (*close)(struct pt_system *system);

    /* Add a descriptor of this generation; wakeup[0] is only watched for reading. Returns 0; EPERM
     * if the descriptor is always ready; or another errno. */
    int (*add)(struct pt_system *system, int fd, unsigned generation);

    /* Remove a descriptor, which is still open. */
    void (*remove)(struct pt_system *system, int fd);

    /* Wait until something happens, or for TIMEOUT nanoseconds, rounded up; it is at most a day.
     * Below 0: wait forever. Each event goes to pt_system_notice_. A signal ends the wait. Returns
     * the number of events. */
    int (*wait)(struct pt_system *system, int64_t timeout);
};

extern const struct pt_poller pt_poller_epoll_, pt_poller_io_uring_, pt_poller_kqueue_,
    pt_poller_poll_;

/* The kind of a descriptor. For TCP, and for nothing else, a short read means that there are no
 * more bytes. A read of a Unix socket also stops after a descriptor that was sent, and between two
 * writers. A read of a pipe stops after each packet of O_DIRECT, which the writer can switch on at
 * any time. */
enum { PT_IO_OTHER_, PT_IO_FILE_, PT_IO_TCP_, PT_IO_SOCKET_ };

/* descriptor.c: make IO a closed one; open it with a non-blocking descriptor; the code for ERROR, an
 * errno. */
void pt_io_clear_(struct pt_io *io);
pt_status pt_io_adopt_(struct pt_io *io, struct pt_system *system, int fd, int kind);
pt_status pt_io_fail_(struct pt_io *io, int error);

/* PT_ECLOSED, for the operation NAME on a closed IO, or the code with which its opening failed. If
 * it was never opened, stop the program: that must not look like the end of the input. */
pt_status pt_io_closed_(const struct pt_io *io, const char *name);

/* The event of poll(2) that reports that the other side has shut down its writing side. macOS
 * reports it as POLLHUP; on other systems only a read finds it. */
#if defined(POLLRDHUP) && !defined(PT_PLAIN_UNIX)
#define PT_POLLRDHUP_ POLLRDHUP
#else
#define PT_POLLRDHUP_ 0
#endif

/* Count an operation: true if the share is used up, and other tasks must run before it. */
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

/* The system on which a loop runs, or NULL. */
struct pt_system *pt_system_of_(const struct pt_loop *loop);

/* An event of a descriptor of this generation: wake the tasks that wait for it. */
void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, unsigned directions);

#endif
