/* poller.h - the interface of the pollers, which report the descriptors that can be read or written
 * SPDX-License-Identifier: MIT
 *
 * A descriptor is added once and stays until it is removed. The poller reports each descriptor that
 * became readable or writable since its last report. It may report more often, but never a
 * descriptor that was removed. */
#ifndef PT_LIB_POLLER_H
#define PT_LIB_POLLER_H

#include <pt/host/io.h>

/* What an event reports: a direction; that the other side has ended, which is reported only once;
 * urgent data. */
enum { PT_READABLE_ = 1, PT_WRITABLE_ = 2, PT_HANGUP_ = 4, PT_URGENT_ = 8 };

struct pt_poller {
    const char *name;

    /* Make system->state; false with errno. */
    bool (*open)(struct pt_system *system);
    void (*close)(struct pt_system *system);

    /* Add a descriptor of this generation; wakeup[0] is only watched for reading. Returns 0; EPERM
     * if the descriptor is always ready; or another errno. One that was added may be closed by now,
     * and its number another file's, which is then added in its place. If it is the same file, the
     * generation is the new one, and the result 0; or all stays as it was, and that is EEXIST. */
    int (*add)(struct pt_system *system, int fd, unsigned generation);

    /* Remove a descriptor, which is still open. */
    void (*remove)(struct pt_system *system, int fd);

    /* Wait until something happens, or for TIMEOUT nanoseconds, rounded up; it is at most a day.
     * Below 0: wait forever. Each event goes to pt_system_notice_. A signal ends the wait. Returns
     * the number of events. */
    int (*wait)(struct pt_system *system, int64_t timeout);

    /* A descriptor that is readable while a wait would report something; NULL: there is none. The
     * kernel does not wake a thread that waits for a ring of io_uring: its events are work that is
     * done when the loop's thread asks for them. */
    int (*descriptor)(const struct pt_system *system);
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

/* notice.c: whether IO is a pt_io of the slot. */
bool pt_slot_has_(const struct pt_slot_ *slot, const struct pt_io *io);

/* notice.c: the directions that are not marked as ready in every pt_io of the slot, and
 * PT_HANGUP_ if a task waits for one. */
unsigned pt_slot_lacks_(const struct pt_slot_ *slot);

/* notice.c: an event of a descriptor of this generation. Wake the tasks that wait for it. */
void pt_system_notice_(struct pt_system *system, int fd, unsigned generation, unsigned directions);

#endif
