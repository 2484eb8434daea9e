/* test_primitives.h - one of each primitive, users that wait for it, and gifts that end the waits
 * SPDX-License-Identifier: MIT
 *
 * Each primitive starts in a state in which a user must wait. */
#ifndef PT_TEST_PRIMITIVES_H
#define PT_TEST_PRIMITIVES_H

#include "test_talk.h"

#if PT_SYNC && PT_CANCEL && PT_TIMEOUTS && PT_PORT

enum object {
    EVENT,
    SEMAPHORE,
    LOCK,
    LATEST,
    BROADCAST,
    CONDITION,
    SEND,
    RECEIVE,
    PUSH,
    POP,
    FLAGS,
    BARRIER,
    SHARED,
    EXCLUSIVE,
    RING,
    MAILBOX,
    HELD
};
enum when { AT_ONCE, LATER, HASTY }; /* hasty: interrupted in the step that begins to wait */

static struct pt_event event, never;
static struct pt_semaphore semaphore;
static struct pt_lock lock;
static PT_LATEST(int) latest;
static PT_BROADCAST(int, 4) broadcast;
#if PT_CHANNELS
static struct pt_condition condition;
static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 1) full, empty;
static struct pt_flags flags;
static struct pt_barrier barrier;
static struct pt_rwlock guard;
#endif
#if PT_CHANNELS && PT_REMOTE
struct letter {
    struct pt_mail mail;
    int number;
};
static PT_RING(int, 4) ring;
static struct pt_mailbox mailbox;
static struct letter letters[4];
#endif

static int made, came;  /* the last number that was given, and that a user got */
static bool taken[128]; /* which users' values were taken */

/* Waits for OBJECT, directly or in a select; keeps it for a while; releases what it holds. */
struct user {
    struct pt pt;
    struct pt_scope limit;
    int name, number;
    enum object object;
    bool select, got;
    enum when when;
    pt_time delay;
    unsigned seen;
    struct pt_subscriber subscriber;
    struct pt_held held;
#if PT_CHANNELS
    struct pt_flags_wanted wanted;
#endif
#if PT_CHANNELS && PT_REMOTE
    struct pt_mail *mail;
#endif
#if PT_SELECTS
    PT_SELECTION(2) choice;
#endif
};

/* The number must be the next one: none is lost or duplicated. */
static void check_number(struct user *self)
{
#if PT_CHANNELS && PT_REMOTE
    if (self->object == MAILBOX)
        self->number = ((struct letter *)(void *)self->mail)->number;
#endif
    if (self->object == RECEIVE || self->object == POP || self->object == RING ||
        self->object == MAILBOX)
        ck_assert_int_eq(self->number, ++came);
    else if (self->object == LATEST)
        ck_assert_int_eq(latest.value, made);
    else if (self->object == BROADCAST)
        ck_assert_int_eq(self->number, made);
}

static void give_back(const struct user *self, const struct pt_task *task)
{
    if (lock.owner == task) { /* however the wait for a condition ends, it holds its lock */
        ck_assert(self->object == CONDITION || (self->got && self->object != HELD));
        pt_lock_release(&lock, task);
    }
#if PT_CHANNELS
    if (guard.writer == task)
        pt_rwlock_release_exclusive(&guard, task);
    if (self->object == SHARED && self->got)
        pt_rwlock_release_shared(&guard);
#endif
}

