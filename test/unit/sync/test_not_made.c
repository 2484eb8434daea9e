/* test_not_made.c - PT_DEBUG stops at the first use of what was zeroed, but never made
 * SPDX-License-Identifier: MIT
 *
 * This file switches the checks on. Its panic handler jumps back to the test. */
#undef PT_DEBUG
#define PT_DEBUG 1
#define PT_OTHER_KNOBS 1
#if !defined(PT_REMOTE) || PT_REMOTE
#undef PT_WAKERS
#define PT_WAKERS 1 /* as on a part; else a waker is a remote */
#endif

#include "test_escape.h"

#if PT_PORT && PT_AWAIT && PT_SYNC && PT_CHANNELS && PT_REMOTE

static struct pt_barrier barrier;
static struct pt_rwlock rwlock;
static struct pt_semaphore semaphore;

enum thing { BARRIER, SHARED, EXCLUSIVE, SEMAPHORE };

struct user {
    struct pt pt;
    enum thing thing;
};

static PT_ASYNC(user, self)
{
    if (self->thing == BARRIER)
        PT_WAIT_BARRIER(&barrier);
    if (self->thing == SHARED)
        PT_LOCK_SHARED(&rwlock);
    if (self->thing == EXCLUSIVE)
        PT_LOCK_EXCLUSIVE(&rwlock);
    if (self->thing == SEMAPHORE)
        PT_ACQUIRE(&semaphore);
    PT_PARK();
}
PT_END

static PT_TASK(user) task;
static struct pt_loop loop;
static PT_LOOP_STORAGE(2) storage;

/* Without memory: after a panic nothing would free it. */
static void open_loop(void)
{
    test_zero(task);
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
}

/* Let a task use the thing. */
static void use(int thing)
{
    open_loop();
    ck_assert_int_eq(PT_START(&loop, &task, user, .thing = (enum thing)thing), PT_OK);
    pt_loop_turn(&loop, TEST_START);
}

START_TEST(what_tasks_wait_for_is_caught_if_it_was_not_initialized)
{
    test_zero(barrier);
    test_zero(rwlock);
    test_zero(semaphore);
    ck_assert_panic(use(BARRIER), "a barrier: it was not initialized: call pt_barrier_init");
    ck_assert_panic(use(SHARED), "a rwlock: it was not initialized: call pt_rwlock_init");
    ck_assert_panic(use(EXCLUSIVE), "a rwlock: it was not initialized: call pt_rwlock_init");
    ck_assert_panic(use(SEMAPHORE),
                    "a channel, a queue, a lock: it was not initialized: call pt_channel_init, "
                    "PT_QUEUE_INIT, pt_lock_init...");
    pt_barrier_init(&barrier, 2);
    pt_rwlock_init(&rwlock);
    pt_semaphore_init(&semaphore, 1, 1);
    for (int thing = 0; thing <= SEMAPHORE; thing++) {
        if (thing == EXCLUSIVE)
            pt_rwlock_init(&rwlock); /* the reader is gone */
        use(thing);
    }
}
END_TEST

static struct pt_remote remote;

static void nothing(struct pt_remote *self, unsigned times)
{
    (void)self, (void)times;
}

START_TEST(a_remote_that_was_not_opened_is_caught)
{
    test_zero(remote);
    ck_assert_panic((void)pt_remote_post(&remote),
                    "a remote: it was not opened: call pt_remote_open");
    ck_assert_panic(pt_remote_close(&remote), "a remote: it was not opened: call pt_remote_open");
}
END_TEST

START_TEST(a_remote_that_is_opened_again_while_its_post_waits_is_caught)
{
    static struct pt_remote other;

    open_loop();
    pt_remote_open(&remote, &loop, nothing, NULL);
    pt_remote_open(&other, &loop, nothing, NULL);
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    ck_assert_int_eq(pt_remote_post(&other), PT_OK); /* the first in the inbox now */
    ck_assert_panic(pt_remote_open(&remote, &loop, nothing, NULL),
                    "pt_remote_open: it was posted and not closed: call pt_remote_close");
    pt_remote_close(&remote);
    pt_remote_open(&remote, &loop, nothing, NULL);
}
END_TEST

START_TEST(a_ring_or_a_mailbox_that_was_not_opened_is_caught)
{
    static PT_RING(int, 2) ring;
    static struct pt_mailbox mailbox;
    static struct pt_mail mail;
    static const int item = 1;

    ck_assert_panic((void)!PT_RING_PUT(&ring, &item),
                    "a ring: it was not opened: call PT_RING_OPEN");
    ck_assert_panic((void)pt_mailbox_post(&mailbox, &mail),
                    "a mailbox: it was not opened: call pt_mailbox_open");
}
END_TEST

#if PT_WAKERS
START_TEST(a_waker_is_caught_if_it_was_not_opened_or_is_opened_twice)
{
    static struct pt_waker waker;

    ck_assert_panic(pt_waker_post(&waker), "a waker: it was not opened: call pt_waker_open");
    ck_assert_panic(pt_waker_close(&waker), "a waker: it was not opened: call pt_waker_open");
    open_loop();
    pt_waker_open(&waker, &loop, &task.task);
    ck_assert_panic(pt_waker_open(&waker, &loop, &task.task), "pt_waker_open: it is open already");
    pt_waker_close(&waker);
    pt_waker_open(&waker, &loop, &task.task);
}
END_TEST
#endif

Suite *suite_not_made(void)
{
    Suite *suite = test_suite("not_made");

    test_add(suite, what_tasks_wait_for_is_caught_if_it_was_not_initialized);
    test_add(suite, a_remote_that_was_not_opened_is_caught);
    test_add(suite, a_remote_that_is_opened_again_while_its_post_waits_is_caught);
    test_add(suite, a_ring_or_a_mailbox_that_was_not_opened_is_caught);
#if PT_WAKERS
    test_add(suite, a_waker_is_caught_if_it_was_not_opened_or_is_opened_twice);
#endif
    return suite;
}
#else

Suite *suite_not_made(void)
{
    return test_suite("not_made");
}

#endif
