/* pthread.c - the calls about threads: their begins and ends, values of their own, things that are done once
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>

/* --- begins and ends ------------------------------------------------------------------------- */

static void run(struct pt_fiber *self)
{
    const struct thread *thread = self->argument;

    call_pthread_exit(thread->function(thread->argument));
}

int call_pthread_create(pthread_t *to, const pthread_attr_t *attributes, void *(*function)(void *),
                        void *argument)
{
    struct thread *thread;
    size_t stack = STACK;
    int state = PTHREAD_CREATE_JOINABLE;

    machine_calls();
    if (attributes) {
        pthread_attr_getstacksize(attributes, &stack);
        pthread_attr_getdetachstate(attributes, &state);
    }
    thread = thread_new(running, stack, run);
    thread->function = function;
    thread->argument = argument;
    thread->detached = state == PTHREAD_CREATE_DETACHED;
    thread->mask = running->thread->mask;
    *to = (pthread_t)thread->number;
    trace(here, "thread %d begins", thread->number);
    thread_wake(thread);
    thread_meets();
    return 0;
}

int call_pthread_join(pthread_t number, void **value)
{
    struct thread *thread = thread_at(number);

    machine_calls();
    thread_meets();
    if (!thread || thread->detached || thread->joined)
        return thread ? EINVAL : ESRCH;
    if (thread == running->thread)
        return EDEADLK;
    thread->joined = true;
    while (!thread->done)
        thread_wait(thread, "the end", thread->number, NEVER);
    if (value)
        *value = thread->value;
    thread_free(thread);
    return 0;
}

int call_pthread_detach(pthread_t number)
{
    struct thread *thread = thread_at(number);

    if (!thread || thread->detached)
        return thread ? EINVAL : ESRCH;
    if (thread->joined) /* it is freed by the thread that joins it */
        return 0;
    thread->detached = true;
    if (thread->done)
        thread_free(thread);
    return 0;
}

pthread_t call_pthread_self(void)
{
    return (pthread_t)running->thread->number;
}

int call_pthread_setname_np(pthread_t number, const char *name)
{
    if (strlen(name) > 15)
        return ERANGE;
    if (!thread_at(number))
        return ESRCH;
    trace(here, "thread %d is called %s", (int)number, name);
    return 0;
}

/* What a program learns is where the stack of a thread is. */
int call_pthread_getattr_np(pthread_t number, pthread_attr_t *attributes)
{
    const struct thread *thread = thread_at(number);

    if (!thread)
        return ESRCH;
    return pthread_attr_init(attributes) ||
           pthread_attr_setstack(attributes, thread->stack, thread->stack_size);
}

int call_sched_yield(void)
{
    machine_calls();
    thread_yields();
    return 0;
}

/* --- values of their own --------------------------------------------------------------------- */

int call_pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    for (pthread_key_t i = 0; i < KEYS; i++)
        if (!running->keys[i].used) {
            running->keys[i] = (struct key){true, destroy};
            *key = i;
            return 0;
        }
    return EAGAIN;
}

int call_pthread_key_delete(pthread_key_t key)
{
    if (key >= KEYS || !running->keys[key].used)
        return EINVAL;
    running->keys[key].used = false;
    for (struct thread *thread = running->threads; thread; thread = thread->next)
        thread->values[key] = NULL;
    return 0;
}

void *call_pthread_getspecific(pthread_key_t key)
{
    return key < KEYS ? running->thread->values[key] : NULL;
}

int call_pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= KEYS || !running->keys[key].used)
        return EINVAL;
    memcpy(&running->thread->values[key], &value, sizeof value);
    return 0;
}

/* Destroy the values of the thread; whether there was one. */
static bool destroy_values(struct thread *self)
{
    bool any = false;

    for (int i = 0; i < KEYS; i++) {
        void *value = self->values[i];

        self->values[i] = NULL;
        if (!value || !running->keys[i].destroy)
            continue;
        running->keys[i].destroy(value);
        any = true;
    }
    return any;
}

void call_pthread_exit(void *value)
{
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(running->thread); i++) {
    }
    thread_end(value);
}

/* --- once ------------------------------------------------------------------------------------ */

int call_pthread_once(pthread_once_t *once, void (*function)(void))
{
    enum { BEGUN = 1, DONE = 2 };

    thread_meets();
    while (*once == BEGUN)
        thread_wait(once, "what another thread does once", 0, NEVER);
    if (*once == DONE)
        return 0;
    *once = BEGUN;
    function();
    *once = DONE;
    threads_wake(once, INT_MAX);
    return 0;
}
