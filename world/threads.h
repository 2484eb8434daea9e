/* threads.h - the threads of a program: what the files about them share
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_THREADS_H
#define WORLD_THREADS_H

#include "files.h"

#include <pthread.h>

/* A thread: a fiber of its program. */
struct thread {
    struct thread *next; /* of its process, in the order of their begins */
    struct process *process;
    int number;                  /* from 1, which is the thread of main; as a pthread_t, too */
    struct event turn;           /* when it goes on */
    bool waits;                  /* it has left, and a wake makes it go on */
    bool owed;                   /* its event fired while the machine was paused */
    bool done, detached, joined; /* JOINED: a thread waits for its end, or has */
    int error;                   /* errno, while it does not run */
    struct pt_fiber fiber;
    char *stack;
    size_t stack_size; /* with its guard */
    void *(*function)(void *);
    void *argument, *value; /* VALUE: what it returns */
    char *locals;           /* its __thread variables; NULL: it has touched none */
    void *values[KEYS];     /* of pthread_setspecific */
    uint64_t mask, kept;    /* signals: blocked; and behind a call that has a mask of its own */
    bool keeps;             /* such a call has begun, and no handler in it */
    uint64_t awaits;        /* signals that sigwait takes */
    struct signals pending; /* sent to it alone */
    bool restarts;          /* the first handler that has run last lets a call go on: SA_RESTART */
    struct hold *holds;     /* the files in whose calls it waits */

    /* What it waits for; NULL: anything that happens to the machine. The words are for a report, which names the
     * HOLDER: a thread, 0, or A_HANDLER, if a signal handler can end the wait. */
    const void *object;
    const char *what;
    int holder;
};

enum { STACK = 1024 * 1024, A_HANDLER = -1, REAL_TIME = 32 /* the first signal that is queued */ };

/* A new thread of PROCESS, which waits: a wake lets it begin with FUNCTION. STACK_SIZE: without the guard. */
struct thread *thread_new(struct process *process, size_t stack_size, pt_fiber_function function);

/* One that has ended, and that no thread joins any more. */
void thread_free(struct thread *thread);

/* Free all threads of a program that has ended. */
void threads_free(struct process *process);

/* The thread that runs ends. */
void thread_end(void *value) __attribute__((noreturn));

/* The thread with a number, or NULL. */
struct thread *thread_at(pthread_t number);

/* Let a thread that waits go on, for whatever reason. */
void thread_wake(struct thread *thread);

/* The thread that runs waits for OBJECT: 0 if that has woken it, EINTR if a handler has run; else EAGAIN. */
int thread_wait(const void *object, const char *what, int holder, uint64_t until);

/* Wake up to MOST of the threads of this process that wait for OBJECT, by the seed; how many that were. */
int threads_wake(const void *object, int most);

/* At a call by which threads meet: another one goes on first, by the seed. */
void thread_meets(void);

/* Another one goes on first, if there is one. */
void thread_yields(void);

/* --- signals.c ------------------------------------------------------------------------------- */

static inline uint64_t signal_bit(int number)
{
    return UINT64_C(1) << (number - 1);
}

/* A signal that this thread is to handle now: its number, or 0. */
int signals_next(const struct thread *thread);

/* A signal comes to what waits for it: to one thread, or to any. One of real time that would be the second is refused. */
void signals_add(struct signals *pending, int number, struct sent sent);

/* Whether a thread that is sent this signal does not hear of it. */
bool signals_ignored(const struct thread *thread, int number);

/* A thread blocks these signals in one call; NULL: as before. */
void signals_mask_begin(struct thread *thread, const sigset_t *set);
void signals_mask_end(struct thread *thread);

/* Take the first of these signals that is pending for the thread that runs: its number, or 0. */
int signals_take(uint64_t bits, struct sent *sent);

/* The signals of a set, but for those that cannot be blocked. */
uint64_t signals_of(const sigset_t *set);

#endif
