/* blocking.c - worker threads that call functions that would block a loop
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../faults.h"
#include "../fork.h"
#include "../needs.h"

#include <pt/host/blocking.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ThreadSanitizer does not see the post in here, if only the program is built with it: tell it that
 * what one side has done so far with the argument, the other side sees. */
#ifdef __ELF__
#define OF_THE_PROGRAM __attribute__((weak, visibility("default")))
OF_THE_PROGRAM void __tsan_acquire(void *address);
OF_THE_PROGRAM void __tsan_release(void *address);

static void hand_over(struct pt_blocking *call)
{
    if (__tsan_release)
        __tsan_release(call);
}

static void take_over(struct pt_blocking *call)
{
    if (__tsan_acquire)
        __tsan_acquire(call);
}
#else
#define hand_over(call) ((void)(call))
#define take_over(call) ((void)(call))
#endif

/* The next call, or NULL at the end; the lock is held. */
static struct pt_blocking *next_call(struct pt_workers *workers)
{
    struct pt_blocking *call;

    while (!workers->first && !workers->closing)
        pthread_cond_wait(&workers->changed, &workers->lock);
    call = workers->first;
    if (call)
        workers->first = call->next;
    return call;
}

static void *work(void *argument)
{
    struct pt_workers *workers = argument;
    struct pt_blocking *call;

    pthread_mutex_lock(&workers->lock);
    while ((call = next_call(workers)) != NULL) {
        pthread_mutex_unlock(&workers->lock);
        call->work(call->argument);
        hand_over(call);
        pt_foreign_done(&call->call, PT_OK); /* from here on the call belongs to the loop */
        pthread_mutex_lock(&workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* --- the loop's side ------------------------------------------------------------------------- */

static void submit(struct pt_foreign *call)
{
    struct pt_blocking *self = call->argument;
    struct pt_workers *workers = self->workers;

    self->next = NULL;
    pthread_mutex_lock(&workers->lock);
    if (workers->first)
        workers->last->next = self;
    else
        workers->first = self;
    workers->last = self;
    pthread_mutex_unlock(&workers->lock);
    pthread_cond_signal(&workers->changed); /* the worker finds the lock free */
}

/* Take a call out of the queue, if it has not begun. */
static void withdraw(struct pt_foreign *foreign)
{
    struct pt_blocking *self = foreign->argument, *before = NULL, *call;
    struct pt_workers *workers = self->workers;

    pthread_mutex_lock(&workers->lock);
    for (call = workers->first; call && call != self; call = call->next)
        before = call;
    if (call) {
        if (before)
            before->next = self->next;
        else
            workers->first = self->next;
        if (workers->last == self)
            workers->last = before;
    }
    pthread_mutex_unlock(&workers->lock);
    if (call)
        pt_foreign_done(foreign, PT_ECANCELED);
}

PT_ASYNC(pt_blocking, self)
{
    PT_NEEDS_FIELD_(self, workers, "pt_blocking");
    PT_NEEDS_FIELD_(self, work, "pt_blocking");
    PT_NEEDS_(self->workers->threads, "the workers are not open: call pt_workers_open",
              "pt_blocking");
    PT_WAIT_COMPLETE(&self->call, pt_foreign, .start = submit, .cancel = withdraw,
                     .argument = self);
    PT_FINALLY
    take_over(self);
}
PT_END

/* --- opening and closing --------------------------------------------------------------------- */

/* Start COUNT threads, which leave the signals of the program to others; 0 or an errno.
 * workers->count is how many run. */
static int start(struct pt_workers *workers, unsigned count)
{
    sigset_t mask, before;
    int error = 0;

    pt_all_but_faults_(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    while (!error && workers->count < count) {
        error = pthread_create(&workers->threads[workers->count], NULL, work, workers);
        workers->count += !error;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

pt_status pt_workers_open(struct pt_workers *workers, struct pt_system *system, unsigned count)
{
    PT_NEEDS_SYSTEM_(system, "pt_workers_open");
    memset(workers, 0, sizeof *workers);
    if (!count)
        return PT_EINVAL;
    workers->threads = calloc(count, sizeof *workers->threads);
    if (!workers->threads)
        return PT_ENOMEM;
    workers->system = system;
    workers->forks = pt_forks_();
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->changed, NULL);
    errno = start(workers, count);
    if (!errno)
        return PT_OK;
    count = (unsigned)errno;
    pt_workers_close(workers);
    errno = (int)count;
    return PT_EIO;
}

/* End the threads and wait for their ends. */
static void stop(struct pt_workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    workers->closing = true;
    pthread_cond_broadcast(&workers->changed);
    pthread_mutex_unlock(&workers->lock);
    for (unsigned i = 0; i < workers->count; i++)
        pthread_join(workers->threads[i], NULL);
    pthread_cond_destroy(&workers->changed);
    pthread_mutex_destroy(&workers->lock);
}

void pt_workers_close(struct pt_workers *workers)
{
    if (!workers->threads)
        return;
    if (!pt_forked_since_(workers->forks)) /* a forked process has no copy of the threads */
        stop(workers);
    free(workers->threads);
    workers->threads = NULL;
    workers->count = 0;
}
