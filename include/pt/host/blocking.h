/* blocking.h - run a function in a worker thread, because it would block the loop
 * SPDX-License-Identifier: MIT
 *
 *     static void load(void *argument) { ... read(file, ...) ... }
 *
 *     pt_workers_open(&workers, &sys, 4);
 *     PT_WAIT_COMPLETE(&self->call, pt_blocking, .workers = &workers, .work = load,
 *                      .argument = self);
 *
 * For files, third-party libraries and long computations. A few threads take the calls in the order
 * in which they came. Cancel, timeout: a call that has not begun never begins. A call that has
 * begun runs to its end, and the task waits for it, because the call uses ARGUMENT. */
#ifndef PT_BLOCKING_H
#define PT_BLOCKING_H

#include "system.h"

#include <pthread.h>

/* A pool of threads. It must not move while it is open. Only the functions write its fields. */
struct pt_workers {
    struct pt_system *system;  /* of the tasks that call */
    pthread_mutex_t lock;      /* guards the fields below */
    pthread_cond_t changed;    /* signaled for a new call and for the end */
    struct pt_blocking *first; /* the queue of calls that wait for a thread */
    struct pt_blocking *last;
    pthread_t *threads;
    unsigned count;
    unsigned forks; /* the count of forks at the opening */
    bool closing;
};

/* The frame of pt_blocking: call WORK with ARGUMENT in a thread, and wait until it returns. */
struct pt_blocking {
    struct pt pt;
    struct pt_workers *workers;   /* the caller sets this and the next two */
    void (*work)(void *argument); /* must not touch the loop */
    void *argument;
    struct pt_blocking *next; /* in the queue of the workers */
    struct pt_foreign call;   /* done when WORK has returned, or will never begin */
};

PT_EXPORT PT_DECLARE(pt_blocking);

/* pt_workers_open - start COUNT threads for the tasks of a system
 * They block all signals but those of their own faults (SIGSEGV and so on). A process that a call
 * forks inherits that, as the programs of system(3) and popen(3) do: nothing but SIGKILL ends one.
 * What pt_process_start starts blocks no signal. PT_OK; PT_EINVAL if COUNT is 0, PT_ENOMEM, or
 * PT_EIO with errno: then no thread is left. */
PT_EXPORT pt_status pt_workers_open(struct pt_workers *workers, struct pt_system *system,
                                    unsigned count);

/* pt_workers_close - end the threads and wait for their ends; no task may be in pt_blocking
 * No effect if they have ended, or if pt_workers_open failed. A process forked since has no copy of
 * the threads, and may close its copy of the rest at any time. */
PT_EXPORT void pt_workers_close(struct pt_workers *workers);

#endif
