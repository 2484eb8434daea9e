/* test_flags.c - tasks wait for any, or all, of some bits
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT

#if PT_CHANNELS

static struct pt_flags radio;

/* Waits for bits of its mask a number of times and traces what it found. */
struct listener {
    struct pt pt;
    char name;
    unsigned mask, how;
    int times;
    struct pt_flags_wanted want;
};

static PT_ASYNC(listener, self)
{
    for (; self->times; self->times--) {
        PT_WAIT_FLAGS(&radio, &self->want, self->mask, self->how);
        trace_add("%c:%d=%x(%x) ", self->name, self->pt.status, self->want.found, radio.bits);
    }
}
PT_END

static PT_TASK(listener) listeners[3];

static void open_listeners(void)
{
    test_zero(listeners);
    test_open(&world);
    pt_flags_init(&radio);
}

static void listen(int i, unsigned mask, unsigned how, int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &listeners[i], listener, .name = (char)('a' + i),
                              .mask = mask, .how = how, .times = times),
                     PT_OK);
}

START_TEST(any_bit_of_the_mask_ends_the_wait)
{
    open_listeners();
    listen(0, 6, PT_FLAGS_ANY, 1);
    turn(0);
    pt_flags_set(&radio, 1);
    turn(1);
    ck_assert_trace("");
    pt_flags_set(&radio, 4);
    run_world("a:0=4(5) ");
}
END_TEST

START_TEST(all_bits_of_the_mask_end_the_wait_whenever_they_come)
{
    open_listeners();
    listen(0, 6, PT_FLAGS_ALL, 1);
    turn(0);
    pt_flags_set(&radio, 2);
    turn(1);
    pt_flags_clear(&radio, 2);
    pt_flags_set(&radio, 4);
    turn(2);
    ck_assert_trace("");
    pt_flags_set(&radio, 3);
    run_world("a:0=6(7) ");
}
END_TEST

START_TEST(bits_that_are_already_set_end_the_wait_at_once)
{
    open_listeners();
    pt_flags_set(&radio, 7);
    listen(0, 6, PT_FLAGS_ALL, 2);
    listen(1, 3, PT_FLAGS_ANY | PT_FLAGS_CLEAR, 1);
    run_world("a:0=6(7) a:0=6(7) b:0=3(4) ");
}
END_TEST

START_TEST(all_waiters_see_the_same_bits_before_they_are_cleared)
{
    open_listeners();
    listen(0, 3, PT_FLAGS_ANY | PT_FLAGS_CLEAR, 1);
    listen(1, 5, PT_FLAGS_ANY, 1);
    listen(2, 1, PT_FLAGS_ALL | PT_FLAGS_CLEAR, 2);
    turn(0);
    pt_flags_set(&radio, 5);
    ck_assert_uint_eq(radio.bits, 4);
    turn(1);
    ck_assert_trace("a:0=1(4) b:0=5(4) c:0=1(4) ");
    ck_assert_int_eq(pt_wait_queue_count_(&radio.waiters), 1);
    pt_flags_set(&radio, 1);
    run_world("c:0=1(4) ");
}
END_TEST

START_TEST(bits_that_do_not_complete_the_mask_are_not_cleared)
{
    open_listeners();
    listen(0, 3, PT_FLAGS_ALL | PT_FLAGS_CLEAR, 1);
    turn(0);
    pt_flags_set(&radio, 1);
    ck_assert_uint_eq(radio.bits, 1);
    pt_flags_set(&radio, 2);
    ck_assert_uint_eq(radio.bits, 0);
    run_world("a:0=3(0) ");
}
END_TEST

START_TEST(waiters_that_are_not_released_keep_their_places)
{
    open_listeners();
    listen(0, 1, PT_FLAGS_ANY | PT_FLAGS_CLEAR, 1);
    listen(1, 2, PT_FLAGS_ANY | PT_FLAGS_CLEAR, 1);
    listen(2, 1, PT_FLAGS_ANY | PT_FLAGS_CLEAR, 1);
    turn(0);
    pt_flags_set(&radio, 2);
    turn(1);
    pt_flags_set(&radio, 1);
    run_world("b:0=2(0) a:0=1(0) c:0=1(0) ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_task_that_is_interrupted_before_all_its_bits_came_has_none)
{
    open_listeners();
    listen(0, 6, PT_FLAGS_ALL, 1);
    turn(0);
    pt_flags_set(&radio, 2);
    pt_cancel(&listeners[0].task, PT_ECANCELED);
    run_world("");
    ck_assert_uint_eq(listeners[0].frame.want.found, 0);
    ck_assert_uint_eq(radio.bits, 2);
}
END_TEST
#endif

#endif

Suite *suite_flags(void)
{
    Suite *suite = test_suite("flags");

#if PT_CHANNELS
    test_add(suite, any_bit_of_the_mask_ends_the_wait);
    test_add(suite, all_bits_of_the_mask_end_the_wait_whenever_they_come);
    test_add(suite, bits_that_are_already_set_end_the_wait_at_once);
    test_add(suite, all_waiters_see_the_same_bits_before_they_are_cleared);
    test_add(suite, bits_that_do_not_complete_the_mask_are_not_cleared);
    test_add(suite, waiters_that_are_not_released_keep_their_places);
#if PT_CANCEL
    test_add(suite, a_task_that_is_interrupted_before_all_its_bits_came_has_none);
#endif
#endif
    return suite;
}
#else

Suite *suite_flags(void)
{
    return test_suite("flags");
}

#endif
