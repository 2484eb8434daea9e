/* pollset.h - the descriptors and the time that a library waits for: c-ares, libcurl, hiredis
 * SPDX-License-Identifier: MIT
 *
 * Such a library makes its descriptors itself. By callbacks it says which of them it wants to read
 * or to write, and when it must be called at the latest. A pollset keeps that, and a task waits:
 *
 *     static void want(void *user, int fd, int readable, int writable)      as c-ares calls it
 *     {
 *         pt_pollset_set((struct pt_pollset *)user, fd,
 *                        (readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
 *     }
 *
 *     for (;;) {
 *         PT_WAIT_COMPLETE(&self->next, pt_pollset_wait, .set = &self->set);
 *         if (self->pt.status != PT_OK)
 *             break;
 *         library_process(self->library, self->next.fd, self->next.events);
 *     }
 *
 *     PT_FINALLY
 *     library_free(self->library);         it calls back, so the set is still open
 *     pt_pollset_close(&self->set);
 *
 * The descriptors are borrowed (pt_io_borrow): they stay as they are, and others can wait for them,
 * too. As with poll(2), a descriptor is reported as long as it is ready: the library need not read
 * all there is. Each time the loop asks its poller, each that is ready is reported once, and so is
 * the time if it has come; they take turns. After 32 reports without a wait, the task yields.
 *
 * A wait is O(1), and a report costs no system call beside that of the loop. Only if a pt_io has
 * the descriptor, too, epoll is told after each report to look again. By poll(2) the set checks a
 * report that the task has let wait until the poller was asked again, and what io_uring has noted
 * before its wait. */
#ifndef PT_POLLSET_H
#define PT_POLLSET_H

#include "io.h"

#include <poll.h>

/* A ring of descriptors, with the set at its head. */
struct pt_links_ {
    struct pt_links_ *next, *before;
};

/* A set of descriptors and a time. You may read error; only the functions write. It must not
 * move while it is open. */
struct pt_pollset {
    struct pt_system *system; /* NULL: closed */
    struct pt_links_ ready;   /* the descriptors to report, in this order */
    struct pt_links_ others;  /* those of which the poller has reported nothing since */
    struct pt_event changed;  /* something is ready, or is wanted: look again */
    pt_time deadline;         /* if timed */
    unsigned looks;           /* how often the poller was asked before the time was reported */
    bool timed;               /* there is a time */
    bool told_time;           /* the time was reported after the last descriptor */
    uint8_t done;             /* how many reports without a wait */
    int error;                /* the errno of the last PT_EIO or PT_ENOMEM */
};

/* pt_pollset_open - make an empty set; O(1) */
PT_EXPORT void pt_pollset_open(struct pt_pollset *set, struct pt_system *system);

/* pt_pollset_close - forget all; tasks that wait get PT_ECLOSED; no effect if closed, or zeroed
 * A library calls back while it is freed, so free it before: pt_pollset_set and pt_pollset_after of
 * a set that is not open stop the program with PT_PANIC. */
PT_EXPORT void pt_pollset_close(struct pt_pollset *set);

/* pt_pollset_set - from now on wait for EVENTS of FD: POLLIN, POLLOUT or both; 0: forget FD
 * In the loop's thread, while a task waits, too. Forget FD before it is closed: otherwise no event
 * tells of the close. A new file that gets the number is seen if it is set again. PT_OK; PT_ENOMEM,
 * PT_EIO with set->error, EBADF for example, or PT_EPERM if the loop belongs to a parent process:
 * then FD is not in the set. O(1), and one system call or two, also if nothing changes: so do not
 * repeat it for each query. */
PT_EXPORT pt_status pt_pollset_set(struct pt_pollset *set, int fd, int events);

/* pt_pollset_after - report the time once, DELAY from now, instead of what was said before
 * 0: in this turn, if the poller was asked since the last report of the time.
 * PT_DELAY_NEVER: no time. In the loop's thread, while a task waits, too. O(1) */
PT_EXPORT void pt_pollset_after(struct pt_pollset *set, pt_time delay);

/* pt_pollset_wait - the frame of a wait, until a descriptor is ready or the time has come
 * FD and EVENTS say what to tell the library. Cancel, timeout: the wait ends; nothing is lost. */
struct pt_pollset_wait {
    struct pt pt;
    struct pt_pollset *set; /* the caller sets this; the function writes the rest */
    int fd;                 /* the descriptor; -1: the time */
    int events;             /* POLLIN, POLLOUT; POLLERR, POLLHUP, POLLNVAL as by poll(2), but kqueue
                             * reports an end as POLLIN, and as POLLHUP only with POLLOUT */
    PT_SELECTION(2) next;
};

PT_EXPORT PT_DECLARE(pt_pollset_wait);

#endif
