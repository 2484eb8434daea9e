/* blocking.h - a function that would block the loop, called in a thread beside it
 * SPDX-License-Identifier: MIT
 *
 *     static void load(void *argument) { ... read(file, ...) ... }
 *
 *     pt_workers_open(&workers, &system, 4);
 *     PT_WAIT_COMPLETE(&self->call, pt_blocking, .workers = &workers, .work = load, .argument = self);
 *
 * For files, for other people's libraries, for long computations. A few threads take the calls in the
 * order in which they came. Cancel, timeout: a call that has not begun never begins; one that has runs
 * to its end, and the task waits for that, since it has the argument. */
#ifndef PT_BLOCKING_H
#define PT_BLOCKING_H

#include "system.h"

#include <pthread.h>

/* The threads. It must not move while it is open. Written by the functions. */
struct pt_workers {
    struct pt_system *system;  /* whose tasks call */
    pthread_mutex_t lock;      /* of what follows */
    pthread_cond_t changed;    /* there is a call, or the end */
    struct pt_blocking *first; /* what waits for a thread */
    struct pt_blocking *last;
    pthread_t *threads;
    unsigned count;
    bool closing;
};

/* The frame of pt_blocking: call WORK with ARGUMENT in a thread, and wait until it returns. */
struct pt_blocking {
    struct pt pt;
    struct pt_workers *workers;   /* the caller's choice, as the next two */
    void (*work)(void *argument); /* must not touch the loop */
    void *argument;
    struct pt_blocking *next; /* in the queue */
    struct pt_task *task;     /* who waits */
    struct pt_remote done;    /* by which the thread says that it has returned */
    bool over;                /* it has */
};

#ifdef __cplusplus
extern "C" {
#endif

PT_EXPORT PT_DECLARE(pt_blocking);

/* pt_workers_open - COUNT threads for the tasks of a system; signals stay with the others
 * PT_OK; PT_ENOMEM, PT_EINVAL for no thread, or PT_EIO with errno: then there is none. */
PT_EXPORT pt_status pt_workers_open(struct pt_workers *workers, struct pt_system *system,
                                    unsigned count);

/* pt_workers_close - end the threads; no task may wait for one. Waits for their ends. */
PT_EXPORT void pt_workers_close(struct pt_workers *workers);

#ifdef __cplusplus
}
#endif

#endif