static PT_ASYNC(user, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->delay) {
        if (self->when == LATER)
            PT_WAIT(PT_MS(9));
        if (self->when == HASTY && self->delay == PT_DELAY_NEVER)
            pt_cancel(pt_current_, PT_ECANCELED);
        if (self->object == EVENT && !self->select)
            PT_WAIT_EVENT(&event);
        else if (self->object == SEMAPHORE && !self->select)
            PT_ACQUIRE(&semaphore);
        else if (self->object == LOCK && !self->select)
            PT_LOCK(&lock);
        else if (self->object == LATEST && !self->select)
            PT_WAIT_LATEST(&latest, &self->seen);
        pt_subscribe(&broadcast, &self->subscriber);
        if (self->object == BROADCAST && !self->select)
            PT_WAIT_BROADCAST(&broadcast, &self->subscriber, &self->number);
        if (self->object == HELD)
            PT_WITH_LOCK(&self->held, &lock) {
                self->got = true;
                PT_WAIT(PT_MS(9));
            }
#if PT_CHANNELS
        if (self->object == CONDITION) {
            PT_LOCK(&lock);
            PT_WAIT_CONDITION(&condition, &lock);
        }
        if (self->object == SEND && !self->select)
            PT_SEND(&channel, &self->name);
        else if (self->object == RECEIVE && !self->select)
            PT_RECV(&channel, &self->number);
        else if (self->object == PUSH && !self->select)
            PT_PUSH(&full, &self->name);
        else if (self->object == POP && !self->select)
            PT_POP(&empty, &self->number);
        else if (self->object == FLAGS && !self->select)
            PT_WAIT_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_CLEAR);
        else if (self->object == BARRIER)
            PT_WAIT_BARRIER(&barrier);
        else if (self->object == SHARED)
            PT_LOCK_SHARED(&guard);
        else if (self->object == EXCLUSIVE)
            PT_LOCK_EXCLUSIVE(&guard);
#endif
#if PT_SELECTS
        if (self->object == EVENT && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_EVENT(&event));
        else if (self->object == SEMAPHORE && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_ACQUIRE(&semaphore));
        else if (self->object == LOCK && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_LOCK(&lock));
        else if (self->object == SEND && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_SEND(&channel, &self->name));
        else if (self->object == RECEIVE && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_RECV(&channel, &self->number));
        else if (self->object == PUSH && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_PUSH(&full, &self->name));
        else if (self->object == POP && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_POP(&empty, &self->number));
        else if (self->object == FLAGS && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never),
                      PT_CASE_FLAGS(&flags, &self->wanted, 1, PT_FLAGS_CLEAR));
        else if (self->object == LATEST && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_BROADCAST(&latest, self->seen));
        else if (self->object == BROADCAST && self->select)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never),
                      PT_CASE_BROADCAST(&broadcast, self->subscriber.next));
        if (self->object == BROADCAST && self->select)
            PT_WAIT_BROADCAST(&broadcast, &self->subscriber, &self->number);
#endif
#if PT_CHANNELS && PT_REMOTE
        if (self->object == RING && !self->select)
            PT_RING_GET(&ring, &self->number);
        else if (self->object == MAILBOX && !self->select)
            PT_RECV_MAIL(&mailbox, &self->mail);
#if PT_SELECTS
        else if (self->object == RING)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never), PT_CASE_RING_GET(&ring, &self->number));
        else if (self->object == MAILBOX)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&never),
                      PT_CASE_RECV_MAIL(&mailbox, &self->mail));
#endif
#endif
#if PT_SELECTS
        if (self->select)
            ck_assert_int_eq(PT_SELECTED(&self->choice), 1);
#endif
        ck_assert_int_eq(self->pt.status, PT_OK);
        self->got = true;
        check_number(self);
        PT_WAIT(PT_MS(9));
    }
    PT_FINALLY
    give_back(self, pt_current_);
}
PT_END

typedef PT_TASK(user) user_task;
static user_task a, b, keeper; /* keeper never runs; it holds what others wait for */

/* Complete the wait of the first waiter. */
#if PT_CHANNELS
static void give_by_channels(enum object object)
{
    int number = ++made;

    if (object == SEND) {
        ck_assert_int_eq(PT_TRY_RECV(&channel, &number), PT_OK);
        taken[number] = true;
    } else if (object == RECEIVE) {
        ck_assert_int_eq(PT_TRY_SEND(&channel, &number), PT_OK);
    } else if (object == PUSH) {
        ck_assert_int_eq(PT_TRY_POP(&full, &number), PT_OK);
        ck_assert(!taken[number]);
        taken[number] = true;
    } else if (object == POP) {
        ck_assert_int_eq(PT_TRY_PUSH(&empty, &number), PT_OK);
    } else if (object == CONDITION) {
        pt_condition_notify(&condition);
    } else if (object == FLAGS) {
        pt_flags_set(&flags, 1);
    } else if (object == BARRIER) { /* the last one comes */
        barrier.parties = barrier.waiting + 1;
        ck_assert(!pt_barrier_must_wait_(&keeper.task, &keeper.frame.pt, &barrier));
    } else if (guard.writer == &keeper.task) {
        pt_rwlock_release_exclusive(&guard, &keeper.task);
    }
}
#endif

