/* system.h - a loop that sleeps in the system's poller: descriptors, timers and posts wake it
 * SPDX-License-Identifier: MIT
 *
 *     pt_system_open(&system, &loop, NULL);
 *     PT_START(&loop, &server, serve, .system = &system);
 *     pt_loop_run(&loop);
 *     pt_system_close(&system);
 *
 * The port of a PC with input and output: io.h has what is read and written. Ready tasks, timers and
 * descriptors share the loop's turns: while tasks are ready, the poller is asked every PT_POLL_STEPS
 * steps, without waiting. */
#ifndef PT_SYSTEM_H
#define PT_SYSTEM_H

#include "default_loop.h"

/* What the functions of libpt read and write: more than the default loop does. */
#if !PT_AWAIT || !PT_CLEANUP || !PT_JOINS || !PT_TIMEOUTS || !PT_GROUPS || !PT_PAUSE || \
    !PT_SYNC || !PT_CHANNELS || !PT_SELECTS || !PT_REMOTE
#error "libpt is built with the default knobs of config.h, all features: it needs them"
#endif

/* Steps of tasks between two looks at the descriptors. */
#ifndef PT_POLL_STEPS
#define PT_POLL_STEPS 64
#endif

struct pt_io;
struct pt_poller;

/* Whose a descriptor is. */
struct pt_slot_ {
    struct pt_io *io;    /* or NULL */
    unsigned generation; /* counts its owners: an event of an earlier one is nobody's */
};

/* The port, and the poller behind it. Written by the functions; it must not move. */
struct pt_system {
    struct pt_port port;            /* the loop's; its first member */
    struct pt_loop *loop;           /* whose it is */
    const struct pt_poller *poller; /* which of the system's */
    void *state;                    /* that one's own */
    struct pt_slot_ *slots;         /* by descriptor */
    unsigned count;                 /* how many */
    unsigned steps;                 /* since the poller was asked */
    unsigned forks;                 /* of the process, when it was opened */
    int wakeup[2];                  /* written to, to end a sleep; read here */
    unsigned ringing;               /* threads that write there just now; atomic */
    bool closed;                    /* nobody may any more; atomic */
    pt_time slack;                  /* how late timers may be: pt_system_slack */
    pt_time spin;                   /* how long to look before a sleep, at most: pt_system_spin */
    pt_time patience;               /* how long at present */
};

#ifdef __cplusplus
extern "C" {
#endif

/* The names in libpt of what opens a system say what else a program's headers must agree with: else the
 * linker finds no such function, and says what it looked for. It is what changes a shared struct, and
 * compiles: test/shared. With PT_BACKEND_NATIVE build the sources of lib along with the program. */
#define pt_system_open PT_BUILT_NAME_(pt_system_open)
#define pt_team_open PT_BUILT_NAME_(pt_team_open)
#if PT_SITE_FITS_
#define PT_BUILT_SITES_ 0 /* they change nothing */
#else
#define PT_BUILT_SITES_ PT_SITES
#endif
#define PT_BUILT_NAME_(name) \
    PT_BUILT_(name, PT_VERSION_MAJOR, PT_VERSION_MINOR, PT_LABEL_BITS, PT_BUILT_SITES_, PT_BACKEND)
#define PT_BUILT_(name, major, minor, bits, sites, backend) \
    PT_BUILT_AS_(name, major, minor, bits, sites, backend)
#define PT_BUILT_AS_(name, major, minor, bits, sites, backend) \
    name##_of_libpt_##major##_##minor##_built_with_PT_LABEL_BITS_##bits##_and_PT_SITES_##sites##_and_PT_BACKEND_##backend

/* pt_system_open - open LOOP on the system's poller
 * POLLER: "epoll", "kqueue", "poll" or "io_uring"; NULL: what PT_POLLER in the environment says, or the
 * best, which is never io_uring: that is for thousands of connections, Linux 6.1, and where it is allowed.
 * SIGPIPE is ignored from now on, if the program has not chosen what it does.
 * PT_OK; PT_EINVAL if there is no such poller; PT_ENOMEM, or PT_EIO with errno, if the system refuses:
 * then nothing is open. Of io_uring it says ENOSYS if it is too old, EPERM where it is forbidden.
 * A process that is forked leaves the system to its parent: the child may close it, and open one of its
 * own; running it stops the program. */
PT_EXPORT pt_status pt_system_open(struct pt_system *system, struct pt_loop *loop,
                                   const char *poller);

/* pt_system_close - close the loop, and what the port has; no task may be alive, and no pt_io open
 * Other threads may still post: they get PT_ECLOSED, as long as the system's and loop's memory is there. */
PT_EXPORT void pt_system_close(struct pt_system *system);

/* pt_system_poller - the name of the poller that it uses; static */
PT_EXPORT const char *pt_system_poller(const struct pt_system *system);

/* pt_system_slack - let timers be up to SLACK late, never early, so that those which are due at about
 * the same time are served by one wake; 0, as at first: none is */
PT_EXPORT void pt_system_slack(struct pt_system *system, pt_time slack);

/* pt_system_spin - before it sleeps, let the loop look for up to MOST whether something happens
 * It looks while that is worth it: after sleeps shorter than MOST, which is thus a little more than an
 * answer takes. For one within microseconds, at the price of a processor that does not rest; without
 * effect where there is only one. 0, as at first: not at all. */
PT_EXPORT void pt_system_spin(struct pt_system *system, pt_time most);

#ifdef __cplusplus
}
#endif

#endif
