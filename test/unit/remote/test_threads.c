/* test_threads.c - other threads lock a running loop: they list, pause, wake, spawn, cancel
 * SPDX-License-Identifier: MIT
 *
 * The system decides the order of the threads; the result must not depend on it. The matrix has
 * rows that run this with a sanitizer for data races. */
#define PT_THREADS /* pt_single.h includes threads.h, too */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS

#if PT_INSPECT && PT_PAUSE && PT_CANCEL

#include <pt/inspect.h>
#include <pt/threads.h>

#include <sched.h>

static struct pt_shared shared;
static struct pt_loop loop;

static void open_loop(void)
{
    ck_assert_int_eq(pt_shared_open(&shared, &loop), PT_OK);
}

static void close_loop(void)
{
    pt_shared_close(&shared);
    pt_shared_close(&shared); /* no effect */
}

/* Starts the threads in a turn, so that turns come before and after each call of `visit`. */
struct starter {
    struct pt pt;
    int count;
    void *(*visit)(void *);
    pthread_t threads[4];
};

static PT_ASYNC(starter, self)
{
    static int numbers[] = {0, 1, 2, 3};

    for (int i = 0; i < self->count; i++)
        ck_assert_int_eq(pthread_create(&self->threads[i], NULL, self->visit, &numbers[i]), 0);
}
PT_END

static PT_TASK(starter) starter_task;

/* Run the loop while each of COUNT threads calls VISIT with its number. */
static void run_with(int count, void *(*visit)(void *))
{
    test_zero(starter_task);
    PT_START(&loop, &starter_task, starter, .count = count, .visit = visit);
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(pthread_join(starter_task.frame.threads[i], NULL), 0);
}

/* Counts its turns or its wakes until it is canceled. */
struct counter {
    struct pt pt;
    bool parks;
    int count;
};

static PT_ASYNC(counter, self)
{
    for (;;) {
        if (self->parks)
            PT_PARK();
        else
            PT_YIELD();
        self->count++;
    }
}
PT_END

static PT_TASK(counter) spinner, parked;

static void start_counters(void)
{
    test_zero(spinner);
    test_zero(parked);
    ck_assert_int_eq(PT_START(&loop, &spinner, counter, .parks = false), PT_OK);
    ck_assert_int_eq(PT_START(&loop, &parked, counter, .parks = true), PT_OK);
}

static void cancel_all(void)
{
    pt_shared_enter(&shared);
    pt_loop_cancel(&loop, PT_ECANCELED);
    pt_shared_leave(&shared);
}

/* --- threads that hold the lock --- */

/* How many tasks a thread sees, or 0 if the list and the count differ. */
static unsigned list_tasks(void)
{
    unsigned count = 0;

    for (struct pt_task *task = pt_loop_task(&loop, NULL); task; task = pt_loop_task(&loop, task))
        count++;
    return count == pt_loop_live(&loop) ? count : 0;
}

static void *list_and_pause(void *number)
{
    (void)number;
    for (int i = 0; i < 100; i++) {
        int before;

        pt_shared_enter(&shared);
        if (list_tasks() != 2 || pt_loop_current(&loop) || pt_task_paused(&spinner.task))
            trace_add("wrong ");
        pt_pause(&spinner.task);
        before = spinner.frame.count;
        pt_shared_leave(&shared);
        pt_shared_enter(&shared); /* a turn has passed */
        if (!pt_task_paused(&spinner.task) || pt_task_paused(&parked.task) ||
            pt_task_state(&spinner.task) != PT_TASK_HELD || spinner.frame.count != before)
            trace_add("ran ");
        pt_resume(&spinner.task);
        pt_shared_leave(&shared);
        pt_shared_enter(&shared);
        if (pt_task_paused(&spinner.task) || spinner.frame.count <= before)
            trace_add("did not run ");
        pt_shared_leave(&shared);
    }
    cancel_all();
    return NULL;
}

START_TEST(another_thread_lists_pauses_and_resumes_tasks)
{
    open_loop();
    start_counters();
    run_with(1, list_and_pause);
    ck_assert_trace("");
    ck_assert_uint_eq(list_tasks(), 0);
    ck_assert(pt_task_paused(&spinner.task)); /* a task that is not alive counts as paused */
    close_loop();
}
END_TEST

static void *wake_often(void *number)
{
    (void)number;
    for (int i = 0; i < 100; i++) {
        pt_shared_enter(&shared);
        pt_wake(&parked.task);
        pt_shared_leave(&shared);
    }
    return NULL;
}

static void *cancel_after_400(void *number)
{
    if (*(int *)number) /* three threads wake, and the fourth ends the run */
        return wake_often(number);
    wake_often(number);
    for (int count = 0; count < 400;) {
        pt_shared_enter(&shared);
        count = parked.frame.count;
        pt_shared_leave(&shared);
    }
    cancel_all();
    return NULL;
}

