/* semaphore.h - a counter of units, which tasks take: first come, first served
 * SPDX-License-Identifier: MIT
 *
 * A released unit goes straight to the first waiter: no task overtakes it, and when it runs again
 * it has what it waited for.
 *
 * Cancel, timeout: a task that has not been given anything gets nothing, and leaves the queue if it
 * waits. Once it has been given a unit, it keeps it, continues to its next wait, and is ended
 * there. Its PT_FINALLY must give back what it holds. */
#ifndef PT_SEMAPHORE_H
#define PT_SEMAPHORE_H

#include "select.h"

#if PT_SYNC

/* A semaphore; a task takes one unit at a time. Zeroed storage is no semaphore: call
 * pt_semaphore_init. Read count; write through the functions. */
struct pt_semaphore {
    struct pt_wait_queue_ waiters; /* tasks that wait for a unit */
    unsigned count;                /* free units */
    unsigned limit;                /* the maximum of count */
};

/* pt_semaphore_init - start with COUNT units, never more than LIMIT (UINT_MAX: no limit); O(1) */
PT_API void pt_semaphore_init(struct pt_semaphore *semaphore, unsigned count, unsigned limit);

/* PT_ACQUIRE(&semaphore) - wait for a unit and take it; self->pt.status is PT_OK */
#define PT_ACQUIRE(semaphore) \
    PT_PARK_AND_TAKE_IF_(pt_semaphore_must_wait_(pt_current_, pt_, semaphore))

/* PT_SEM_WAIT(pt, &s), PT_SEM_SIGNAL(pt, &s) - refused by the compiler: classic protothreads' names
 * With a struct pt_semaphore: PT_ACQUIRE(&s), pt_semaphore_release(&s). */
#define PT_SEM_WAIT(...) PT_NO_SUCH_(PT_NO_SEM_WAIT_)
#define PT_SEM_SIGNAL(...) PT_NO_SUCH_(PT_NO_SEM_SIGNAL_)

/* pt_semaphore_release - give a unit back, to the first waiter if there is one; O(1)
 * PT_ERANGE, and no effect, when no task waits and there are LIMIT units already. */
PT_API pt_status pt_semaphore_release(struct pt_semaphore *semaphore);

/* pt_semaphore_try - take a unit if there is one: PT_OK, or PT_EAGAIN; O(1) */
PT_API pt_status pt_semaphore_try(struct pt_semaphore *semaphore);

#if PT_REMOTE
/* pt_remote_release - a remote's callback for a semaphore: one pt_semaphore_release per post
 * The remote's status becomes PT_ERANGE if there were LIMIT units already. */
PT_API void pt_remote_release(struct pt_remote *self, unsigned times);
#endif

/* PT_CASE_ACQUIRE(&semaphore) - in a select (with PT_SELECTS): take a unit */
#define PT_CASE_ACQUIRE(semaphore) pt_case_acquire_(PT_CASE_TASK_, semaphore)

/* --- implementation ------------------------------------------------------------------------ */

#define PT_NO_SEM_WAIT_ "PT_SEM_WAIT: use PT_ACQUIRE, with a struct pt_semaphore"
#define PT_NO_SEM_SIGNAL_ "PT_SEM_SIGNAL: use pt_semaphore_release, with a struct pt_semaphore"

PT_API void pt_semaphore_init(struct pt_semaphore *semaphore, unsigned count, unsigned limit)
{
    pt_wait_queue_init_(&semaphore->waiters);
    semaphore->count = count < limit ? count : limit;
    semaphore->limit = limit;
}

PT_API bool pt_semaphore_must_wait_(struct pt_task *task, struct pt *frame,
                                    struct pt_semaphore *semaphore)
{
    frame->status = PT_OK;
    if (pt_semaphore_try(semaphore) == PT_OK)
        return false;
    pt_task_wait_in_queue_(task, &semaphore->waiters, PT_WHY_SEMAPHORE, NULL);
    return true;
}

PT_API pt_status pt_semaphore_release(struct pt_semaphore *semaphore)
{
    if (!pt_wait_queue_empty_(&semaphore->waiters))
        pt_wait_queue_complete_first_(&semaphore->waiters, PT_FLAG_GIVEN_);
    else if (semaphore->count < semaphore->limit)
        semaphore->count++;
    else
        return PT_ERANGE;
    return PT_OK;
}

PT_API pt_status pt_semaphore_try(struct pt_semaphore *semaphore)
{
    if (!semaphore->count)
        return PT_EAGAIN;
    semaphore->count--;
    return PT_OK;
}

#if PT_REMOTE
PT_API void pt_remote_release(struct pt_remote *self, unsigned times)
{
    while (times--) /* pt-bounds: loop tasks */
        if (pt_semaphore_release((struct pt_semaphore *)self->target) != PT_OK)
            self->status = PT_ERANGE;
}
#endif

#if PT_SELECTS
PT_API bool pt_case_acquire_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_semaphore_try((struct pt_semaphore *)it->target) == PT_OK;
}

PT_ALWAYS void pt_case_acquire_(struct pt_task *task, struct pt_semaphore *semaphore)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_(pt_case_acquire_take_, PT_CASE_IN_QUEUE_,
                                                           offsetof(struct pt_semaphore, waiters));

    pt_case_add_(task, &kind, semaphore, NULL);
}
#endif

#endif
#endif
