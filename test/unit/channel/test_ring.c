/* test_ring.c - items from an interrupt to a task, one by one; here in one thread
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS && PT_REMOTE

struct sample {
    int16_t value;
    char tag[3];
};

static PT_RING(struct sample, 4) rx;

/* Gets a number of items and pauses after each. */
struct drainer {
    struct pt pt;
    char name;
    int times, ms;
    struct sample sample;
};

static PT_ASYNC(drainer, self)
{
    for (; self->times; self->times--) {
        PT_RING_GET(&rx, &self->sample);
        trace_add("%c:%d=%d%.3s@%d ", self->name, self->pt.status, self->sample.value,
                  self->sample.tag, test_ms(PT_NOW()));
        if (self->ms)
            PT_WAIT((pt_time)self->ms * PT_MS(1));
    }
}
PT_END

static PT_TASK(drainer) drainers[3];

static void open_ring(void)
{
    test_zero(drainers);
    test_open(&world);
    PT_RING_OPEN(&rx, &world.loop);
}

static void start_drainer(int i, int times, int ms)
{
    ck_assert_int_eq(PT_START(&world.loop, &drainers[i], drainer, .name = (char)('a' + i),
                              .times = times, .ms = ms),
                     PT_OK);
}

/* Put as the interrupt does. */
static pt_status put(int value)
{
    struct sample sample = {(int16_t)value, {'x', 'y', 'z'}};

    return PT_RING_PUT(&rx, &sample);
}

START_TEST(items_come_out_in_the_order_in_which_they_were_put)
{
    open_ring();
    ck_assert_int_eq(put(1), PT_OK);
    ck_assert_int_eq(put(2), PT_OK);
    start_drainer(0, 3, 1);
    turn(0);
    ck_assert_int_eq(put(3), PT_OK);
    run_world("a:0=1xyz@0 a:0=2xyz@1 a:0=3xyz@2 ");
}
END_TEST

START_TEST(tasks_that_wait_for_items_get_them_in_order_in_the_next_turn)
{
    open_ring();
    start_drainer(0, 1, 0);
    start_drainer(1, 1, 0);
    turn(0);
    ck_assert(!pt_loop_posted(&world.loop));
    ck_assert_int_eq(put(1), PT_OK);
    ck_assert(pt_loop_posted(&world.loop)); /* the loop must not sleep */
    ck_assert_int_eq(put(2), PT_OK);
    turn(1);
    run_world("a:0=1xyz@1 b:0=2xyz@1 ");
}
END_TEST

START_TEST(no_task_overtakes_another_at_a_ring)
{
    open_ring();
    start_drainer(0, 2, 0);
    turn(0);
    start_drainer(1, 1, 0);
    start_drainer(2, 1, 0);
    ck_assert_int_eq(put(1), PT_OK);
    turn(1); /* a gets the item; then b and c come and wait, then a again */
    for (int i = 2; i <= 4; i++)
        ck_assert_int_eq(put(i), PT_OK);
    run_world("a:0=1xyz@1 b:0=2xyz@1 c:0=3xyz@1 a:0=4xyz@1 ");
}
END_TEST

START_TEST(a_full_ring_fails_with_a_code_and_counts_what_it_lost)
{
    open_ring();
    for (int i = 1; i <= 4; i++)
        ck_assert_int_eq(put(i), PT_OK);
    ck_assert_int_eq(put(5), PT_EOVERRUN);
    ck_assert_int_eq(put(6), PT_EOVERRUN);
    ck_assert_uint_eq(pt_ring_lost(&rx.ring), 2);
    start_drainer(0, 4, 0);
    run_world("a:0=1xyz@0 a:0=2xyz@0 a:0=3xyz@0 a:0=4xyz@0 ");
    ck_assert_int_eq(put(7), PT_OK);
    ck_assert_uint_eq(pt_ring_lost(&rx.ring), 2);
}
END_TEST

START_TEST(the_counts_of_a_ring_wrap)
{
    int came = 0;

    open_ring();
    rx.ring.put = rx.ring.got = (pt_count_)-5;
    for (int i = 0; i < 30; i++) {
        struct sample sample;

        for (int more = 0; more <= i % 4; more++)
            ck_assert_int_eq(put(i + more), PT_OK);
        for (int more = 0; more <= i % 4; more++) {
            ck_assert(pt_ring_take_(&rx.ring, &sample));
            ck_assert_int_eq(sample.value, i + more);
            came++;
        }
        ck_assert(!pt_ring_take_(&rx.ring, &sample));
    }
    ck_assert_int_gt(came, 60);
    test_close(&world);
}
END_TEST

START_TEST(a_closed_ring_ends_all_waits)
{
    open_ring();
    start_drainer(0, 1, 0);
    start_drainer(1, 1, 0);
    start_drainer(2, 1, 0);
    turn(0);
    ck_assert_int_eq(put(1), PT_OK);
    pt_ring_close(&rx.ring); /* items that were put are still delivered */
    run_world("a:0=1xyz@0 b:-9=0@0 c:-9=0@0 ");
}
END_TEST

START_TEST(a_closed_ring_returns_its_items_and_then_always_a_code)
{
    open_ring();
    ck_assert_int_eq(put(1), PT_OK);
    ck_assert_int_eq(put(2), PT_OK);
    pt_ring_close(&rx.ring);
    start_drainer(0, 4, 1);
    run_world("a:0=1xyz@0 a:0=2xyz@1 a:-9=2xyz@2 a:-9=2xyz@3 ");
}
END_TEST

START_TEST(a_closed_ring_can_be_opened_again)
{
    open_ring();
    pt_ring_close(&rx.ring);
    PT_RING_OPEN(&rx, &world.loop);
    start_drainer(0, 1, 0);
    turn(0);
    ck_assert_int_eq(put(1), PT_OK);
    run_world("a:0=1xyz@0 ");
}
END_TEST

#if PT_CANCEL
START_TEST(an_item_skips_a_waiter_that_was_canceled_before_the_turn)
{
    open_ring();
    start_drainer(0, 1, 0);
    turn(0);
    ck_assert_int_eq(put(1), PT_OK);
    pt_cancel(&drainers[0].task, PT_ECANCELED);
    turn(1);
    start_drainer(1, 1, 0);
    run_world("b:0=1xyz@1 ");
}
END_TEST
#endif

#endif

Suite *suite_ring(void)
{
    Suite *suite = test_suite("ring");

#if PT_CHANNELS && PT_REMOTE
    test_add(suite, items_come_out_in_the_order_in_which_they_were_put);
    test_add(suite, tasks_that_wait_for_items_get_them_in_order_in_the_next_turn);
    test_add(suite, no_task_overtakes_another_at_a_ring);
    test_add(suite, a_full_ring_fails_with_a_code_and_counts_what_it_lost);
    test_add(suite, the_counts_of_a_ring_wrap);
    test_add(suite, a_closed_ring_ends_all_waits);
    test_add(suite, a_closed_ring_returns_its_items_and_then_always_a_code);
    test_add(suite, a_closed_ring_can_be_opened_again);
#if PT_CANCEL
    test_add(suite, an_item_skips_a_waiter_that_was_canceled_before_the_turn);
#endif
#endif
    return suite;
}
#else

Suite *suite_ring(void)
{
    return test_suite("ring");
}

#endif
