/* system.h - a loop that sleeps in the system's poller: descriptors, timers and posts wake it
 * SPDX-License-Identifier: MIT
 *
 *     pt_system_open(&sys, &loop, NULL);
 *     PT_START(&loop, &server, serve, .system = &sys);
 *     pt_loop_run(&loop);
 *     pt_system_close(&sys);
 *
 * This is the port for input and output; io.h has the operations. Ready tasks, timers and
 * descriptors share the loop's turns: while tasks are ready, the loop asks the poller every 50
 * microseconds, or after a turn that takes longer, without waiting.
 *
 * pt_loop_run returns PT_OK when no task is alive. It does not return PT_EDEADLK: signals, threads
 * and descriptors can wake a task at any time, so with tasks that wait it sleeps. */
#ifndef PT_SYSTEM_H
#define PT_SYSTEM_H

#include "default_loop.h"

/* The functions of libpt use these features too; the default loop does not need them. */
PT_STATIC_ASSERT((PT_AWAIT && PT_CLEANUP && PT_JOINS && PT_TIMEOUTS && PT_GROUPS && PT_PAUSE &&
                  PT_SYNC && PT_CHANNELS && PT_SELECTS && PT_REMOTE),
                 "libpt is built with the default knobs of config.h, all features: it needs them");

struct pt_batched_;
struct pt_io;
struct pt_poller;

/* The owner of a descriptor, and those that borrow it. */
struct pt_slot_ {
    struct pt_io *io;            /* or NULL; a stand-in while it is on its way: pt_io_take */
    struct pt_io *borrowers;     /* the last one, or NULL; pt_io_borrow */
    struct pt_batched_ *batched; /* the owner's bytes, if they go by a ring: pt_io_batch; or NULL */
    unsigned generation; /* counts the owners, so that events of an earlier one are ignored */
    uint8_t missed;      /* the events while it was on its way */
    uint8_t level;       /* what the poller tells pollsets as long as it is ready */
};

/* What runs at a signal, beside all others of that signal: lib/handlers.h. */
struct pt_handler_ {
    void (*run)(struct pt_handler_ *self);
    struct pt_handler_ *next; /* of the same signal; atomic */
    int number;               /* or 0: none */
};

/* Of a system whose tasks a signal prints: pt_dump_on_signal. */
struct pt_system;
struct pt_printed_ {
    struct pt_remote remote;
    struct pt_handler_ handler;              /* posts */
    void (*stop)(struct pt_system *printed); /* before the system is closed; or NULL */
};

/* The port and its poller. Only the functions write its fields; it must not move. */
struct pt_system {
    struct pt_port port;            /* the port of the loop */
    struct pt_loop *loop;           /* the loop that runs on it */
    const struct pt_poller *poller; /* the poller in use */
    void *state;                    /* the poller's own data */
    struct pt_slot_ *places;        /* indexed by descriptor */
    unsigned count;                 /* the number of places */
    unsigned forks;                 /* the process's count of forks at the opening */
    unsigned sharing;               /* the number of open pt_io with `shares` */
    unsigned lingering;             /* the number of tasks that send what a close has left */
    unsigned refused;               /* how often an accept found no room for a connection */
    int wakeup[2];                  /* a write to [1] ends a sleep; the loop reads [0] */
    unsigned waking;                /* the number of threads that write to it now; atomic */
    bool closed;                    /* no thread writes to it any more; atomic */
    bool asked;                     /* the poller was asked after the last reading of the clock */
    pt_time asked_at;               /* the first reading after that */
    unsigned looks;                 /* how often the poller was asked */
    pt_time slack;                  /* how late timers may be: pt_system_slack */
    pt_time spin;                   /* the longest spin before a sleep: pt_system_spin */
    pt_time patience;               /* the spin before the next sleep */
    struct pt_observer guest;       /* between dispatches: a task has become ready */
    struct pt_printed_ dump;
};

/* In libpt, the names of the functions that open a system list further knobs: those that change a
 * shared struct without a compiler error (test/suites/same_structs). If a program's headers have
 * other values, the linker does not find the function, and its message shows the program's. */
#define pt_system_open PT_BUILT_NAME_(pt_system_open)
#define pt_team_open PT_BUILT_NAME_(pt_team_open)
#define PT_BUILT_NAME_(name) \
    PT_BUILT_(name, PT_VERSION_MAJOR, PT_VERSION_MINOR, PT_LABEL_BITS, PT_HAS_SITE_, PT_SINCE)
#define PT_BUILT_(name, major, minor, bits, sites, since) \
    PT_BUILT_AS_(name, major, minor, bits, sites, since)
