/* test_urgent.c - urgent tasks run before the others, and starve none: PT_READY_URGENT
 * SPDX-License-Identifier: MIT */
#undef PT_READY
#undef PT_FAST_
#undef PT_OTHER_KNOBS
#define PT_READY PT_READY_URGENT
#define PT_FAST_ 0
#define PT_OTHER_KNOBS 1
#include "test_native.h"

#if PT_PORT && PT_TIMERS

static bool over; /* all tasks end at their next step */

/* A busy task: traces its name, and yields. */
struct busy {
    struct pt pt;
    char name;
    struct pt_task *wakes; /* or NULL */
    void (*also)(void);    /* or NULL */
};

static PT_ASYNC(busy, self)
{
    while (!over) {
        trace_add("%c ", self->name);
        if (self->wakes)
            pt_wake(self->wakes);
        if (self->also)
            self->also();
        PT_YIELD();
    }
}
PT_END

/* Traces its name at each wake, wakes PARTNER, if it has one, and yields as often as told. */
struct answerer {
    struct pt pt;
    char name;
    int yields;
    struct pt_task *partner;
    bool ends; /* at its next step */
};

static PT_ASYNC(answerer, self)
{
    for (;;) {
        PT_PARK();
        if (over || self->ends)
            PT_RETURN(PT_OK);
        trace_add("%c ", self->name);
        if (self->partner)
            pt_wake(self->partner);
        for (; self->yields > 0; self->yields--) {
            PT_YIELD();
            trace_add("-%c ", self->name);
        }
    }
}
PT_END

static PT_TASK(busy) crowd[3];
static PT_TASK(answerer) first, second;

/* The world with two tasks that wait, marked as urgent, and three busy ones, a b c. */
static void open_crowd(void)
{
    test_zero(crowd);
    test_zero(first);
    test_zero(second);
    over = false;
    test_open(&world);
    PT_START(&world.loop, &first, answerer, .name = '1');
    PT_START(&world.loop, &second, answerer, .name = '2');
    turn(0);
    pt_task_set_urgent(&first.task, true);
    pt_task_set_urgent(&second.task, true);
    for (int i = 0; i < 3; i++)
        PT_START(&world.loop, &crowd[i], busy, .name = (char)('a' + i));
}

