/* native_sync.h - operations of native tasks: events, semaphores, locks, broadcasts
 * SPDX-License-Identifier: MIT
 *
 *     if (pt_native_lock(self, &lock) == PT_OK) {
 *         total += price;
 *         pt_native_unlock(self, &lock);
 *     }
 *
 * What PT_SYNC has; native_channel.h has what PT_CHANNELS has. Included by native.h. */
#ifndef PT_NATIVE_SYNC_H
#define PT_NATIVE_SYNC_H

#include "native_body.h"
#include "../sync/broadcast.h"
#include "../sync/event.h"
#include "../sync/lock.h"
#include "../sync/semaphore.h"

#if PT_SYNC

/* pt_native_wait_event - PT_WAIT_EVENT */
PT_API pt_status pt_native_wait_event(struct pt_native *self, struct pt_event *event);

/* pt_native_acquire - PT_ACQUIRE */
PT_API pt_status pt_native_acquire(struct pt_native *self, struct pt_semaphore *semaphore);

/* pt_native_lock, pt_native_unlock, pt_native_holds - PT_LOCK, PT_UNLOCK, PT_HOLDS */
PT_API pt_status pt_native_lock(struct pt_native *self, struct pt_lock *lock);
PT_API pt_status pt_native_unlock(struct pt_native *self, struct pt_lock *lock);
PT_API bool pt_native_holds(const struct pt_native *self, const struct pt_lock *lock);

/* pt_native_wait_latest(self, &latest, &seen) - PT_WAIT_LATEST */
#define pt_native_wait_latest(self, latest, seen) \
    pt_native_latest_wait_(self, &(latest)->sent, seen)

/* pt_native_wait_broadcast(self, &broadcast, &subscriber, &value) - PT_WAIT_BROADCAST */
#define pt_native_wait_broadcast(self, broadcast, subscriber, to)                                  \
    (PT_CHECK_ONE_(broadcast, "pt_native_wait_broadcast")                                          \
             PT_CHECK_ONE_(subscriber, "pt_native_wait_broadcast") pt_native_broadcast_wait_(      \
                 self, &(broadcast)->sent, subscriber, PT_BROADCAST_KEEPS_(broadcast))             \
         ? (void)(*(to) =                                                                          \
                      (broadcast)->items[PT_BROADCAST_PLACE_(broadcast, (subscriber)->next - 1u)]) \
         : (void)0,                                                                                \
     (self)->pt.status)

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_status pt_native_wait_event(struct pt_native *self, struct pt_event *event)
{
    return pt_native_wait_if_(self, pt_event_must_wait_(self->task, &self->pt, event));
}

PT_API pt_status pt_native_acquire(struct pt_native *self, struct pt_semaphore *semaphore)
{
    return pt_native_wait_if_(self, pt_semaphore_must_wait_(self->task, &self->pt, semaphore));
}

PT_API pt_status pt_native_lock(struct pt_native *self, struct pt_lock *lock)
{
    return pt_native_wait_if_(self, pt_lock_must_wait_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_unlock(struct pt_native *self, struct pt_lock *lock)
{
    return pt_lock_release(lock, self->task);
}

PT_API bool pt_native_holds(const struct pt_native *self, const struct pt_lock *lock)
{
    return lock->owner == self->task;
}

PT_API pt_status pt_native_latest_wait_(struct pt_native *self, struct pt_broadcast_ *sent,
                                        unsigned *seen)
{
    pt_status status =
        pt_native_wait_if_(self, pt_broadcast_must_wait_(self->task, &self->pt, sent, *seen));

    if (status == PT_OK)
        *seen = sent->count;
    return status;
}

/* Whether a value has come; the code is in the frame's status. */
PT_API bool pt_native_broadcast_wait_(struct pt_native *self, struct pt_broadcast_ *sent,
                                      struct pt_subscriber *subscriber, unsigned keeps)
{
    pt_status status = pt_native_wait_if_(
        self, pt_broadcast_must_wait_(self->task, &self->pt, sent, subscriber->next));

    self->pt.status = status == PT_OK ? pt_broadcast_next_(sent, subscriber, keeps) : status;
    return status == PT_OK;
}

#endif
#endif
