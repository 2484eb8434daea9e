/* poller.h - the interface of the pollers, which report the descriptors that can be read or written
 * SPDX-License-Identifier: MIT
 *
 * A descriptor is added once and stays until it is removed. The poller reports each descriptor that
 * became readable or writable since its last report. It may report more often, but never a
 * descriptor that was removed. */
#ifndef PT_LIB_POLLER_H
#define PT_LIB_POLLER_H

#include <pt/host/pollset.h>

/* What an event reports: a direction; that the other side has ended, which is reported only once;
 * urgent data. For a pollset: an error or a hang-up. */
enum { PT_READABLE_ = 1, PT_WRITABLE_ = 2, PT_HANGUP_ = 4, PT_URGENT_ = 8, PT_ERROR_ = 16 };

/* Only pollsets have the descriptor: they want these directions, and as long as they are ready. */
enum { PT_WATCHED_ = 32 };

/* The event of poll(2) by which the pollers report the end of the other side alone. */
#ifdef POLLRDHUP
#define PT_ENDED_ POLLRDHUP
#else
#define PT_ENDED_ POLLHUP
#endif

struct pt_poller {
    const char *name;

    /* Make system->state; false with errno. */
    bool (*open)(struct pt_system *system);
    void (*close)(struct pt_system *system);

    /* Add a descriptor of this generation; wakeup[0] is only watched for reading. LEVEL is that of
     * its slot, or 0: report each change of all directions. Returns 0; EPERM if the descriptor is
     * always ready; or another errno. One that was added may be closed by now, and its number
     * another file's, which is then added in its place. If it is the same file, the generation is
     * the new one, and the result 0; or all stays as it was, and that is EEXIST. */
    int (*add)(struct pt_system *system, int fd, unsigned generation, unsigned level);

    /* The next wait reports a descriptor if it is ready in a direction that its slot lacks, also
     * if it was reported before. NULL: each wait does. */
    void (*again)(struct pt_system *system, int fd);

    /* Remove a descriptor, which is still open. CLOSES: its close comes next. */
    void (*remove)(struct pt_system *system, int fd, bool closes);

    /* Wait until something happens, or for TIMEOUT nanoseconds, rounded up; it is at most a day.
     * Below 0: wait forever. Each event goes to pt_system_notice_. A signal ends the wait. Returns
     * the number of events. */
    int (*wait)(struct pt_system *system, int64_t timeout);

    /* A descriptor that is readable while a wait would report something; NULL: there is none. The
     * kernel does not wake a thread that waits for a ring of io_uring: its events are work that is
     * done when the loop's thread asks for them. */
    int (*descriptor)(const struct pt_system *system);

    /* How the bytes of connections go by the poller, too; NULL: they do not. */
    const struct pt_batching_ *batching;
};

/* What the operations on a connection call, whose pt_io is `batched`. */
struct pt_batching_ {
    /* Begin; false: it cannot be. End: what was not read, and not sent, is lost. */
    bool (*begin)(struct pt_io *io);
    void (*end)(struct pt_io *io);

    /* Whether it is ready in a direction; below 0: as poll(2) tells. */
    int (*knows)(const struct pt_io *io, bool writable);

    /* A task waits until it is ready in a direction, or has found that it is not. */
    void (*want)(struct pt_io *io, bool writable);

    /* As readv(2) and writev(2). What is written goes out in the next wait. */
    ssize_t (*read)(struct pt_io *io, const struct iovec *parts, int count);
    ssize_t (*write)(struct pt_io *io, const struct iovec *parts, int count);

    /* Send what was written, as far as the socket has room now; false, with EAGAIN: something is
     * left. Shut: if so, shut down the writing side when it is sent. Lingers: if so, and this is
     * the first such question. */
    bool (*flush)(struct pt_io *io);
    bool (*shut)(struct pt_io *io);
    bool (*lingers)(struct pt_io *io);
};

extern const struct pt_poller pt_poller_epoll_, pt_poller_io_uring_, pt_poller_kqueue_,
    pt_poller_poll_;

/* notice.c: what a slot has after pt_io_take, until the next operation: for a file, and for what a
 * poller knows. They ask for no event. Nothing writes to them: all threads share them. */
extern struct pt_io pt_stand_ins_[2];
bool pt_slot_is_left_(const struct pt_slot_ *slot);

/* The first pt_io of a slot, and the one after IO: the owner or its stand-in, then those that
 * borrow it. */
static inline struct pt_io *pt_slot_first_(const struct pt_slot_ *slot)
{
    return slot->io ? slot->io : slot->borrowers;
}

static inline struct pt_io *pt_slot_after_(const struct pt_slot_ *slot, const struct pt_io *io)
{
    return io == slot->io ? slot->borrowers : io->beside;
}

/* Whether the poller has the slot's descriptor. */
static inline bool pt_slot_is_polled_(const struct pt_slot_ *slot)
{
    return pt_slot_first_(slot) && pt_slot_first_(slot)->polled;
}

/* notice.c: whether IO is a pt_io of the slot. */
bool pt_slot_has_(const struct pt_slot_ *slot, const struct pt_io *io);

/* notice.c: the directions that are not marked as ready in every pt_io of the slot, and
 * PT_HANGUP_ if a task waits for one. */
unsigned pt_slot_lacks_(const struct pt_slot_ *slot);

/* notice.c: what the slot lacks, and PT_WATCHED_, if only pollsets have the descriptor; else 0.
 * JOINS is a pt_io that it will have, or NULL. */
unsigned pt_slot_level_(const struct pt_slot_ *slot, const struct pt_io *joins);

/* notice.c: EVENTS of poll(2), of a descriptor of this generation. Wake the tasks that wait. */
void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, int events);

/* --- the descriptors of a pollset ------------------------------------------------------------ */

/* A descriptor of a pollset. It is in one of the two lists of the set. */
struct pt_polled_ {
    struct pt_io io; /* the first member */
    struct pt_links_ links;
    struct pt_pollset *set;
    int fd;
    int wanted;     /* events of poll(2) */
    int told;       /* those that were reported and not taken; 0: in set->others */
    unsigned heard; /* system->looks of the report */
};

/* The one that IO is in, or NULL. */
static inline struct pt_polled_ *pt_polled_of_(const struct pt_io *io)
{
    return io->watched ? (struct pt_polled_ *)(void *)io : NULL;
}

/* notice.c: move it to the end of a list. */
void pt_polled_move_(struct pt_polled_ *it, struct pt_links_ *list);

/* notice.c: these events are there. Whether one of them is wanted, and none was there before. */
bool pt_polled_tell_(struct pt_polled_ *it, int events);

#endif
