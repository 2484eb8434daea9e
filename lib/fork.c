/* fork.c - what a fork must not copy halfway: the locks of the process, the handlers that run
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "fork.h"

#include "faults.h"

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutexes[PT_MUTEXES_] = {PTHREAD_MUTEX_INITIALIZER,
                                               PTHREAD_MUTEX_INITIALIZER};

/* The signals that the holder of each blocked before. */
static sigset_t masks[PT_MUTEXES_];

static unsigned forks;

/* The handlers that run now; atomic. */
static unsigned handlers;

void pt_mutex_lock_(enum pt_mutex_ mutex)
{
    sigset_t all, before_it;

    /* A handler that forks would wait for the holder that it has interrupted; not for one that
     * prints. */
    pt_all_but_faults_(&all);
    pthread_sigmask(SIG_BLOCK, mutex == PT_MUTEX_PRINT_ ? NULL : &all, &before_it);
    pthread_mutex_lock(&mutexes[mutex]);
    masks[mutex] = before_it;
}

void pt_mutex_unlock_(enum pt_mutex_ mutex)
{
    sigset_t before_it = masks[mutex];

    pthread_mutex_unlock(&mutexes[mutex]);
    pthread_sigmask(SIG_SETMASK, &before_it, NULL);
}

unsigned pt_forks_(void)
{
    return forks;
}

bool pt_forked_since_(unsigned count)
{
    return forks != count;
}

void pt_handler_begins_(void)
{
    __atomic_add_fetch(&handlers, 1, __ATOMIC_SEQ_CST);
}

void pt_handler_ends_(void)
{
    __atomic_sub_fetch(&handlers, 1, __ATOMIC_SEQ_CST);
}

void pt_handlers_wait_(void)
{
    while (__atomic_load_n(&handlers, __ATOMIC_SEQ_CST))
        sched_yield();
}

/* --- at a fork ------------------------------------------------------------------------------- */

static void before(void)
{
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
}

static void after(void)
{
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
}

static void in_the_child(void)
{
    after();
    pthread_mutex_init(&mutexes[PT_MUTEX_PRINT_], NULL);
    __atomic_store_n(&handlers, 0, __ATOMIC_SEQ_CST);
    forks++;
}

__attribute__((constructor)) static void watch(void)
{
    pthread_atfork(before, after, in_the_child);
}