/* A turn follows each hold of the lock, so that no two wakes become one. */
START_TEST(a_turn_follows_each_hold_of_the_lock_so_that_every_wake_counts)
{
    open_loop();
    start_counters();
    run_with(4, cancel_after_400);
    ck_assert_int_eq(parked.frame.count, 400);
    ck_assert_int_eq(parked.frame.pt.status, PT_ECANCELED);
    close_loop();
}
END_TEST

START_TEST(a_loop_that_sleeps_forever_wakes_for_a_thread_that_wants_its_lock)
{
    open_loop();
    test_zero(parked);
    ck_assert_int_eq(PT_START(&loop, &parked, counter, .parks = true), PT_OK);
    run_with(4, cancel_after_400);
    ck_assert_int_eq(parked.frame.count, 400);
    close_loop();
}
END_TEST

struct sleeper {
    struct pt pt;
    pt_time delay;
    bool woke;
};

static PT_ASYNC(sleeper, self)
{
    PT_WAIT(self->delay);
    self->woke = true;
}
PT_END

static PT_TASK(sleeper) sleepers[2];

static void *cancel_sleeper(void *number)
{
    (void)number;
    pt_shared_enter(&shared);
    pt_cancel(&sleepers[0].task, PT_ECANCELED);
    pt_shared_leave(&shared);
    return NULL;
}

START_TEST(a_loop_in_a_long_sleep_wakes_for_a_thread_and_for_its_timers)
{
    open_loop();
    test_zero(sleepers);
    PT_START(&loop, &sleepers[0], sleeper, .delay = PT_DELAY_MAX);
    PT_START(&loop, &sleepers[1], sleeper, .delay = PT_MS(1));
    run_with(1, cancel_sleeper);
    ck_assert(!sleepers[0].frame.woke);
    ck_assert(sleepers[1].frame.woke);
    close_loop();
}
END_TEST

/* --- spawning --- */

struct addition {
    struct pt pt;
    int *sum, term;
};

static PT_ASYNC(addition, self)
{
    PT_YIELD();
    *self->sum += self->term;
}
PT_END

enum { EACH = 40 };

static PT_TASK(addition) additions[4][EACH];
static int sum;

static void *spawn_many(void *number)
{
    int thread = *(int *)number;

    for (int i = 0; i < EACH; i++) {
        pt_shared_enter(&shared);
        if (PT_START(&loop, &additions[thread][i], addition, .sum = &sum, .term = i) != PT_OK)
            trace_add("failed ");
        if (thread == 0) /* the others are not done: their late tasks run in the next run */
            pt_cancel(&parked.task, PT_ECANCELED);
        pt_shared_leave(&shared);
    }
    return NULL;
}

START_TEST(threads_spawn_tasks_and_late_ones_run_in_the_next_run)
{
    open_loop();
    test_zero(additions);
    test_zero(parked);
    sum = 0;
    ck_assert_int_eq(PT_START(&loop, &parked, counter, .parks = true), PT_OK);
    run_with(4, spawn_many);
    ck_assert_trace("");
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    ck_assert_int_eq(sum, 4 * EACH * (EACH - 1) / 2);
    close_loop();
}
END_TEST

static void *cancel_once(void *number)
{
    (void)number;
    cancel_all();
    return NULL;
}

/* Read the clock while a thread seems to wait for the lock. */
static void read_clock(void)
{
    __atomic_store_n(&shared.holders, 1, __ATOMIC_RELAXED);
    shared.port.now(shared.port.context);
    __atomic_store_n(&shared.holders, 0, __ATOMIC_RELAXED);
    trace_add("read ");
}

struct reader {
    struct pt pt;
};

static PT_ASYNC(reader, self)
{
    (void)self;
    read_clock();
}
PT_END

START_TEST(reading_the_clock_does_not_give_up_the_lock)
{
    static PT_TASK(reader) reader;

    test_zero(reader);
    ck_assert_int_eq(pt_shared_open(&shared, &loop), PT_OK);
    read_clock();
    ck_assert_int_eq(PT_START(&loop, &reader, reader), PT_OK);
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    read_clock();
    ck_assert_trace("read read read ");
    pt_shared_close(&shared);
}
END_TEST

#if PT_TRACE && PT_REMOTE
static struct pt_metrics metrics;
static struct pt_trace trace;
static struct pt_trace_event events[64];