#define PT_BUILT_AS_(name, major, minor, bits, sites, since) \
    PT_BUILT_IN_(name##_of_libpt_##major##_##minor,          \
                 _built_with_PT_LABEL_BITS_##bits##_and_PT_SITES_##sites##_and_PT_SINCE_##since)
#define PT_BUILT_IN_(name, knobs) name##knobs

/* pt_system_open - open LOOP on the system's poller
 * POLLER: "epoll", "kqueue", "poll" or "io_uring"; NULL: the value of PT_POLLER in the environment,
 * or else the best. PT_OK; PT_EINVAL if there is no such poller, and if PT_POLLER names it, a line
 * on stderr tells which there are; PT_ENOMEM, or PT_EIO with errno, if the system refuses. On an
 * error nothing is open but /dev/null at 0, 1 or 2, as below.
 *
 * From now on SIGPIPE is ignored, unless the program has chosen an action for it. A descriptor 0, 1
 * or 2 that is closed is opened, on /dev/null: no connection gets its number, and with it what is
 * printed.
 *
 * The best is never io_uring, which is for thousands of connections, needs Linux 6.1 and is not
 * allowed everywhere: errno is ENOSYS if the kernel is too old, and EPERM where it is forbidden.
 * Its ring takes some 90 KB of what RLIMIT_MEMLOCK leaves a user; if that is less, PT_ENOMEM.
 *
 * After a fork the system still belongs to the parent. The child may close it and open its own; if
 * the child runs the parent's loop, the program stops with PT_PANIC. */
PT_EXPORT pt_status pt_system_open(struct pt_system *system, struct pt_loop *loop,
                                   const char *poller);

/* pt_system_close - close the loop and the port; no task may be alive, and no pt_io open
 * If one is, the program stops with PT_PANIC, which says what is left: first close what is open,
 * call pt_loop_cancel(&loop, PT_ECANCELED) and pt_loop_run(&loop), which returns after the
 * cleanups. If one lasts, another pt_loop_cancel, by a second signal or after a time, ends the
 * tasks that it has started. A process forked since may close it at any time, and its pt_io before
 * or after. No effect if it is closed, or if pt_system_open failed.
 * Other threads may still post, as long as the memory of the system and of the loop exists: they
 * get PT_ECLOSED (a mailbox and a ring: as pt_loop_shut says). */
PT_EXPORT void pt_system_close(struct pt_system *system);

/* pt_system_poller - the name of the poller in use; static storage */
PT_EXPORT const char *pt_system_poller(const struct pt_system *system);

/* pt_io_batch - let the bytes of a TCP connection go by the ring of the poller "io_uring"
 * All that such connections have read and written between two waits of the loop costs one call,
 * where each read and each write is a call of its own otherwise. Call it behind PT_ACCEPT or
 * PT_CONNECT.
 *
 * A write copies up to 4 KB, and they go out when the loop next asks the system: when it waits, or
 * within 50 us while other tasks are ready. Longer ones go out at once. So an error shows at a
 * later write, or at a read; an error of the last write before a close is not reported, as one of
 * bytes that the system has taken. What is left when the loop has ended goes out by the close.
 *
 * pt_io_close and pt_io_shutdown send what is left. If the socket has no room for it, it goes out
 * as the other side reads: after a close by a task of the library, for a minute at most. A cancel
 * of all tasks does not end that, a second one does; pt_system_close waits for it. PT_EIO with
 * ENOMEM of the close: there is no memory for it. A close behind bytes that have come and were not
 * read ends the connection; without the ring the other side gets a reset.
 *
 * Until its close, only the operations on IO may read or write the descriptor, and what is built on
 * them: a stream, pt_send_file, TLS. pt_io_release stops the program with PT_PANIC. A pt_io that
 * borrows the descriptor does not see what has been received already.
 *
 * No effect with another poller, for a descriptor that is not a TCP connection, and where the
 * kernel has no rings of buffers. One system call; the first one of a loop maps 2 MB, of which it
 * takes what it uses. Each takes about 100 bytes, and buffers only for bytes that were not read or
 * sent. */
PT_EXPORT void pt_io_batch(struct pt_io *io);

/* pt_system_slack - let timers be up to SLACK late, never early
 * One wakeup then serves all timers that are due at about the same time. 0, the default: none. */
PT_EXPORT void pt_system_slack(struct pt_system *system, pt_time slack);

/* pt_system_spin - let the loop spin for up to MOST before it sleeps, and look for events meanwhile
 * An idle time longer than MOST halves the next spin, a shorter one restores it: make MOST a little
 * longer than a reply takes. For replies within microseconds; keeps one CPU busy. No effect on a
 * machine with one CPU. 0, the default: no spin. */
PT_EXPORT void pt_system_spin(struct pt_system *system, pt_time most);

/* --- a guest in another loop ----------------------------------------------------------------
 *
 * Where another loop is in charge, of a GUI for example, it takes the place of pt_loop_run: it
 * waits for one descriptor and for a time, and then calls for turns (doc/guest.md):
 *
 *     while (pt_system_dispatch(&sys, 16)) {
 *         struct pollfd guest = {pt_system_fd(&sys), POLLIN, 0};
 *
 *         poll(&guest, 1, pt_system_timeout(&sys));
 *     } */

/* pt_system_fd - the descriptor that is readable while a dispatch has something to do
 * It becomes so by an event, a post, and a task that a callback of the other loop starts or wakes;
 * not by a timer: see pt_system_timeout. It is the same until the close. Wait for it level-
 * triggered, which is the default everywhere, and never read it. The pollers "poll" and "io_uring"
 * have none: -1, and errno is ENOTSUP. So name another one in pt_system_open: then PT_POLLER does
 * not choose. The first call with epoll makes a descriptor: -1 with EMFILE, ENFILE, ENOMEM or
 * ENOSPC if it cannot; it may be called again. */
PT_EXPORT int pt_system_fd(struct pt_system *system);

/* pt_system_timeout - how long the other loop may wait, in milliseconds as for poll(2); O(1)
 * 0: a task is ready; -1: no timer, only the descriptor tells. Rounded up. Ask just before each
 * wait; what asks only after a dispatch must watch the descriptor, too. */
PT_EXPORT int pt_system_timeout(const struct pt_system *system);

/* pt_system_dispatch - make turns, without waiting, until nothing is ready: at most MOST, from 1 on
 * Returns whether a task is alive. If it is not the last turn that found nothing ready, the
 * descriptor stays readable, and the timeout 0. In the thread of the loop, and not in a task of it.
 * Between dispatches, pt_loop_run can end what is left. After it the descriptor tells nothing until
 * the next pt_system_fd or dispatch. */
PT_EXPORT bool pt_system_dispatch(struct pt_system *system, unsigned most);

#endif
