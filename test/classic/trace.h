/* trace.h - shared by the tests of classic threads: a trace of letters
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_H
#define TRACE_H

/* A test returns whether it passed; main.c knows its sentence. */
#define TESTS(X)                                                \
    X(a_thread_waits_until_its_condition_holds)                 \
    X(a_thread_waits_while_its_condition_holds)                 \
    X(a_condition_that_holds_is_no_wait)                        \
    X(a_yield_lets_others_run_once)                             \
    X(a_yield_until_lets_others_run_at_least_once)              \
    X(a_thread_that_exits_or_ends_starts_again)                 \
    X(a_restart_begins_at_the_beginning)                        \
    X(a_parent_waits_until_its_child_ends)                      \
    X(a_child_that_exits_lets_its_parent_continue)              \
    X(each_spawn_restarts_the_child)                            \
    X(a_thread_waits_for_two_at_once)                           \
    X(code_before_the_body_runs_at_each_call)                   \
    X(many_instances_of_a_thread_have_a_state_each)             \
    X(a_semaphore_lets_so_many_pass_and_no_more)                \
    X(a_producer_and_a_consumer_share_a_bounded_buffer)         \
    X(a_code_lock_opens_for_the_right_keys_in_time)             \
    X(a_radio_sleeps_unless_it_has_something_to_say)            \
    X(threads_of_three_levels_are_called_through_their_parents) \
    X(waits_on_one_line_are_different)                          \
    X(a_thread_can_mention_the_flag_of_a_yield)                 \
    X(a_yield_of_the_programs_own_lets_others_run_once)         \
    X(a_program_has_a_begin_an_end_and_a_delay_of_its_own)      \
    X(a_case_of_a_line_is_among_those_of_the_waits)             \
    X(a_program_can_look_at_the_count_of_a_semaphore)           \
    X(a_thread_waits_inside_its_own_switch)                     \
    X(a_wait_can_be_in_a_switch_in_a_switch)                    \
    X(a_thread_called_from_many_places_is_one_function)         \
    X(a_program_has_local_continuations_of_its_own)

#ifdef __cplusplus
extern "C" {
#endif
#define TEST_DECLARE(name) int name(void);
TESTS(TEST_DECLARE)
#undef TEST_DECLARE

/* put - append a letter to the trace; if it is full, the letter is lost, and the traces differ */
void put(char letter);

/* put_said - append what a thread returned, as the first letter of its name */
void put_said(char said);

/* traced - whether the trace is EXPECTED; the next one starts empty */
int traced(const char *expected);
#ifdef __cplusplus
}
#endif

#endif
