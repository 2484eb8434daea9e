/* native_channel.h - operations of native tasks: channels, queues, and what else has PT_CHANNELS
 * SPDX-License-Identifier: MIT
 *
 *     while (pt_native_recv(self, &numbers, &number) == PT_OK)
 *         total += number;
 *
 * Conditions, flags, barriers and reader-writer locks have the knob of channels. Included by
 * native.h. */
#ifndef PT_NATIVE_CHANNEL_H
#define PT_NATIVE_CHANNEL_H

#include "native_body.h"
#include "../sync/barrier.h"
#include "../sync/channel.h"
#include "../sync/flags.h"
#include "../sync/lock.h"
#include "../sync/mailbox.h"
#include "../sync/queue.h"
#include "../sync/ring.h"
#include "../sync/rwlock.h"

#if PT_CHANNELS

/* --- values -------------------------------------------------------------------------------- */

/* pt_native_send(self, &channel, &value), pt_native_recv - PT_SEND, PT_RECV
 * The value may be a local. */
#define pt_native_send(self, ch, value)                                   \
    PT_NATIVE_TRANSFER_(self, pt_channel_send_must_wait_, &(ch)->channel, \
                        PT_CONST_ITEM_((ch)->type_, value))
#define pt_native_recv(self, ch, value)                                      \
    PT_NATIVE_TRANSFER_(self, pt_channel_receive_must_wait_, &(ch)->channel, \
                        PT_ITEM_((ch)->type_, value))

/* pt_native_push(self, &queue, &value), pt_native_pop - PT_PUSH, PT_POP */
#define pt_native_push(self, q, value)                               \
    PT_NATIVE_TRANSFER_(self, pt_queue_push_must_wait_, &(q)->queue, \
                        PT_CONST_ITEM_((q)->items, value))
#define pt_native_pop(self, q, value) \
    PT_NATIVE_TRANSFER_(self, pt_queue_pop_must_wait_, &(q)->queue, PT_ITEM_((q)->items, value))

/* pt_native_get(self, &ring, &item) - PT_RING_GET */
#define pt_native_get(self, r, item) \
    PT_NATIVE_TRANSFER_(self, pt_ring_get_must_wait_, &(r)->ring, PT_ITEM_((r)->items, item))

#if PT_REMOTE
/* pt_native_recv_mail(self, &mailbox, &mail) - PT_RECV_MAIL */
PT_API pt_status pt_native_recv_mail(struct pt_native *self, struct pt_mailbox *mailbox,
                                     struct pt_mail **mail);
#endif

/* --- conditions, flags, barriers, reader-writer locks -------------------------------------- */

/* pt_native_wait_condition(self, &condition, &lock) - PT_WAIT_CONDITION
 * If a cancel or a timeout ends the wait, its code is returned, and the task holds the lock. */
#define pt_native_wait_condition(self, condition, lock) \
    pt_native_wait_if_(self, PT_CONDITION_MUST_WAIT_((self)->task, &(self)->pt, condition, lock))

/* pt_native_wait_flags - PT_WAIT_FLAGS */
PT_API pt_status pt_native_wait_flags(struct pt_native *self, struct pt_flags *flags,
                                      struct pt_flags_wanted *wanted, unsigned mask, unsigned how);

/* pt_native_wait_barrier - PT_WAIT_BARRIER */
PT_API pt_status pt_native_wait_barrier(struct pt_native *self, struct pt_barrier *barrier);

/* pt_native_lock_shared, pt_native_lock_exclusive, pt_native_unlock_exclusive - as in rwlock.h
 * They are PT_LOCK_SHARED, PT_LOCK_EXCLUSIVE and PT_UNLOCK_EXCLUSIVE. */
PT_API pt_status pt_native_lock_shared(struct pt_native *self, struct pt_rwlock *lock);
PT_API pt_status pt_native_lock_exclusive(struct pt_native *self, struct pt_rwlock *lock);
PT_API pt_status pt_native_unlock_exclusive(struct pt_native *self, struct pt_rwlock *lock);

/* --- implementation ------------------------------------------------------------------------ */

/* An operation that transfers a value. */
#define PT_NATIVE_TRANSFER_(self, pass, through, item) \
    pt_native_wait_if_(self, pass((self)->task, &(self)->pt, through, item))

#if PT_REMOTE
PT_API pt_status pt_native_recv_mail(struct pt_native *self, struct pt_mailbox *mailbox,
                                     struct pt_mail **mail)
{
    return pt_native_wait_if_(self, pt_recv_mail_(self->task, &self->pt, mailbox, mail, 0));
}
#endif

PT_API pt_status pt_native_wait_flags(struct pt_native *self, struct pt_flags *flags,
                                      struct pt_flags_wanted *wanted, unsigned mask, unsigned how)
{
    return pt_native_wait_if_(self,
                              pt_flags_must_wait_(self->task, &self->pt, flags, wanted, mask, how));
}

PT_API pt_status pt_native_wait_barrier(struct pt_native *self, struct pt_barrier *barrier)
{
    return pt_native_wait_if_(self, pt_barrier_must_wait_(self->task, &self->pt, barrier));
}

PT_API pt_status pt_native_lock_shared(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_native_wait_if_(self, pt_rwlock_shared_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_lock_exclusive(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_native_wait_if_(self, pt_rwlock_exclusive_(self->task, &self->pt, lock));
}

PT_API pt_status pt_native_unlock_exclusive(struct pt_native *self, struct pt_rwlock *lock)
{
    return pt_rwlock_release_exclusive(lock, self->task);
}

#endif
#endif
