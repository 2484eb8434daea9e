/* test_pause.c - park and wake, pause and resume, in every state of a task
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_JOINS

static void turn_now(void)
{
    pt_loop_turn(&world.loop, world.clock.now);
}

/* --- park and wake --- */

struct lot {
    struct pt pt;
    int parks;
};

static PT_ASYNC(lot, self)
{
    for (; self->parks > 0; self->parks--) {
        trace_add("park ");
        PT_PARK();
        trace_add("on ");
    }
}
PT_END

static PT_TASK(lot) car;

static void open_lot(int parks)
{
    test_open(&world);
    test_zero(car);
    PT_START(&world.loop, &car, lot, .parks = parks);
}

START_TEST(a_parked_task_waits_for_its_wake)
{
    open_lot(2);
    turn_now();
    ck_assert_trace("park ");
    turn_now();
    turn_now();
    ck_assert_trace("");
    pt_wake(&car.task);
    turn_now();
    ck_assert_trace("on park ");
    pt_wake(&car.task);
    run_world("on ");
}
END_TEST

START_TEST(a_wake_that_comes_first_is_kept_for_the_next_park)
{
    open_lot(2);
    pt_wake(&car.task);
    turn_now();
    ck_assert_trace("park ");
    turn_now();
    ck_assert_trace("on park ");
    turn_now();
    ck_assert_trace("");
    pt_wake(&car.task);
    run_world("on ");
}
END_TEST

START_TEST(wakes_do_not_add_up)
{
    open_lot(3);
    pt_wake(&car.task);
    pt_wake(&car.task);
    turn_now();
    turn_now();
    ck_assert_trace("park on park ");
    pt_wake(&car.task);
    pt_wake(&car.task);
    turn_now();
    ck_assert_trace("on park ");
    turn_now(); /* the second wake found it ready and became its permit */
    run_world("on ");
}
END_TEST

