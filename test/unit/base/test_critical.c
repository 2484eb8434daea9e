/* test_critical.c - posts on a part without atomics: each step runs with interrupts off
 * SPDX-License-Identifier: MIT
 *
 * The critical section of this file counts its entries. */
#undef PT_ATOMICS
#define PT_ATOMICS 0
#if !defined(PT_REMOTE) || PT_REMOTE
#define PT_CRITICAL_ENTER() mask()
#define PT_CRITICAL_LEAVE(state) unmask(state)

static unsigned mask(void);
static void unmask(unsigned state);
#endif

#include "test_talk.h"

#if PT_PORT && PT_REMOTE

static unsigned masked, sections;

static unsigned mask(void)
{
    sections++;
    return masked++;
}

static void unmask(unsigned state)
{
    masked--;
    ck_assert_uint_eq(masked, state); /* each section leaves the level that it entered */
}

static struct pt_remote remote;
static unsigned posts;

static void count(struct pt_remote *self, unsigned times)
{
    ck_assert_ptr_eq(self, &remote);
    ck_assert_uint_eq(masked, 0); /* a callback runs with interrupts on */
    posts += times;
}

static void open_remote(void)
{
    masked = sections = posts = 0;
    test_open(&world);
    pt_remote_open(&remote, &world.loop, count, NULL);
}

START_TEST(without_atomics_a_post_is_one_critical_section)
{
    open_remote();
    world.loop.port = NULL; /* as on a part: nothing to kick, which would be another one */
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    ck_assert_uint_eq(sections, 1);
    ck_assert_uint_eq(masked, 0);
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    turn(0);
    ck_assert_uint_eq(posts, 2);
    ck_assert_uint_eq(masked, 0);
    test_close(&world);
}
END_TEST

START_TEST(without_atomics_a_post_to_a_closed_loop_is_refused)
{
    open_remote();
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    pt_loop_close(&world.loop);
    ck_assert_uint_eq(posts, 1);
    ck_assert_int_eq(pt_remote_post(&remote), PT_ECLOSED);
    ck_assert_int_eq(pt_remote_post(&remote), PT_ECLOSED);
    ck_assert_int_eq(test_memory.blocks, 0);
}
END_TEST

/* --- the main loop of firmware --- */

static unsigned sleeps;
static pt_time slept_until;

static pt_time board_now(void)
{
    return world.clock.now;
}

static void board_sleep_until(pt_time until)
{
    ck_assert_uint_eq(masked, 1);
    sleeps++;
    slept_until = until;
}

static void turn_and_sleep(unsigned expected)
{
    pt_loop_turn_and_sleep(&world.loop, board_now, board_sleep_until);
    ck_assert_uint_eq(sleeps, expected);
    ck_assert_uint_eq(masked, 0);
}

/* An interrupt in the middle of a turn: the turn has handled the posts before. */
struct interrupted {
    struct pt pt;
};

static PT_ASYNC(interrupted, self)
{
    PT_YIELD();
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
}
PT_END

START_TEST(a_board_sleeps_masked_unless_a_task_is_ready_or_something_is_posted)
{
    static PT_TASK(interrupted) task;

    open_remote();
    test_zero(task);
    sleeps = 0;
    PT_START(&world.loop, &task, interrupted);
    turn_and_sleep(0); /* the task has yielded */
    turn_and_sleep(0); /* it has ended; the post came after the turn had begun */
    ck_assert_uint_eq(posts, 0);
    turn_and_sleep(1);
    ck_assert_uint_eq(posts, 1);
    ck_assert(slept_until == (pt_time)(world.clock.now + PT_DELAY_NEVER));
    test_close(&world);
}
END_TEST

#if PT_TIMERS
struct sleeper {
    struct pt pt;
};

static PT_ASYNC(sleeper, self)
{
    PT_WAIT(PT_MS(5));
}
PT_END

START_TEST(a_board_sleeps_until_the_next_deadline)
{
    static PT_TASK(sleeper) task;

    open_remote();
    test_zero(task);
    sleeps = 0;
    PT_START(&world.loop, &task, sleeper);
    turn_and_sleep(1);
    ck_assert(slept_until == (pt_time)(TEST_START + PT_MS(5)));
    world.clock.now = slept_until;
    turn_and_sleep(2);
    ck_assert(!pt_task_alive(&task.task));
    test_close(&world);
}
END_TEST
#endif

START_TEST(without_atomics_a_word_is_replaced_only_if_it_is_unchanged)
{
    unsigned word = 3;

    masked = 0;
    ck_assert(!pt_word_replace_(&word, 2, 7));
    ck_assert_uint_eq(word, 3);
    ck_assert(pt_word_replace_(&word, 3, 7));
    ck_assert_uint_eq(pt_word_swap_(&word, 9), 7);
    ck_assert_uint_eq(pt_word_load_(&word), 9);
}
END_TEST

Suite *suite_critical(void)
{
    Suite *suite = test_suite("critical");

    test_add(suite, without_atomics_a_post_is_one_critical_section);
    test_add(suite, without_atomics_a_post_to_a_closed_loop_is_refused);
    test_add(suite, a_board_sleeps_masked_unless_a_task_is_ready_or_something_is_posted);
#if PT_TIMERS
    test_add(suite, a_board_sleeps_until_the_next_deadline);
#endif
    test_add(suite, without_atomics_a_word_is_replaced_only_if_it_is_unchanged);
    return suite;
}
#else

#if defined(PT_CRITICAL_ENTER)
static unsigned mask(void)
{
    return 0;
}

static void unmask(unsigned state)
{
    (void)state;
}
#endif

Suite *suite_critical(void)
{
    return test_suite("critical");
}

#endif
