/* test_nest_hosts.c - which tasks may run a nested loop: one at a time, and none inside it
 * SPDX-License-Identifier: MIT */
/* with the room sync: others of its own have some of its names */
#include "pt_test.h"

#if PT_NESTING && PT_PORT

static struct test_world outer, inner, innermost;
static PT_TASK(pt_loop_async) hosts[3];

/* Sleeps three times for 2 ms. */
struct napper {
    struct pt pt;
    int naps;
};

static PT_ASYNC(napper, self)
{
    for (; self->naps < 3; self->naps++) {
        trace_add("%d ", test_ms(PT_NOW()));
        PT_WAIT(PT_MS(2));
    }
}
PT_END

static PT_TASK(napper) nappers[2];

static void open_worlds(void)
{
    test_zero(hosts);
    test_zero(nappers);
    test_open(&outer);
    test_open(&inner);
    test_open(&innermost);
    ck_assert_int_eq(PT_START(&outer.loop, &hosts[0], pt_loop_async, .loop = &inner.loop), PT_OK);
}

/* Run everything to its end and check the status of the hosts. */
static void close_worlds(pt_status second, pt_status third)
{
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_ptr_null(outer.loop.host);
    ck_assert_ptr_null(inner.loop.host);
    ck_assert_ptr_null(innermost.loop.host);
    ck_assert_int_eq(pt_task_status(&hosts[0].task), PT_OK);
    ck_assert_int_eq(pt_task_status(&hosts[1].task), second);
    ck_assert_int_eq(pt_task_status(&hosts[2].task), third);
    pt_loop_close(&innermost.loop);
    pt_loop_close(&inner.loop);
    test_close(&outer);
}

START_TEST(a_nested_loop_has_one_host_at_a_time)
{
    open_worlds();
    PT_START(&outer.loop, &hosts[1], pt_loop_async, .loop = &inner.loop);
    PT_START(&inner.loop, &nappers[0], napper);
    pt_loop_turn(&outer.loop, TEST_START);
    ck_assert_int_eq(pt_task_status(&hosts[1].task), PT_EBUSY);
    ck_assert_ptr_eq(inner.loop.host, &hosts[0].task); /* the loop still wakes its first host */
    PT_START(&inner.loop, &nappers[1], napper);
    PT_START(&outer.loop, &hosts[2], pt_loop_async, .loop = &inner.loop);
    close_worlds(PT_EBUSY, PT_EBUSY);
    ck_assert_trace("0 0 2 2 4 4 ");
}
END_TEST

START_TEST(a_nested_loop_can_have_a_second_host_after_the_first)
{
    open_worlds();
    PT_START(&inner.loop, &nappers[0], napper);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    PT_START(&outer.loop, &hosts[1], pt_loop_async, .loop = &inner.loop);
    PT_START(&inner.loop, &nappers[1], napper);
    PT_START(&outer.loop, &hosts[2], pt_loop_async, .loop = &innermost.loop);
    close_worlds(PT_OK, PT_OK);
    ck_assert_trace("0 2 4 6 8 10 ");
}
END_TEST

START_TEST(a_loop_cannot_be_nested_in_itself)
{
    open_worlds();
    PT_START(&inner.loop, &nappers[0], napper);
    PT_START(&inner.loop, &hosts[1], pt_loop_async, .loop = &inner.loop);
    PT_START(&outer.loop, &hosts[2], pt_loop_async, .loop = &outer.loop);
    close_worlds(PT_EDEADLK, PT_EDEADLK);
    ck_assert_trace("0 2 4 ");
}
END_TEST

START_TEST(a_loop_cannot_be_nested_in_a_loop_inside_it)
{
    open_worlds();
    PT_START(&inner.loop, &hosts[1], pt_loop_async, .loop = &innermost.loop);
    PT_START(&innermost.loop, &nappers[0], napper);
    PT_START(&innermost.loop, &hosts[2], pt_loop_async, .loop = &outer.loop);
    close_worlds(PT_OK, PT_EDEADLK);
    ck_assert_trace("0 2 4 ");
}
END_TEST

#endif

Suite *suite_nest_hosts(void)
{
    Suite *suite = test_suite("nest_hosts");

#if PT_NESTING && PT_PORT
    test_add(suite, a_nested_loop_has_one_host_at_a_time);
    test_add(suite, a_nested_loop_can_have_a_second_host_after_the_first);
    test_add(suite, a_loop_cannot_be_nested_in_itself);
    test_add(suite, a_loop_cannot_be_nested_in_a_loop_inside_it);
#endif
    return suite;
}