START_TEST(a_wake_before_the_spawn_or_after_the_end_has_no_effect)
{
    test_open(&world);
    test_zero(car);
    pt_wake(&car.task);
    PT_START(&world.loop, &car, lot, .parks = 1);
    turn_now();
    turn_now();
    ck_assert_trace("park ");
    pt_wake(&car.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_wake(&car.task);
    ck_assert(!pt_task_alive(&car.task));
    ck_assert(pt_task_done(&car.task));
    PT_START(&world.loop, &car, lot, .parks = 1);
    turn_now();
    turn_now();
    ck_assert_trace("on park ");
    pt_wake(&car.task);
    run_world("on ");
}
END_TEST

struct dozer {
    struct pt pt;
};

static PT_ASYNC(dozer, self)
{
    PT_WAIT(PT_MS(2));
    trace_add("woke@%d ", test_ms(PT_NOW()));
    PT_PARK();
    trace_add("parked@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_wake_of_a_sleeper_is_kept_for_its_next_park)
{
    static PT_TASK(dozer) bed;

    test_open(&world);
    test_zero(bed);
    PT_START(&world.loop, &bed, dozer);
    turn_now();
    pt_wake(&bed.task);
    turn_now();
    run_world("woke@2 parked@2 ");
}
END_TEST

/* --- pause --- */

#if PT_PAUSE

/* Goes through the states: ready, asleep, parked, in a call, in a join. */
struct inner {
    struct pt pt;
};

static PT_ASYNC(inner, self)
{
    trace_add("in ");
    PT_WAIT(PT_MS(2));
    trace_add("out@%d ", test_ms(PT_NOW()));
}
PT_END

struct worker {
    struct pt pt;
    char state; /* what it does */
    struct inner inner;
    struct pt_task *other;
};

static PT_ASYNC(worker, self)
{
    trace_add("begin ");
    if (self->state == 'y')
        PT_YIELD();
    else if (self->state == 'w')
        PT_WAIT(PT_MS(2));
    else if (self->state == 'p')
        PT_PARK();
    else if (self->state == 'a')
        PT_WAIT_COMPLETE(&self->inner, inner);
    else if (self->state == 'j')
        PT_JOIN(self->other);
    trace_add("end@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(worker) job;
static PT_TASK(inner) other;

/* Start a worker that goes into STATE. */
static void open_worker(char state)
{
    test_open(&world);
    test_zero(job);
    test_zero(other);
    PT_START(&world.loop, &job, worker, .state = state, .other = &other.task);
}

START_TEST(a_ready_task_that_is_paused_does_not_run)
{
    open_worker('y');
    pt_pause(&job.task);
    ck_assert(pt_task_paused(&job.task));
    turn_now();
    turn_now();
    ck_assert_trace("");
    ck_assert_uint_eq(pt_loop_live(&world.loop), 1);
    ck_assert(pt_loop_idle(&world.loop));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    pt_resume(&job.task);
    ck_assert(!pt_task_paused(&job.task));
    run_world("begin end@0 ");
}
END_TEST

START_TEST(a_task_that_is_resumed_before_its_turn_keeps_its_place)
{
    open_worker('y');
    PT_START(&world.loop, &other, inner);
    pt_pause(&job.task);
    pt_resume(&job.task);
    turn_now();
    ck_assert_trace("begin in ");
    run_world("end@0 out@2 ");
}
END_TEST

START_TEST(a_paused_sleeper_keeps_its_deadline)
{
    open_worker('w');
    turn_now();
    pt_pause(&job.task);
    world.clock.now = test_at(1);
    turn_now();
    pt_resume(&job.task);
    run_world("begin end@2 ");
}
END_TEST

START_TEST(a_sleeper_that_is_paused_past_its_deadline_continues_when_resumed)
{
    open_worker('w');
    turn_now();
    pt_pause(&job.task);
    world.clock.now = test_at(5);
    turn_now();
    turn_now();
    ck_assert_trace("begin ");
    world.clock.now = test_at(7);
    pt_resume(&job.task);
    run_world("end@7 ");
}
END_TEST

START_TEST(a_parked_task_that_is_paused_needs_a_wake_and_a_resume)
{
    for (int wake_first = 0; wake_first < 2; wake_first++) {
        open_worker('p');
        turn_now();
        pt_pause(&job.task);
        if (wake_first)
            pt_wake(&job.task);
        else
            pt_resume(&job.task);
        turn_now();
        turn_now();
        ck_assert_trace("begin ");
        if (wake_first)
            pt_resume(&job.task);
        else
            pt_wake(&job.task);
        run_world("end@0 ");
    }
}
END_TEST

START_TEST(a_wake_of_a_ready_task_that_is_paused_is_not_lost)
{
    open_lot(1);
    pt_pause(&car.task);
    turn_now();
    pt_wake(&car.task);
    turn_now();
    ck_assert_trace("");
    pt_resume(&car.task);
    run_world("park on ");
}
END_TEST

START_TEST(pausing_a_task_pauses_what_it_awaits)
{
    open_worker('a');
    turn_now();
    ck_assert_trace("begin in ");
    pt_pause(&job.task);
    world.clock.now = test_at(4);
    turn_now();
    turn_now();
    ck_assert_trace("");
    pt_resume(&job.task);
    run_world("out@4 end@4 ");
}
END_TEST

START_TEST(a_paused_joiner_continues_after_both_the_join_and_a_resume)
{
    open_worker('j');
    PT_START(&world.loop, &other, inner);
    turn_now();
    pt_pause(&job.task);
    world.clock.now = test_at(3);
    turn_now();
    turn_now();
    ck_assert_trace("begin in out@3 ");
    pt_resume(&job.task);
    run_world("end@3 ");
}
END_TEST

START_TEST(a_task_that_is_joined_can_be_paused)
{
    open_worker('j');
    PT_START(&world.loop, &other, inner);
    turn_now();
    pt_pause(&other.task);
    world.clock.now = test_at(3);
    turn_now();
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_trace("begin in ");
    pt_resume(&other.task);
    run_world("out@3 end@3 ");
}
END_TEST

START_TEST(pause_and_resume_have_no_effect_on_a_task_that_is_not_alive)
{
    test_open(&world);
    test_zero(job);
    pt_pause(&job.task);
    pt_resume(&job.task);
    ck_assert(pt_task_paused(&job.task));
    PT_START(&world.loop, &job, worker, .state = 'y');
    ck_assert(!pt_task_paused(&job.task));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_pause(&job.task);
    pt_resume(&job.task);
    ck_assert(pt_task_done(&job.task));
    PT_START(&world.loop, &job, worker, .state = 'y');
    run_world("begin end@0 begin end@0 ");
}
END_TEST

struct shy {
    struct pt pt;
    struct pt_task *myself;
    bool ends;
};

static PT_ASYNC(shy, self)
{
    pt_pause(self->myself);
    trace_add("runs on ");
    if (self->ends)
        PT_RETURN(PT_OK);
    PT_YIELD();
    trace_add("resumed ");
}
PT_END

START_TEST(a_resume_of_a_task_that_waits_and_is_not_paused_has_no_effect)
{
    for (const char *state = "wpajy"; *state; state++) {
        open_worker(*state);
        PT_START(&world.loop, &other, inner);
        turn_now();
        ck_assert_trace(*state == 'a' ? "begin in in " : "begin in ");
        pt_pause(&job.task);
        pt_pause(&job.task);
        ck_assert(pt_task_paused(&job.task));
        pt_resume(&job.task);
        pt_resume(&job.task);
        turn_now();
        ck_assert_trace(*state == 'y' ? "end@0 " : "");
        pt_wake(&job.task);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        (void)trace_take();
        test_close(&world);
    }
}
END_TEST

START_TEST(a_task_that_pauses_itself_runs_to_its_next_opcode)
{
    static PT_TASK(shy) hermit;

    test_open(&world);
    test_zero(hermit);
    PT_START(&world.loop, &hermit, shy, .myself = &hermit.task, .ends = false);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_trace("runs on ");
    pt_resume(&hermit.task);
    run_world("resumed ");
}
END_TEST

START_TEST(a_task_that_pauses_itself_and_ends_is_done)
{
    static PT_TASK(shy) hermit;

    test_open(&world);
    test_zero(hermit);
    PT_START(&world.loop, &hermit, shy, .myself = &hermit.task, .ends = true);
    run_world("runs on ");
    ck_assert(pt_task_done(&hermit.task));
}
END_TEST

#endif

Suite *suite_pause(void)
{
    Suite *suite = test_suite("pause");

    test_add(suite, a_parked_task_waits_for_its_wake);
    test_add(suite, a_wake_that_comes_first_is_kept_for_the_next_park);
    test_add(suite, wakes_do_not_add_up);
    test_add(suite, a_wake_before_the_spawn_or_after_the_end_has_no_effect);
    test_add(suite, a_wake_of_a_sleeper_is_kept_for_its_next_park);
#if PT_PAUSE
    test_add(suite, a_ready_task_that_is_paused_does_not_run);
    test_add(suite, a_task_that_is_resumed_before_its_turn_keeps_its_place);
    test_add(suite, a_paused_sleeper_keeps_its_deadline);
    test_add(suite, a_sleeper_that_is_paused_past_its_deadline_continues_when_resumed);
    test_add(suite, a_parked_task_that_is_paused_needs_a_wake_and_a_resume);
    test_add(suite, a_wake_of_a_ready_task_that_is_paused_is_not_lost);
    test_add(suite, pausing_a_task_pauses_what_it_awaits);
    test_add(suite, a_paused_joiner_continues_after_both_the_join_and_a_resume);
    test_add(suite, a_task_that_is_joined_can_be_paused);
    test_add(suite, pause_and_resume_have_no_effect_on_a_task_that_is_not_alive);
    test_add(suite, a_resume_of_a_task_that_waits_and_is_not_paused_has_no_effect);
    test_add(suite, a_task_that_pauses_itself_runs_to_its_next_opcode);
    test_add(suite, a_task_that_pauses_itself_and_ends_is_done);
#endif
    return suite;
}
#else

Suite *suite_pause(void)
{
    return test_suite("pause");
}

#endif
