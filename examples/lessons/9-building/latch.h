/* latch.h - a primitive of your own: tasks wait until something has happened N times
 * SPDX-License-Identifier: MIT
 *
 *     latch_init(&ready, 3);
 *     LATCH_WAIT(&ready);              in a stackless task; latch_wait(self, &ready) in a native one
 *     latch_count(&ready);             three times, from anywhere in the loop's thread
 *
 * Cancel, timeout: as in a wait for an event. */
#ifndef LATCH_H
#define LATCH_H

#include <pt/native.h>

PT_STATIC_ASSERT(PT_SYNC, "latch.h needs PT_SYNC");

/* Read left. */
struct latch {
    struct pt_event over;
    unsigned left; /* how often it must still happen */
};

/* LATCH_WAIT(&latch) - wait until it has happened often enough; self->pt.status is PT_OK */
#define LATCH_WAIT(latch) PT_WAIT_EVENT(&(latch)->over)

PT_API void latch_init(struct latch *latch, unsigned times)
{
    pt_event_init(&latch->over);
    latch->left = times;
}

/* latch_count - it has happened once more; PT_ERANGE if it has happened too often; O(waiters) */
PT_MUST_CHECK PT_API pt_status latch_count(struct latch *latch)
{
    if (PT_UNLIKELY(!latch->left))
        return PT_ERANGE;
    if (--latch->left == 0)
        pt_event_set(&latch->over);
    return PT_OK;
}

/* latch_wait - LATCH_WAIT for native tasks */
PT_API pt_status latch_wait(struct pt_native *self, struct latch *latch)
{
    return pt_native_wait_event(self, &latch->over);
}

#endif
