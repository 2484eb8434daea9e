/* test_remote_ends.c - threads spawn, pause and cancel by posts, and posts meet the end of a loop
 * SPDX-License-Identifier: MIT
 *
 * The threads run as in test_remote_threads.c. */
/* with the room cancel: others of its own have some of its names */
#include "test_posters.h"

#if PT_PORT

#if PT_REMOTE && PT_CHANNELS && PT_CANCEL && PT_PAUSE

/* --- tasks -------------------------------------------------------------------------------------- */

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

static PT_TASK(addition) additions[POSTERS][EACH];
static struct pt_remote spawns[POSTERS][EACH];
static int sum;

static void *spawn_each_twice(void *number)
{
    for (int i = 0; i < EACH; i++) {
        pt_remote_post(&spawns[*(int *)number][i]);
        pt_remote_post(&spawns[*(int *)number][i]); /* the second post at most wakes it */
    }
    pt_remote_post(&remotes[0]);
    return NULL;
}

START_TEST(threads_activate_tasks_and_each_runs_once)
{
    open_loop();
    sum = 0;
    test_zero(additions);
    pt_remote_open(&remotes[0], &loop, pt_remote_release, &units);
    start_taker(POSTERS);
    for (int i = 0; i < POSTERS * EACH; i++) {
        PT_PREPARE(&additions[i / EACH][i % EACH], addition, .sum = &sum, .term = i % EACH);
        pt_remote_open(&spawns[i / EACH][i % EACH], &loop, pt_remote_activate,
                       &additions[i / EACH][i % EACH].task);
    }
    run_with(POSTERS, spawn_each_twice);
    join(POSTERS);
    pt_loop_shut(&loop); /* the last posts can come after the taker is done */
    ck_assert_int_eq(pt_shared_run(&shared), PT_OK);
    pt_shared_close(&shared);
    ck_assert_int_eq(sum, POSTERS * EACH * (EACH - 1) / 2);
}
END_TEST

struct counter {
    struct pt pt;
    int count;
};

static PT_ASYNC(counter, self)
{
    for (;; self->count++)
        PT_YIELD();
}
PT_END

static PT_TASK(counter) counter_task;

/* One for each thread, which posts it once. A post that joins an earlier one can overtake a
 * pause, and a task that is paused after its cancel waits for a resume. */
static struct pt_remote ends[POSTERS];

static void *pause_and_resume(void *number)
{
    int self = *(int *)number;

    for (int i = 0; i < EACH; i++)
        pt_remote_post(&remotes[self % 2]);
    pt_remote_post(&ends[self]);
    return NULL;
}

/* Cancels the counter, paused or not, after all threads have posted all. */
struct ender {
    struct pt pt;
    int posters;
};

static PT_ASYNC(ender, self)
{
    for (; self->posters; self->posters--)
        PT_ACQUIRE(&units);
    pt_cancel(&counter_task.task, PT_ECANCELED);
}
PT_END

START_TEST(a_task_that_threads_pause_and_resume_can_still_be_canceled)
{
    static PT_TASK(ender) ender_task;

    open_loop();
    test_zero(counter_task);
    test_zero(ender_task);
    pt_remote_open(&remotes[0], &loop, pt_remote_pause, &counter_task.task);
    pt_remote_open(&remotes[1], &loop, pt_remote_resume, &counter_task.task);
    for (int i = 0; i < POSTERS; i++)
        pt_remote_open(&ends[i], &loop, pt_remote_release, &units);
    PT_START(&loop, &counter_task, counter);
    PT_START(&loop, &ender_task, ender, .posters = POSTERS);
    run_to_the_end(POSTERS, pause_and_resume);
    ck_assert_int_eq(counter_task.frame.pt.status, PT_ECANCELED);
}
END_TEST

static void *cancel_once(void *number)
{
    pt_remote_post(&remotes[*(int *)number % 2]);
    return number;
}

START_TEST(threads_cancel_a_task_that_others_wake)
{
    for (int round = 0; round < 200; round++) {
        open_loop();
        test_zero(counter_task);
        pt_remote_open(&remotes[0], &loop, pt_remote_cancel, &counter_task.task);
        pt_remote_open(&remotes[1], &loop, pt_remote_wake, &counter_task.task);
        PT_START(&loop, &counter_task, counter);
        run_to_the_end(POSTERS, cancel_once);
        ck_assert_int_eq(counter_task.frame.pt.status, PT_ECANCELED);
    }
}
END_TEST

/* --- the end ------------------------------------------------------------------------------------ */

static int posted[POSTERS], done[POSTERS];

static void count(struct pt_remote *self, unsigned times)
{
    done[self - remotes] += (int)times;
    pt_semaphore_release(&units);
}

static void *post_until_closed(void *number)
{
    int self = *(int *)number;

    while (pt_remote_post(&remotes[self]) == PT_OK)
        posted[self]++;
    return NULL;
}

/* The loop ends when the taker is done, and is shut while all threads post. */
START_TEST(a_post_while_a_loop_is_shut_is_handled_or_refused)
{
    for (int round = 0; round < 50; round++) {
        open_loop();
        memset(posted, 0, sizeof posted);
        memset(done, 0, sizeof done);
        for (int i = 0; i < POSTERS; i++)
            pt_remote_open(&remotes[i], &loop, count, NULL);
        start_taker(20);
        run_with(POSTERS, post_until_closed);
        pt_loop_shut(&loop);
        join(POSTERS);
        pt_shared_close(&shared);
        for (int i = 0; i < POSTERS; i++)
            ck_assert_int_eq(done[i], posted[i]);
    }
}
END_TEST

