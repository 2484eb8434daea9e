/* threads.h - a loop that other threads may inspect and change
 * SPDX-License-Identifier: MIT
 *
 *     the loop's thread                        any other
 *
 *     pt_shared_open(&shared, &loop);
 *     PT_START(&loop, &server, ...);
 *     pt_shared_run(&shared);                  pt_shared_enter(&shared);
 *                                              pt_dump(&loop, print, NULL);
 *                                              pt_resume(&worker.task);
 *                                              pt_shared_leave(&shared);
 *
 * A monitor around the loop: a turn holds its lock, and between two turns the loop lets in a thread
 * that waits for the lock. Between enter and leave, a thread may call every function that may be
 * called between turns: walking the tasks, pause, resume, wake, cancel, PT_START,
 * pt_trace_start; but it must not run the loop. The thread waits for the turn that runs, the
 * loop waits for the thread, and a turn runs before the next thread enters: neither can keep the
 * other out. Compile with -pthread. */
#ifndef PT_PORTS_THREADS_H
#define PT_PORTS_THREADS_H

#include "../run/run.h"
#include "posix.h"

#include <pthread.h>
#include <unistd.h>

PT_STATIC_ASSERT(PT_PORT, "threads.h needs PT_PORT");

#if PT_PORT

/* The monitor. Only the functions write to it; it must not move. */
struct pt_shared {
    struct pt_port port;    /* the loop's; its first member */
    struct pt_loop *loop;   /* the loop that it guards */
    pthread_mutex_t lock;   /* held by a turn, or by a thread between enter and leave */
    pthread_mutex_t wakeup; /* guards woken; a thread that holds the lock may take it */
    pthread_cond_t left;    /* a thread has left, or woken was set: for the loop's thread */
    pthread_cond_t opened;  /* the next thread may enter */
    unsigned holders;       /* the threads that are inside or want to enter; atomic */
    bool running;           /* in pt_shared_run */
    bool held;              /* a thread was inside, and no turn has begun since */
    bool woken;             /* the current idle step, or else the next one, is over */
    pid_t process;          /* that has opened it */
};

/* pt_shared_open - open a loop, on the POSIX port, that other threads may enter
 * PT_OK, or PT_ENOMEM if the system cannot create a lock: then the loop is not open. */
PT_API pt_status pt_shared_open(struct pt_shared *shared, struct pt_loop *loop);

/* pt_shared_run - pt_loop_run, in the loop's thread
 * Returns PT_OK, and never PT_EDEADLK: another thread can wake a parked task. A task that is
 * spawned after the run waits for the next run. */
PT_API pt_status pt_shared_run(struct pt_shared *shared);

/* pt_shared_enter - in another thread: wait until the turn that runs is over, and hold up the next
 * Do not call it from a task of this loop, or twice without leaving. */
PT_API void pt_shared_enter(struct pt_shared *shared);

/* pt_shared_leave - let the loop continue, with a turn */
PT_API void pt_shared_leave(struct pt_shared *shared);

/* pt_shared_close - close the loop; no task may be alive, and no thread may enter or post any more
 * If threads still post: call pt_loop_shut first, wait for the threads, and then close. A forked
 * process may close its copy at any time, but not enter or run it. A second close does nothing. */
PT_API void pt_shared_close(struct pt_shared *shared);

/* --- implementation ------------------------------------------------------------------------ */

/* Before a turn, or before some short ones (fast.h), a waiting thread is let in. */
PT_API pt_time pt_shared_turn_(void *context)
{
    struct pt_shared *shared = (struct pt_shared *)context;

    while (__atomic_load_n(&shared->holders, __ATOMIC_RELAXED) && !shared->held)
        pthread_cond_wait(&shared->left, &shared->lock);
    if (shared->held)
        pthread_cond_signal(&shared->opened);
    shared->held = false;
    return pt_posix.now(NULL);
}

/* Something was posted while the loop slept or was about to sleep. This does not take the lock: the
 * thread that posts can hold it already, or a turn can hold it and wait for that thread to end. */
