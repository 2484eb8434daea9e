/* test_posts.c - posts from other threads and signal handlers, and the wakeup of the loop
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/host/signals.h>

#include <pthread.h>
#include <semaphore.h>

/* A thread has seen that the loop sleeps, and is about to send a wakeup when the loop closes. */
START_TEST(a_post_during_the_close_writes_to_no_other_descriptor)
{
    struct pt_port port;
    int ends[2];
    char byte;

    host_open(host_pollers[_i]);
    port = host.system.port;
    host_close();
    host_pair(ends); /* has the descriptor numbers of the wakeup */
    port.kick(port.context);
    ck_assert_int_eq(read(ends[0], &byte, 1), -1);
    ck_assert_int_eq(read(ends[1], &byte, 1), -1);
    close(ends[0]), close(ends[1]);
}
END_TEST

START_TEST(a_post_in_a_signal_handler_leaves_errno_alone)
{
    host_open(host_pollers[_i]);
    host_fail(HOST_write, 0, 1, EAGAIN);
    errno = 0;
    host.system.port.kick(host.system.port.context);
    ck_assert_int_eq(errno, 0);
    ck_assert_int_eq(host.calls[HOST_write], 1);
    host_close();
}
END_TEST

/* --- closing during a post ------------------------------------------------------------------- */

static pthread_t closer;
static sem_t in_hand, go;

/* Stop another thread just before it writes, until the closing thread waits for it. */
static void hold_up(void)
{
    if (!pthread_equal(pthread_self(), closer)) {
        sem_post(&in_hand);
        sem_wait(&go);
    }
}

static void let_go(void)
{
    sem_post(&go);
}

/* Stop ACT in a thread before it writes, call CLOSE_IT, and check that it waits for the write. */
static void close_meanwhile(void *(*act)(void *), void (*close_it)(void))
{
    int ends[2];
    char byte;
    pthread_t thread;

    closer = pthread_self();
    sem_init(&in_hand, 0, 0);
    sem_init(&go, 0, 0);
    host.on_write = hold_up;
    host.on_yield = let_go;
    ck_assert_int_eq(pthread_create(&thread, NULL, act, NULL), 0);
    sem_wait(&in_hand);
    close_it();
    host_pair(ends); /* has the descriptor numbers that were closed */
    sem_post(&go);
    pthread_join(thread, NULL);
    ck_assert_int_eq(read(ends[0], &byte, 1), -1);
    ck_assert_int_eq(read(ends[1], &byte, 1), -1);
    close(ends[0]), close(ends[1]);
}

static void *kick(void *nothing)
{
    host.system.port.kick(&host.system);
    return nothing;
}

START_TEST(a_close_waits_for_a_thread_that_is_sending_a_wakeup)
{
    host_open(host_pollers[_i]);
    close_meanwhile(kick, host_close);
}
END_TEST

static struct pt_signals signals;

static void *signalled(void *nothing)
{
    raise(SIGUSR1); /* in this thread */
    return nothing;
}

static void close_signals(void)
{
    pt_signals_close(&signals);
}

START_TEST(a_close_waits_for_a_signal_handler_in_another_thread)
{
    host_open(host_pollers[_i]);
    ck_assert_int_eq(pt_signals_open(&signals, &host.system), PT_OK);
    ck_assert_int_eq(pt_signals_watch(&signals, SIGUSR1), PT_OK);
    close_meanwhile(signalled, close_signals);
    host_close();
}
END_TEST

/* --- how many wakeups ------------------------------------------------------------------------ */

static void note(struct pt_remote *self, unsigned times)
{
    trace_add("%s:%u ", (const char *)self->target, times);
}

START_TEST(posts_send_one_wakeup_while_a_loop_sleeps_and_none_while_it_runs)
{
    static char one[] = "one", two[] = "two";
    struct pt_remote remotes[2];

    host_open(host_pollers[_i]);
    pt_remote_open(&remotes[0], &host.loop, note, one);
    pt_remote_open(&remotes[1], &host.loop, note, two);
    pt_remote_post(&remotes[0]); /* the loop runs */
    ck_assert_int_eq(host.calls[HOST_write], 0);
    pt_loop_turn(&host.loop, host.now);
    ck_assert(pt_loop_may_sleep_(&host.loop));
    for (int i = 0; i < 3; i++) {
        pt_remote_post(&remotes[1]);
        pt_remote_post(&remotes[0]);
    }
    ck_assert_int_eq(host.calls[HOST_write], 1);
    pt_loop_turn(&host.loop, host.now);
    ck_assert_trace("one:1 two:3 one:3 ");
    host_close();
}
END_TEST

static actor_task a;

START_TEST(a_wakeup_is_drained_once)
{
    struct pt_io io;
    int ends[2];

    host_open(host_pollers[_i]);
    host_pair(ends);
    ck_assert_int_eq(pt_io_open(&io, &host.system, ends[0]), PT_OK);
    host_start(&a, 'A', &io, "r");
    host_run(); /* until it sleeps */
    memset(host.calls, 0, sizeof host.calls);
    host.system.port.kick(host.system.port.context);
    host_run();
    ck_assert_int_eq(host.calls[HOST_read], 1);
    if (!host_is(_i, "poll"))
        ck_assert_int_le(host.calls[host_waits_by(_i)], 2); /* no further wakeup came */
    pt_io_close(&io);
    host_run();
    close(ends[1]);
    host_close();
}
END_TEST

Suite *host_suite_posts(void)
{
    Suite *suite = suite_create("posts");

    host_test(suite, a_post_during_the_close_writes_to_no_other_descriptor);
    host_test(suite, a_close_waits_for_a_thread_that_is_sending_a_wakeup);
    host_test(suite, a_close_waits_for_a_signal_handler_in_another_thread);
    host_test(suite, posts_send_one_wakeup_while_a_loop_sleeps_and_none_while_it_runs);
    host_test(suite, a_post_in_a_signal_handler_leaves_errno_alone);
    host_test(suite, a_wakeup_is_drained_once);
    return suite;
}