/* A task that joins its thread, which can still be in the last step of its post. */
struct boss {
    struct pt pt;
    struct pt_event *over;
    pthread_t thread;
};

static void *post_from_a_thread(void *remote)
{
    pt_remote_post((struct pt_remote *)remote);
    return NULL;
}

static PT_ASYNC(boss, self)
{
    ck_assert_int_eq(pthread_create(&self->thread, NULL, post_from_a_thread, &remotes[0]), 0);
    PT_WAIT_EVENT(self->over);
    ck_assert_int_eq(pthread_join(self->thread, NULL), 0);
    pt_remote_close(&remotes[0]);
}
PT_END

START_TEST(a_task_can_wait_for_the_end_of_the_thread_that_woke_it)
{
    static PT_TASK(boss) boss_task;
    static struct pt_event over;

    for (int round = 0; round < 200; round++) {
        open_loop();
        pt_event_init(&over);
        pt_remote_open(&remotes[0], &loop, pt_remote_set, &over);
        PT_START(&loop, &boss_task, boss, .over = &over);
        run_with(0, NULL);
        pt_shared_close(&shared);
    }
}
END_TEST

static void *visit_and_post(void *number)
{
    for (int i = 0; i < 100; i++) {
        pt_shared_enter(&shared);
        pt_remote_post(&remotes[0]);
        pt_shared_leave(&shared);
    }
    return number;
}

START_TEST(a_thread_that_holds_the_loops_lock_can_post)
{
    open_loop();
    pt_remote_open(&remotes[0], &loop, pt_remote_release, &units);
    start_taker(100);
    run_to_the_end(1, visit_and_post); /* a single thread finds the loop asleep */
}
END_TEST

/* --- foreign code in threads ---------------------------------------------------------------------- */

#if PT_JOINS
/* Each thread waits for questions, and answers them; a canceled one is answered, too. */
static struct pt_foreign *questions[POSTERS];
static int answers[POSTERS];

static void *answer_each(void *number)
{
    int self = *(int *)number;

    for (int i = 1; i <= EACH; i++) {
        struct pt_foreign *question;

        while (!(question = __atomic_exchange_n(&questions[self], NULL, __ATOMIC_ACQ_REL)))
            sched_yield();
        *(int *)question->argument = i;
        pt_foreign_done(question, PT_OK);
    }
    return NULL;
}

static void put_question(struct pt_foreign *asking)
{
    __atomic_store_n(&questions[(int *)asking->argument - answers], asking, __ATOMIC_RELEASE);
}

/* Asks in a task of its own, and cancels that every other time; overwrites the frame as soon as that is done. */
struct inquirer {
    struct pt pt;
    PT_TASK(pt_foreign) asking;
    int number, round;
};

static PT_ASYNC(inquirer, self)
{
    for (self->round = 1; self->round <= EACH; self->round++) {
        PT_SPAWN(&self->asking, pt_foreign, .start = put_question,
                 .argument = &answers[self->number]);
        PT_YIELD();
        if (self->round % 2)
            pt_cancel(&self->asking.task, PT_ECANCELED);
        PT_JOIN(&self->asking.task);
        ck_assert_int_eq(answers[self->number], self->round);
        memset(&self->asking, 0, sizeof self->asking);
    }
}
PT_END

START_TEST(foreign_code_in_threads_answers_each_question_once)
{
    static PT_TASK(inquirer) inquirers[POSTERS];

    open_loop();
    test_zero(inquirers);
    for (int i = 0; i < POSTERS; i++)
        ck_assert_int_eq(PT_START(&loop, &inquirers[i], inquirer, .number = i), PT_OK);
    run_to_the_end(POSTERS, answer_each);
    for (int i = 0; i < POSTERS; i++)
        ck_assert_int_eq(answers[i], EACH);
}
END_TEST
#endif

/* --- a post and slow motion ---------------------------------------------------------------------- */

#if PT_SLOWMO
struct poster {
    struct pt pt;
};

static PT_ASYNC(poster, self)
{
    (void)self;
    pt_remote_post(&remotes[0]);
    PT_YIELD();
    trace_add("poster@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_loop_in_slow_motion_sleeps_despite_a_post)
{
    static PT_TASK(poster) poster_task;

    test_open(&world);
    test_zero(poster_task);
    pt_semaphore_init(&units, 0, UINT_MAX);
    pt_remote_open(&remotes[0], &world.loop, pt_remote_release, &units);
    pt_loop_slow(&world.loop, PT_MS(4));
    PT_START(&world.loop, &poster_task, poster);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("poster@4 ");
    ck_assert_uint_eq(units.count, 1);
    test_close(&world);
}
END_TEST
#endif

#endif

Suite *suite_remote_ends(void)
{
    Suite *suite = test_suite("remote_ends");

#if PT_REMOTE && PT_CHANNELS && PT_CANCEL && PT_PAUSE
    test_add(suite, threads_activate_tasks_and_each_runs_once);
    test_add(suite, a_task_that_threads_pause_and_resume_can_still_be_canceled);
    test_add(suite, threads_cancel_a_task_that_others_wake);
    test_add(suite, a_post_while_a_loop_is_shut_is_handled_or_refused);
    test_add(suite, a_task_can_wait_for_the_end_of_the_thread_that_woke_it);
    test_add(suite, a_thread_that_holds_the_loops_lock_can_post);
#if PT_JOINS
    test_add(suite, foreign_code_in_threads_answers_each_question_once);
#endif
#if PT_SLOWMO
    test_add(suite, a_loop_in_slow_motion_sleeps_despite_a_post);
#endif
#endif
    return suite;
}
#else

Suite *suite_remote_ends(void)
{
    return test_suite("remote_ends");
}

#endif