/* The thread opens a loop on the same port, too: it reads the clock. */
static void *trace_and_measure(void *number)
{
    static PT_TASK(addition) late;
    static int late_sum;
    struct pt_loop nested;

    (void)number;
    test_zero(late);
    pt_shared_enter(&shared);
    pt_loop_open(&nested, &shared.port);
    pt_loop_close(&nested);
    pt_trace_start(&trace, &loop, events, 64);
    pt_metrics_start(&metrics, &loop, NULL);
    if (PT_START(&loop, &late, addition, .sum = &late_sum, .term = 1) != PT_OK)
        trace_add("failed ");
    pt_wake(&parked.task);
    pt_shared_leave(&shared);
    pt_shared_enter(&shared);
    pt_cancel(&parked.task, PT_ECANCELED);
    pt_metrics_stop(&metrics);
    pt_trace_stop(&trace);
    pt_shared_leave(&shared);
    return NULL;
}

START_TEST(a_thread_with_the_lock_can_trace_and_measure_the_loop_and_open_another)
{
    open_loop();
    test_zero(parked);
    PT_START(&loop, &parked, counter, .parks = true);
    run_with(1, trace_and_measure);
    ck_assert_trace("");
    ck_assert_uint_eq((unsigned)metrics.spawns, 1);
    ck_assert_uint_eq((unsigned)metrics.wakes, 2); /* the wake and the cancel */
    close_loop();
}
END_TEST

/* Whether a thread has been inside; and an observer that is told after the metrics, of the same turn. */
static bool inside;

static void look_inside(struct pt_observer *observer, struct pt_loop *turned)
{
    (void)observer, (void)turned;
    trace_add(inside ? "inside " : "outside ");
}

static void *go_inside(void *nothing)
{
    (void)nothing;
    pt_shared_enter(&shared);
    inside = true;
    pt_shared_leave(&shared);
    return NULL;
}

/* Ends its first step when the thread wants the lock. */
struct host {
    struct pt pt;
    pthread_t guest;
};

static PT_ASYNC(host, self)
{
    ck_assert_int_eq(pthread_create(&self->guest, NULL, go_inside, NULL), 0);
    while (!__atomic_load_n(&shared.holders, __ATOMIC_RELAXED))
        sched_yield();
    PT_YIELD();
}
PT_END

START_TEST(a_thread_gets_in_between_two_turns_and_not_between_two_observers)
{
    static PT_TASK(host) host;
    static struct pt_observer last;

    open_loop();
    test_zero(host);
    inside = false;
    test_zero(last);
    last.turned = look_inside;
    pt_loop_observe(&loop, &last);
    pt_metrics_start(&metrics, &loop, NULL);
    PT_START(&loop, &host, host);
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    ck_assert_int_eq(pthread_join(host.frame.guest, NULL), 0);
    ck_assert_trace("outside inside ");
    pt_metrics_stop(&metrics);
    pt_loop_ignore(&loop, &last);
    close_loop();
}
END_TEST
#endif

/* The first thread ends the run, perhaps while the others wait for a turn that never comes. */
START_TEST(threads_that_wait_for_the_lock_get_it_when_a_run_ends)
{
    for (int round = 0; round < 200; round++) {
        open_loop();
        test_zero(parked);
        PT_START(&loop, &parked, counter, .parks = true);
        run_with(4, cancel_once);
        close_loop();
    }
}
END_TEST

START_TEST(threads_can_lock_a_loop_before_and_after_it_runs)
{
    open_loop();
    start_counters();
    for (int i = 0; i < 3; i++) {
        pt_shared_enter(&shared);
        ck_assert_uint_eq(list_tasks(), 2);
        pt_shared_leave(&shared);
    }
    cancel_all();
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    for (int i = 0; i < 3; i++) {
        pt_shared_enter(&shared);
        ck_assert_ptr_null(pt_loop_task(&loop, NULL));
        pt_shared_leave(&shared);
    }
    close_loop();
}
END_TEST

#endif

Suite *suite_threads(void)
{
    Suite *suite = test_suite("threads");

#if PT_INSPECT && PT_PAUSE && PT_CANCEL
    test_add(suite, another_thread_lists_pauses_and_resumes_tasks);
    test_add(suite, a_turn_follows_each_hold_of_the_lock_so_that_every_wake_counts);
    test_add(suite, a_loop_that_sleeps_forever_wakes_for_a_thread_that_wants_its_lock);
    test_add(suite, a_loop_in_a_long_sleep_wakes_for_a_thread_and_for_its_timers);
    test_add(suite, threads_spawn_tasks_and_late_ones_run_in_the_next_run);
    test_add(suite, reading_the_clock_does_not_give_up_the_lock);
#if PT_TRACE && PT_REMOTE
    test_add(suite, a_thread_with_the_lock_can_trace_and_measure_the_loop_and_open_another);
    test_add(suite, a_thread_gets_in_between_two_turns_and_not_between_two_observers);
#endif
    test_add(suite, threads_that_wait_for_the_lock_get_it_when_a_run_ends);
    test_add(suite, threads_can_lock_a_loop_before_and_after_it_runs);
#endif
    return suite;
}
#else

Suite *suite_threads(void)
{
    return test_suite("threads");
}

#endif
