/* test_axon.c - the behavior that the tests of Axon, a scheduler of microprocesses, describe
 * SPDX-License-Identifier: MIT
 *
 * Each test name is a sentence of Axon's tests. A microprocess is a task, a scheduler a loop;
 * listAllThreads is pt_loop_live, isThreadPaused pt_task_paused, wakeThread pt_resume,
 * pauseThread pt_pause, and runThreads pt_loop_run. The scheduler that is itself a microprocess is
 * pt_loop_async. */
#include "pt_test.h"

#if PT_PORT

#if PT_PAUSE && PT_NESTING && PT_SLOWMO

struct microprocess {
    struct pt pt;
    char name;
    int left;
};

static PT_ASYNC(microprocess, self)
{
    for (; self->left > 0; self->left--) {
        trace_add("%c", self->name);
        PT_YIELD();
    }
}
PT_END

static PT_TASK(microprocess) processes[3];

static void open_processes(int count)
{
    test_zero(processes);
    test_open(&world);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            PT_START(&world.loop, &processes[i], microprocess, .name = (char)('a' + i), .left = 4),
            PT_OK);
}

static void turn_once(void)
{
    pt_loop_turn(&world.loop, world.clock.now);
    trace_add("|");
}

START_TEST(init_called_with_no_arguments)
{
    struct pt_loop loop;

    memset(&loop, 0xff, sizeof loop);
    pt_loop_init(&loop, TEST_START);
    ck_assert_uint_eq(pt_loop_live(&loop), 0);
    ck_assert_uint_eq(pt_loop_ready(&loop), 0);
    ck_assert_ptr_null(pt_loop_current(&loop));
}
END_TEST

START_TEST(
    by_default_if_all_microprocesses_are_paused_the_scheduler_will_immediately_yield_back_it_will_not_block)
{
    open_processes(2);
    pt_pause(&processes[0].task);
    pt_pause(&processes[1].task);
    turn_once();
    ck_assert_uint_eq(world.clock.now, TEST_START);
    turn_once();
    ck_assert_trace("||");
    ck_assert_uint_eq(pt_loop_live(&world.loop), 2);
    pt_resume(&processes[0].task);
    pt_resume(&processes[1].task);
    run_world("abababab");
}
END_TEST

START_TEST(
    the_isthreadpaused_method_will_return_true_for_micropocesses_not_scheduled_with_this_scheduler)
{
    open_processes(1);
    ck_assert(pt_task_paused(&processes[1].task));
    run_world("aaaa");
    ck_assert(pt_task_paused(&processes[0].task));
}
END_TEST

START_TEST(
    the_isthreadpaused_method_returns_true_if_a_thread_is_currently_paused_or_false_is_it_is_active)
{
    open_processes(1);
    ck_assert(!pt_task_paused(&processes[0].task));
    pt_pause(&processes[0].task);
    ck_assert(pt_task_paused(&processes[0].task));
    turn_once();
    ck_assert(pt_task_paused(&processes[0].task));
    pt_resume(&processes[0].task);
    ck_assert(!pt_task_paused(&processes[0].task));
    run_world("|aaaa");
}
END_TEST

START_TEST(
    the_listallthreads_method_returns_a_list_of_all_activated_microprocesses_whether_paused_or_awake)
{
    open_processes(3);
    pt_pause(&processes[1].task);
    turn_once();
    ck_assert_uint_eq(pt_loop_live(&world.loop), 3);
    ck_assert(pt_task_alive(&processes[0].task));
    ck_assert(pt_task_alive(&processes[1].task));
    pt_resume(&processes[1].task);
    run_world("ac|acbacbacbb");
    ck_assert_uint_eq(pt_loop_live(&world.loop), 0);
}
END_TEST

START_TEST(if_one_microprocess_is_paused_the_scheduler_continues_to_run_other_microprocesses)
{
    open_processes(3);
    turn_once();
    pt_pause(&processes[1].task);
    for (int i = 0; i < 4; i++)
        turn_once();
    ck_assert_trace("abc|ac|ac|ac||");
    ck_assert_uint_eq(pt_loop_live(&world.loop), 1);
    pt_resume(&processes[1].task);
    run_world("bbb");
}
END_TEST

struct last_words {
    struct pt pt;
    struct pt_task *myself;
};

static PT_ASYNC(last_words, self)
{
    PT_YIELD();
    pt_pause(self->myself);
    trace_add("last");
}
PT_END