PT_API void pt_shared_kick_(void *context)
{
    struct pt_shared *shared = (struct pt_shared *)context;

    pthread_mutex_lock(&shared->wakeup);
    shared->woken = true;
    pthread_cond_signal(&shared->left);
    pthread_mutex_unlock(&shared->wakeup);
}

/* Sleep, without the lock, until the time is UNTIL or woken is set: a thread leaves, or posts. */
PT_API bool pt_shared_idle_(void *context, pt_time now, pt_time until)
{
    struct pt_shared *shared = (struct pt_shared *)context;
    struct timespec left = pt_posix_left_(now, until), deadline;
    int over = 0;

    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += left.tv_sec;
    deadline.tv_nsec += left.tv_nsec;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&shared->wakeup);
    pthread_mutex_unlock(&shared->lock);
    while (!shared->woken && !over) {
        if ((pt_time)(until - now) == PT_DELAY_NEVER)
            pthread_cond_wait(&shared->left, &shared->wakeup);
        else
            over = pthread_cond_timedwait(&shared->left, &shared->wakeup, &deadline);
    }
    shared->woken = false;
    pthread_mutex_unlock(&shared->wakeup);
    pthread_mutex_lock(&shared->lock);
    return true;
}

PT_API pt_status pt_shared_open(struct pt_shared *shared, struct pt_loop *loop)
{
    pthread_condattr_t monotonic;
    bool attr = !pthread_condattr_init(&monotonic);
    bool left = attr && !pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) &&
                !pthread_cond_init(&shared->left, &monotonic);
    bool opened = left && !pthread_cond_init(&shared->opened, NULL);
    bool lock = opened && !pthread_mutex_init(&shared->lock, NULL);

    if (attr)
        pthread_condattr_destroy(&monotonic);
    if (!lock || pthread_mutex_init(&shared->wakeup, NULL)) {
        if (lock)
            pthread_mutex_destroy(&shared->lock);
        if (opened)
            pthread_cond_destroy(&shared->opened);
        if (left)
            pthread_cond_destroy(&shared->left);
        return PT_ENOMEM;
    }
    shared->holders = 0;
    shared->running = shared->held = shared->woken = false;
    shared->loop = loop;
    shared->process = getpid();
    shared->port = pt_posix;
    shared->port.turn = pt_shared_turn_;
    shared->port.idle = pt_shared_idle_;
    shared->port.context = shared;
    shared->port.kick = pt_shared_kick_;
    pt_loop_open(loop, &shared->port);
    return PT_OK;
}

PT_API pt_status pt_shared_run(struct pt_shared *shared)
{
    pt_status status;

    pthread_mutex_lock(&shared->lock);
    shared->running = true;
    status = pt_loop_run(shared->loop);
    shared->running = shared->held = false;
    pthread_cond_broadcast(&shared->opened);
    pthread_mutex_unlock(&shared->lock);
    return status;
}

PT_API void pt_shared_enter(struct pt_shared *shared)
{
    __atomic_add_fetch(&shared->holders, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&shared->lock);
    while (shared->running && shared->held)
        pthread_cond_wait(&shared->opened, &shared->lock);
}

PT_API void pt_shared_leave(struct pt_shared *shared)
{
    PT_ASSERT_(shared->holders, "it was not entered: call pt_shared_enter", "pt_shared_leave");
    __atomic_sub_fetch(&shared->holders, 1, __ATOMIC_RELAXED);
    shared->held = shared->running;
    pt_shared_kick_(shared);
    pthread_mutex_unlock(&shared->lock);
}

PT_API void pt_shared_close(struct pt_shared *shared)
{
    struct pt_loop *loop = shared->loop;

    if (!loop)
        return;
    shared->loop = NULL;
    if (shared->process != getpid()) { /* the threads that hold its locks or wait are not here */
        pt_loop_drop_(loop);
        return;
    }
    pt_loop_close(loop);
    pthread_cond_destroy(&shared->opened);
    pthread_cond_destroy(&shared->left);
    pthread_mutex_destroy(&shared->wakeup);
    pthread_mutex_destroy(&shared->lock);
}

#endif
#endif