static void end_crowd(void)
{
    over = true;
    pt_wake(&first.task);
    pt_wake(&second.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    trace_take();
    test_close(&world);
}

START_TEST(an_urgent_task_runs_behind_the_step_that_wakes_it)
{
    open_crowd();
    crowd[0].frame.wakes = &first.task;
    turn(0);
    turn(0);
    ck_assert_trace("a 1 b c a 1 b c ");
    end_crowd();
}
END_TEST

START_TEST(a_task_that_is_not_urgent_runs_in_the_next_turn)
{
    open_crowd();
    crowd[0].frame.wakes = &first.task;
    pt_task_set_urgent(&first.task, false);
    turn(0);
    ck_assert_trace("a b c ");
    turn(0);
    ck_assert_trace("1 a b c ");
    end_crowd();
}
END_TEST

START_TEST(urgent_tasks_run_in_the_order_in_which_they_became_ready)
{
    open_crowd();
    pt_wake(&second.task);
    pt_wake(&first.task);
    ck_assert(!pt_loop_idle(&world.loop));
    ck_assert_uint_eq(pt_loop_ready(&world.loop), 5);
    turn(0);
    ck_assert_trace("2 1 a b c ");
    ck_assert_uint_eq(pt_loop_ready(&world.loop), 3);
    end_crowd();
}
END_TEST

START_TEST(urgent_tasks_that_wake_one_another_let_each_of_the_others_run)
{
    open_crowd();
    first.frame.partner = &second.task;
    second.frame.partner = &first.task;
    pt_wake(&first.task);
    turn(0);
    ck_assert_trace("1 a 2 b 1 c 2 ");
    turn(0);
    ck_assert_trace("1 a 2 b 1 c 2 ");
    end_crowd();
}
END_TEST

START_TEST(an_urgent_task_that_yields_takes_its_turn_with_the_others)
{
    open_crowd();
    first.frame.yields = 2;
    pt_wake(&first.task);
    turn(0);
    turn(0);
    turn(0);
    ck_assert_trace("1 a b c -1 a b c -1 a b c ");
    end_crowd();
}
END_TEST

START_TEST(a_start_clears_the_mark_of_the_storage)
{
    open_crowd();
    first.frame.ends = true;
    pt_wake(&first.task);
    turn(0);
    PT_START(&world.loop, &first, answerer, .name = '1');
    turn(0);
    trace_take();
    crowd[0].frame.wakes = &first.task;
    turn(0);
    ck_assert_trace("a b c ");
    end_crowd();
}
END_TEST

/* --- what makes it ready -------------------------------------------------------------------- */

#if PT_REMOTE
static struct pt_waker edge;

static void post(void)
{
    pt_waker_post(&edge);
}

START_TEST(a_post_reaches_an_urgent_task_behind_the_step_in_which_it_came)
{
    open_crowd();
    pt_waker_open(&edge, &world.loop, &first.task);
    crowd[1].frame.also = post;
    turn(0);
    turn(0);
    ck_assert_trace("a b 1 c a b 1 c ");
    pt_waker_close(&edge);
    end_crowd();
}
END_TEST
#endif

#if PT_CHANNELS
static PT_QUEUE(int, 2) queue;

struct taker {
    struct pt pt;
    int value;
};

static PT_ASYNC(taker, self)
{
    while (!over) {
        PT_POP(&queue, &self->value);
        trace_add("%d ", self->value);
    }
}
PT_END

struct giver {
    struct pt pt;
    int value;
};

static PT_ASYNC(giver, self)
{
    while (!over) {
        self->value++;
        PT_PUSH(&queue, &self->value);
        trace_add("pushed ");
        PT_YIELD();
    }
    pt_queue_close(&queue.queue);
}
PT_END

START_TEST(a_value_reaches_an_urgent_task_behind_the_step_that_sends_it)
{
    static PT_TASK(taker) taker;
    static PT_TASK(giver) giver;

    test_zero(taker);
    test_zero(giver);
    open_crowd();
    PT_QUEUE_INIT(&queue);
    PT_START(&world.loop, &taker, taker);
    turn(0);
    trace_take();
    pt_task_set_urgent(&taker.task, true);
    PT_START(&world.loop, &giver, giver);
    turn(0);
    turn(0);
    ck_assert_trace("a b c pushed 1 a b c pushed 2 ");
    end_crowd();
}
END_TEST
#endif

struct sleeper {
    struct pt pt;
};

static PT_ASYNC(sleeper, self)
{
    while (!over) {
        PT_WAIT(PT_MS(2));
        trace_add("woke ");
    }
}
PT_END

START_TEST(an_urgent_task_whose_time_has_come_is_the_first_of_the_turn)
{
    static PT_TASK(sleeper) sleeper;

    open_crowd();
    test_zero(sleeper);
    PT_START(&world.loop, &sleeper, sleeper);
    turn(0);
    trace_take();
    pt_task_set_urgent(&sleeper.task, true);
    turn(1);
    ck_assert_trace("a b c ");
    turn(2);
    ck_assert_trace("woke a b c ");
    end_crowd();
}
END_TEST

/* --- others that stop it, or look ----------------------------------------------------------- */

#if PT_PAUSE
START_TEST(an_urgent_task_that_is_paused_is_held_and_urgent_at_its_resume)
{
    open_crowd();
    pt_pause(&first.task);
    pt_wake(&first.task);
    turn(0);
    ck_assert_trace("a b c ");
    pt_resume(&first.task);
    turn(0);
    ck_assert_trace("1 a b c ");
    end_crowd();
}
END_TEST
#endif

#if PT_CANCEL
START_TEST(a_cancel_of_an_urgent_task_takes_effect_before_the_next_step)
{
    open_crowd();
    pt_wake(&second.task);
    pt_cancel(&first.task, PT_ECANCELED);
    ck_assert(pt_task_alive(&first.task));
    turn(0);
    ck_assert_trace("2 a b c ");
    ck_assert_int_eq(pt_task_status(&first.task), PT_ECANCELED);
    end_crowd();
}
END_TEST
#endif

#if PT_TRACE
static void report_resumes(struct pt_observer *observer, struct pt_task *task)
{
    if (observer && task == &first.task)
        trace_add("> ");
}

static void report_woken(struct pt_observer *observer, struct pt_task *task, bool spawned)
{
    if (observer && !spawned)
        trace_add("%s ", task == &first.task ? "woken" : "other");
}

START_TEST(observers_are_told_of_an_urgent_task_and_it_still_runs_first)
{
    struct pt_observer observer;

    open_crowd();
    memset(&observer, 0, sizeof observer);
    observer.resumes = report_resumes;
    observer.woken = report_woken;
    pt_loop_observe(&world.loop, &observer);
    crowd[0].frame.wakes = &first.task;
    turn(0);
    ck_assert_trace("a woken > 1 b c ");
    end_crowd();
}
END_TEST
#endif

#if TEST_NATIVE
static pt_status park_often(struct pt_native *self)
{
    while (pt_native_park(self) == PT_OK && !over)
        trace_add("native ");
    return PT_OK;
}

START_TEST(a_native_task_can_be_urgent)
{
    open_crowd();
    test_zero(natives);
    start(0, park_often);
    turn(0);
    trace_take();
    pt_task_set_urgent(&natives[0].task, true);
    crowd[1].frame.wakes = &natives[0].task;
    turn(0);
    ck_assert_trace("a b native c ");
    over = true;
    pt_wake(&natives[0].task);
    end_crowd();
}
END_TEST
#endif
#endif

Suite *suite_urgent(void)
{
    Suite *suite = test_suite("urgent");

#if PT_PORT && PT_TIMERS
    test_add(suite, an_urgent_task_runs_behind_the_step_that_wakes_it);
    test_add(suite, a_task_that_is_not_urgent_runs_in_the_next_turn);
    test_add(suite, urgent_tasks_run_in_the_order_in_which_they_became_ready);
    test_add(suite, urgent_tasks_that_wake_one_another_let_each_of_the_others_run);
    test_add(suite, an_urgent_task_that_yields_takes_its_turn_with_the_others);
    test_add(suite, a_start_clears_the_mark_of_the_storage);
#if PT_REMOTE
    test_add(suite, a_post_reaches_an_urgent_task_behind_the_step_in_which_it_came);
#endif
#if PT_CHANNELS
    test_add(suite, a_value_reaches_an_urgent_task_behind_the_step_that_sends_it);
#endif
    test_add(suite, an_urgent_task_whose_time_has_come_is_the_first_of_the_turn);
#if PT_PAUSE
    test_add(suite, an_urgent_task_that_is_paused_is_held_and_urgent_at_its_resume);
#endif
#if PT_CANCEL
    test_add(suite, a_cancel_of_an_urgent_task_takes_effect_before_the_next_step);
#endif
#if PT_TRACE
    test_add(suite, observers_are_told_of_an_urgent_task_and_it_still_runs_first);
#endif
#if TEST_NATIVE
    test_add(suite, a_native_task_can_be_urgent);
#endif
#endif
    return suite;
}
