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

#include "host.h"

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
    int bell[2];                    /* written to, to end a sleep; read here */
};

#ifdef __cplusplus
extern "C" {
#endif

/* pt_system_open - open LOOP on the system's poller
 * POLLER: "epoll", "kqueue" or "poll"; NULL: what PT_POLLER in the environment says, or the best.
 * SIGPIPE is ignored from now on, if the program has not chosen what it does.
 * PT_OK; PT_EINVAL if there is no such poller; PT_ENOMEM, or PT_EIO with errno, if the system refuses:
 * then nothing is open. */
PT_EXPORT pt_status pt_system_open(struct pt_system *system, struct pt_loop *loop,
                                   const char *poller);

/* pt_system_close - close the loop, and what the port has; no task may be alive, and no pt_io open */
PT_EXPORT void pt_system_close(struct pt_system *system);

/* pt_system_poller - the name of the poller that it uses; static */
PT_EXPORT const char *pt_system_poller(const struct pt_system *system);

#ifdef __cplusplus
}
#endif

#endif