START_TEST(
    if_a_microprocess_pauses_and_immediately_terminates_without_further_yields_it_will_still_terminate_properly)
{
    static PT_TASK(last_words) speaker;

    open_processes(0);
    test_zero(speaker);
    PT_START(&world.loop, &speaker, last_words, .myself = &speaker.task);
    run_world("last");
    ck_assert(pt_task_done(&speaker.task));
    ck_assert_uint_eq(pt_loop_live(&world.loop), 0);
}
END_TEST

START_TEST(if_a_microprocess_is_paused_calling_sheduler_wakethread_will_unpause_it)
{
    open_processes(1);
    turn_once();
    pt_pause(&processes[0].task);
    turn_once();
    turn_once();
    pt_resume(&processes[0].task);
    turn_once();
    ck_assert_trace("a|||a|");
    run_world("aa");
}
END_TEST

START_TEST(
    a_microprocess_is_run_until_paused_by_calling_scheduler_pausethread_the_microprocess_is_then_no_longer_run)
{
    open_processes(1);
    turn_once();
    turn_once();
    pt_pause(&processes[0].task);
    turn_once();
    turn_once();
    ck_assert_trace("a|a|||");
    ck_assert_uint_eq(pt_loop_ready(&world.loop), 0);
    pt_resume(&processes[0].task);
    run_world("aa");
}
END_TEST

START_TEST(
    specifying_slowmo_0_argument_to_runthreads_causes_a_delay_of_the_specified_number_of_seconds_between_each_pass_through_all_microprocesses_during_the_delay_it_will_yield)
{
    open_processes(2);
    pt_loop_slow(&world.loop, PT_SEC(1));
    turn_once();
    world.clock.now = test_at(999); /* during the delay, a turn returns at once */
    turn_once();
    world.clock.now = test_at(1000);
    turn_once();
    ck_assert_trace("ab||ab|");
    run_world("abab");
    ck_assert_int_eq(test_ms(world.clock.now), 4000);
}
END_TEST

/* A port that counts how often the scheduler blocks and wakes a process the third time. */
static int blocks;

static pt_time still_now(void *context)
{
    (void)context;
    return TEST_START;
}

static bool count_block(void *context, pt_time now, pt_time until)
{
    ck_assert_uint_eq((pt_time)(until - now), PT_DELAY_NEVER);
    trace_add("block ");
    if (++blocks == 3)
        pt_resume((struct pt_task *)context);
    return true;
}

START_TEST(
    if_run_using_the_runthreads_method_then_the_scheduler_may_will_block_for_short_periods_relinquishing_processor_time_if_all_microprocesses_are_paused)
{
    struct pt_port port = {still_now, count_block, test_resize, NULL, NULL, NULL, 0, false};
    struct pt_loop loop;

    blocks = 0;
    test_zero(processes);
    port.context = &processes[0].task;
    pt_loop_open(&loop, &port);
    PT_START(&loop, &processes[0], microprocess, .name = 'a', .left = 2);
    pt_pause(&processes[0].task);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_trace("block block block aa");
    pt_loop_close(&loop);
}
END_TEST

/* Run the scheduler as a microprocess in an outer loop. Returns the number of turns that took. */
static int turns_of_the_scheduler(void)
{
    static PT_TASK(pt_loop_async) scheduler;
    struct test_world outer;
    int turns = 0;

    test_zero(scheduler);
    test_open(&outer);
    PT_START(&outer.loop, &scheduler, pt_loop_async, .loop = &world.loop);
    while (!pt_task_done(&scheduler.task)) {
        ck_assert(turns == 0 || pt_loop_live(&world.loop) > 0);
        pt_loop_turn(&outer.loop, outer.clock.now);
        turns++;
    }
    pt_loop_close(&outer.loop);
    return turns;
}

START_TEST(
    when_run_with_a_single_microprocess_the_scheduler_microprocess_only_terminates_once_the_scheduled_microprocess_has_terminated)
{
    open_processes(1);
    ck_assert_int_eq(turns_of_the_scheduler(), 5);
    ck_assert(pt_task_done(&processes[0].task));
    run_world("aaaa");
}
END_TEST

START_TEST(
    when_run_with_multiple_microprocesses_the_scheduler_microprocess_only_terminates_once_all_scheduled_microprocesses_have_terminated)
{
    open_processes(2);
    PT_START(&world.loop, &processes[2], microprocess, .name = 'c', .left = 7);
    ck_assert_int_eq(turns_of_the_scheduler(), 8);
    for (int i = 0; i < 3; i++)
        ck_assert(pt_task_done(&processes[i].task));
    run_world("abcabcabcabcccc");
}
END_TEST

