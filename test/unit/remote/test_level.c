/* test_level.c - with PT_DEBUG an interrupt that makes a task ready, and does not post, stops the program
 * SPDX-License-Identifier: MIT
 *
 * The number of the interrupt that runs is a variable here. */
#undef PT_DEBUG
#define PT_DEBUG 1
#define PT_OTHER_KNOBS 1
#define PT_LEVEL() interrupt

static unsigned interrupt;

#include "test_escape.h"

#if PT_SYNC && PT_REMOTE

#define MESSAGE                                                                                   \
    "PT_LEVEL: an interrupt has made a task ready: it may only post to a waker, remote, mailbox " \
    "or ring"

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) storage;
static struct pt_event event;
static struct pt_remote remote;

struct waiter {
    struct pt pt;
    bool for_event;
    unsigned woken;
};

static PT_ASYNC(waiter, self)
{
    for (;;) {
        if (self->for_event)
            PT_WAIT_EVENT(&event);
        else
            PT_PARK();
        pt_event_clear(&event);
        self->woken++;
    }
}
PT_END

static PT_TASK(waiter) task;

static void turn_at(unsigned number)
{
    interrupt = number;
    pt_loop_turn(&loop, TEST_START);
}

/* A task waits, in a loop whose turn runs in this interrupt. */
static void open_at(unsigned number, bool for_event)
{
    interrupt = 0;
    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
    pt_event_init(&event);
    test_zero(task);
    PT_START(&loop, &task, waiter, .for_event = for_event);
    turn_at(number);
}

START_TEST(an_interrupt_that_wakes_a_task_stops)
{
    open_at(0, false);
    interrupt = 16;
    ck_assert_panic(pt_wake(&task.task), MESSAGE);
}
END_TEST

START_TEST(an_interrupt_that_sets_an_event_stops)
{
    open_at(0, true);
    interrupt = 16;
    ck_assert_panic(pt_event_set(&event), MESSAGE);
}
END_TEST

START_TEST(an_interrupt_that_starts_a_task_stops)
{
    static PT_TASK(waiter) other;

    test_zero(other);
    open_at(0, false);
    interrupt = 16;
    ck_assert_panic((void)PT_START(&loop, &other, waiter, .for_event = true), MESSAGE);
}
END_TEST

START_TEST(main_that_wakes_a_task_of_an_interrupts_loop_stops)
{
    open_at(14, false);
    interrupt = 0;
    ck_assert_panic(pt_wake(&task.task), MESSAGE);
}
END_TEST

START_TEST(a_post_of_an_interrupt_and_a_wake_at_the_level_of_the_loop_go_on)
{
    open_at(14, false);
    pt_remote_open(&remote, &loop, pt_remote_wake, &task.task);
    interrupt = 20;
    ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
    turn_at(14);
    ck_assert_uint_eq(task.frame.woken, 1);
    pt_wake(&task.task);
    turn_at(14);
    ck_assert_uint_eq(task.frame.woken, 2);
}
END_TEST

Suite *suite_level(void)
{
    Suite *suite = test_suite("level");

    test_add(suite, an_interrupt_that_wakes_a_task_stops);
    test_add(suite, an_interrupt_that_sets_an_event_stops);
    test_add(suite, an_interrupt_that_starts_a_task_stops);
    test_add(suite, main_that_wakes_a_task_of_an_interrupts_loop_stops);
    test_add(suite, a_post_of_an_interrupt_and_a_wake_at_the_level_of_the_loop_go_on);
    return suite;
}
#else
Suite *suite_level(void)
{
    (void)interrupt;
    return test_suite("level");
}

#endif