static void give(enum object object)
{
    if (object == EVENT) {
        pt_event_set(&event);
    } else if (object == SEMAPHORE) {
        ck_assert_int_eq(pt_semaphore_release(&semaphore), PT_OK);
    } else if (object == LOCK || object == HELD) {
        if (lock.owner == &keeper.task)
            pt_lock_release(&lock, &keeper.task);
    } else if (object == LATEST || object == BROADCAST) {
        made++;
        pt_latest_set(&latest, made);
        pt_broadcast_send(&broadcast, made);
    }
#if PT_CHANNELS && PT_REMOTE
    else if (object == RING || object == MAILBOX) {
        made++;
        letters[made - 1].number = made;
        ck_assert_int_eq(object == RING ? PT_RING_PUT(&ring, &made)
                                        : pt_mailbox_post(&mailbox, &letters[made - 1].mail),
                         PT_OK);
        pt_loop_receive_(&world.loop); /* as the next turn would do */
    }
#endif
#if PT_CHANNELS
    else {
        give_by_channels(object);
    }
#endif
}

/* How many tasks wait for the object. */
static int waiting(enum object object)
{
    switch (object) {
    case EVENT: return wait_list_count(&event.waiters);
    case SEMAPHORE: return pt_wait_queue_count_(&semaphore.waiters);
    case LOCK:
    case HELD: return pt_wait_queue_count_(&lock.waiters);
    case LATEST: return wait_list_count(&latest.sent.waiters);
    case BROADCAST: return wait_list_count(&broadcast.sent.waiters);
#if PT_CHANNELS
    case CONDITION: return pt_wait_queue_count_(&condition.waiters);
    case SEND: return pt_channel_balance(&channel.channel);
    case RECEIVE: return -pt_channel_balance(&channel.channel);
    case PUSH: return pt_wait_queue_count_(&full.queue.pushers);
    case POP: return pt_wait_queue_count_(&empty.queue.poppers);
    case FLAGS: return pt_wait_queue_count_(&flags.waiters);
    case BARRIER:
        ck_assert_int_eq(wait_list_count(&barrier.waiters), (int)barrier.waiting);
        return (int)barrier.waiting;
    case SHARED: return wait_list_count(&guard.readers);
    case EXCLUSIVE: return pt_wait_queue_count_(&guard.writers);
#endif
#if PT_CHANNELS && PT_REMOTE
    case RING: return pt_wait_queue_count_(&ring.ring.waiters);
    case MAILBOX: return pt_wait_queue_count_(&mailbox.waiters);
#endif
    default: return -1;
    }
}

/* Open all primitives such that a user of OBJECT must wait. */
static void open_all(enum object object)
{
    test_zero(a);
    test_zero(b);
    test_zero(taken);
    test_zero(latest);
    test_zero(broadcast);
    test_open(&world);
    made = came = 0;
    pt_event_init(&event);
    pt_event_init(&never);
    pt_semaphore_init(&semaphore, 0, 1);
    pt_lock_init(&lock);
    if (object == LOCK || object == HELD)
        pt_lock_try(&lock, &keeper.task);
#if PT_CHANNELS
    pt_condition_init(&condition);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&full);
    PT_QUEUE_INIT(&empty);
    ck_assert_int_eq(PT_TRY_PUSH(&full, &made), PT_OK);
    pt_flags_init(&flags);
    pt_barrier_init(&barrier, 3);
    pt_rwlock_init(&guard);
    pt_rwlock_try_exclusive(&guard, &keeper.task);
#endif
#if PT_CHANNELS && PT_REMOTE
    PT_RING_OPEN(&ring, &world.loop);
    pt_mailbox_open(&mailbox, &world.loop);
#endif
}

#endif
#endif