START_TEST(
    when_run_the_scheduler_microprocess_terminates_immediately_if_there_are_no_microprocesses_to_schedule)
{
    open_processes(0);
    ck_assert_int_eq(turns_of_the_scheduler(), 1);
    run_world("");
}
END_TEST

START_TEST(
    waking_or_pausing_a_microprocess_that_is_already_awake_or_paused_respectively_has_no_effect)
{
    open_processes(2);
    pt_resume(&processes[0].task);
    turn_once();
    pt_pause(&processes[1].task);
    turn_once();
    pt_pause(&processes[1].task);
    turn_once();
    pt_resume(&processes[0].task);
    pt_resume(&processes[1].task);
    pt_resume(&processes[1].task);
    turn_once();
    ck_assert_trace("ab|a|a|ab|");
    run_world("bb");
}
END_TEST

START_TEST(waking_or_pausing_a_microprocess_that_has_not_yet_been_activated_has_no_effect)
{
    open_processes(1);
    pt_pause(&processes[1].task);
    pt_resume(&processes[2].task);
    turn_once();
    ck_assert_uint_eq(pt_loop_live(&world.loop), 1);
    PT_START(&world.loop, &processes[1], microprocess, .name = 'b', .left = 1);
    turn_once();
    ck_assert_trace("a|ab|");
    run_world("aa");
}
END_TEST

START_TEST(waking_a_paused_microprocess_will_not_wake_other_paused_microprocesses)
{
    open_processes(3);
    for (int i = 0; i < 3; i++)
        pt_pause(&processes[i].task);
    turn_once();
    pt_resume(&processes[1].task);
    turn_once();
    turn_once();
    ck_assert_trace("|b|b|");
    pt_resume(&processes[2].task);
    pt_resume(&processes[0].task);
    run_world("bcabcacaca");
}
END_TEST

#endif

Suite *suite_axon(void)
{
    Suite *suite = test_suite("axon");

#if PT_PAUSE && PT_NESTING && PT_SLOWMO
    test_add(suite, init_called_with_no_arguments);
    test_add(
        suite,
        by_default_if_all_microprocesses_are_paused_the_scheduler_will_immediately_yield_back_it_will_not_block);
    test_add(
        suite,
        the_isthreadpaused_method_will_return_true_for_micropocesses_not_scheduled_with_this_scheduler);
    test_add(
        suite,
        the_isthreadpaused_method_returns_true_if_a_thread_is_currently_paused_or_false_is_it_is_active);
    test_add(
        suite,
        the_listallthreads_method_returns_a_list_of_all_activated_microprocesses_whether_paused_or_awake);
    test_add(suite,
             if_one_microprocess_is_paused_the_scheduler_continues_to_run_other_microprocesses);
    test_add(
        suite,
        if_a_microprocess_pauses_and_immediately_terminates_without_further_yields_it_will_still_terminate_properly);
    test_add(suite, if_a_microprocess_is_paused_calling_sheduler_wakethread_will_unpause_it);
    test_add(
        suite,
        a_microprocess_is_run_until_paused_by_calling_scheduler_pausethread_the_microprocess_is_then_no_longer_run);
    test_add(
        suite,
        specifying_slowmo_0_argument_to_runthreads_causes_a_delay_of_the_specified_number_of_seconds_between_each_pass_through_all_microprocesses_during_the_delay_it_will_yield);
    test_add(
        suite,
        if_run_using_the_runthreads_method_then_the_scheduler_may_will_block_for_short_periods_relinquishing_processor_time_if_all_microprocesses_are_paused);
    test_add(
        suite,
        when_run_with_a_single_microprocess_the_scheduler_microprocess_only_terminates_once_the_scheduled_microprocess_has_terminated);
    test_add(
        suite,
        when_run_with_multiple_microprocesses_the_scheduler_microprocess_only_terminates_once_all_scheduled_microprocesses_have_terminated);
    test_add(
        suite,
        when_run_the_scheduler_microprocess_terminates_immediately_if_there_are_no_microprocesses_to_schedule);
    test_add(
        suite,
        waking_or_pausing_a_microprocess_that_is_already_awake_or_paused_respectively_has_no_effect);
    test_add(suite, waking_or_pausing_a_microprocess_that_has_not_yet_been_activated_has_no_effect);
    test_add(suite, waking_a_paused_microprocess_will_not_wake_other_paused_microprocesses);
#endif
    return suite;
}
#else

Suite *suite_axon(void)
{
    return test_suite("axon");
}

#endif
