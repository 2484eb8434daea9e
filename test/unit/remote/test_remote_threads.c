/* test_remote_threads.c - threads post to a loop as fast as they can, and every post counts
 * SPDX-License-Identifier: MIT
 *
 * The system decides the order of the posts; the result must not depend on it. The matrix has
 * rows that run this with a sanitizer for data races; test/explore tries all orders of a few
 * posts. */
/* with the room cancel: others of its own have some of its names */
#include "test_posters.h"

#if PT_PORT

#if PT_REMOTE && PT_CHANNELS && PT_CANCEL && PT_PAUSE

static void *release_one_of_two(void *number)
{
    for (int i = 0; i < EACH; i++)
        pt_remote_post(&remotes[(*(int *)number + i) % 2]);
    return NULL;
}

START_TEST(threads_release_units_of_a_semaphore_and_none_is_lost)
{
    open_loop();
    for (int i = 0; i < 2; i++)
        pt_remote_open(&remotes[i], &loop, pt_remote_release, &units);
    start_taker(POSTERS * EACH);
    run_to_the_end(POSTERS, release_one_of_two);
    ck_assert_uint_eq(units.count, 0);
}
END_TEST

/* --- wakes and events: a woken task sees what was written before the post --------------------- */

static int said[POSTERS], heard[POSTERS];

/* Answers each thread that has written something new; the thread continues when it has its
 * answer. */
struct listener {
    struct pt pt;
    struct pt_event *event; /* or NULL: wakes */
    int open;
};

static PT_ASYNC(listener, self)
{
    while (self->open) {
        if (self->event) {
            PT_WAIT_EVENT(self->event);
            pt_event_clear(self->event);
        } else {
            PT_PARK();
        }
        for (int i = 0; i < POSTERS; i++) {
            int now = __atomic_load_n(&said[i], __ATOMIC_RELAXED);

            self->open -= now == EACH && heard[i] < EACH;
            __atomic_store_n(&heard[i], now, __ATOMIC_RELAXED);
        }
    }
}
PT_END

static PT_TASK(listener) listener_task;

static void start_listener(struct pt_event *event)
{
    memset(said, 0, sizeof said);
    memset(heard, 0, sizeof heard);
    test_zero(listener_task);
    PT_START(&loop, &listener_task, listener, .event = event, .open = POSTERS);
}

/* Each value waits for its answer, so a lost wake would stop the test. */
static void *speak(void *number)
{
    int self = *(int *)number;

    for (int i = 1; i <= EACH; i++) {
        __atomic_store_n(&said[self], i, __ATOMIC_RELAXED);
        pt_remote_post(&remotes[0]);
        while (__atomic_load_n(&heard[self], __ATOMIC_RELAXED) < i)
            sched_yield();
    }
    return NULL;
}

START_TEST(after_every_wake_from_a_thread_the_task_checks_again)
{
    open_loop();
    pt_remote_open(&remotes[0], &loop, pt_remote_wake, &listener_task.task);
    start_listener(NULL);
    run_to_the_end(POSTERS, speak);
}
END_TEST

START_TEST(after_every_event_set_by_a_thread_the_task_checks_again)
{
    static struct pt_event event;

    open_loop();
    pt_event_init(&event);
    pt_remote_open(&remotes[0], &loop, pt_remote_set, &event);
    start_listener(&event);
    run_to_the_end(POSTERS, speak);
}
END_TEST

/* --- letters and items ------------------------------------------------------------------------- */

struct letter {
    struct pt_mail mail;
    int sender, number;
};

static struct pt_mailbox mailbox;
static struct letter letters[POSTERS][EACH];

struct receiver {
    struct pt pt;
    int wanted, wrong;
    int next[POSTERS];
    struct pt_mail *mail;
};

static PT_ASYNC(receiver, self)
{
    for (; self->wanted; self->wanted--) {
        PT_RECV_MAIL(&mailbox, &self->mail);
        self->wrong += ((struct letter *)(void *)self->mail)->number !=
                       self->next[((struct letter *)(void *)self->mail)->sender]++;
    }
}
PT_END

static void *send_letters(void *number)
{
    int self = *(int *)number;

    for (int i = 0; i < EACH; i++) {
        letters[self][i].sender = self;
        letters[self][i].number = i;
        if (i % 8 == 0)
            sched_yield(); /* so that the receiver sometimes waits */
        pt_mailbox_post(&mailbox, &letters[self][i].mail);
    }
    return NULL;
}

START_TEST(letters_from_threads_arrive_once_and_in_the_order_of_each_thread)
{
    static PT_TASK(receiver) receiver_task;

    open_loop();
    test_zero(receiver_task);
    pt_mailbox_open(&mailbox, &loop);
    PT_START(&loop, &receiver_task, receiver, .wanted = POSTERS * EACH);
    run_to_the_end(POSTERS, send_letters);
    ck_assert_int_eq(receiver_task.frame.wrong, 0);
    ck_assert_ptr_null(pt_mailbox_try(&mailbox));
}
END_TEST

static PT_RING(int, 16) ring;

struct getter {
    struct pt pt;
    int got, next, wrong;
};

static PT_ASYNC(getter, self)
{
    for (; self->next < EACH; self->next++) {
        PT_RING_GET(&ring, &self->got);
        self->wrong += self->got != self->next;
    }
}
PT_END

static void *put_all(void *number)
{
    for (int i = 0; i < EACH; i++)
        while (PT_RING_PUT(&ring, &i) != PT_OK)
            sched_yield();
    return number;
}

START_TEST(items_of_a_full_ring_arrive_in_order_if_refused_ones_are_put_again)
{
    static PT_TASK(getter) getter_task;

    open_loop();
    test_zero(getter_task);
    PT_RING_OPEN(&ring, &loop);
    PT_START(&loop, &getter_task, getter);
    run_to_the_end(1, put_all);
    ck_assert_int_eq(getter_task.frame.wrong, 0);
    ck_assert_ptr_null(pt_wait_queue_first_(&ring.ring.waiters));
}
END_TEST

#endif

Suite *suite_remote_threads(void)
{
    Suite *suite = test_suite("remote_threads");

#if PT_REMOTE && PT_CHANNELS && PT_CANCEL && PT_PAUSE
    test_add(suite, threads_release_units_of_a_semaphore_and_none_is_lost);
    test_add(suite, after_every_wake_from_a_thread_the_task_checks_again);
    test_add(suite, after_every_event_set_by_a_thread_the_task_checks_again);
    test_add(suite, letters_from_threads_arrive_once_and_in_the_order_of_each_thread);
    test_add(suite, items_of_a_full_ring_arrive_in_order_if_refused_ones_are_put_again);
#endif
    return suite;
}
#else

Suite *suite_remote_threads(void)
{
    return test_suite("remote_threads");
}

#endif
