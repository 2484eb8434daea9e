/* test_nest_left.c - without PT_CANCEL, a nested loop that a timeout ends releases its host
 * SPDX-License-Identifier: MIT */
#undef PT_CANCEL
#undef PT_GROUPS
#define PT_OTHER_KNOBS 1
#define PT_CANCEL 0
#define PT_GROUPS 0
#include "pt_test.h"

#if PT_NESTING && PT_TIMEOUTS && PT_SYNC && PT_AWAIT && PT_PORT

static struct test_world outer, inner;
static struct pt_lock lock;

/* Holds the lock until its second wake. */
struct holder {
    struct pt pt;
};

static PT_ASYNC(holder, self)
{
    PT_LOCK(&lock);
    PT_PARK();
    PT_PARK();
    PT_UNLOCK(&lock);
}
PT_END

struct parker {
    struct pt pt;
};

static PT_ASYNC(parker, self)
{
    PT_PARK();
    trace_add("woken@%d ", test_ms(PT_NOW()));
}
PT_END

/* Runs the inner loop for 5 ms, and then waits for the lock. */
struct guest {
    struct pt pt;
    struct pt_scope limit;
    struct pt_loop_async run;
};

static PT_ASYNC(guest, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_WAIT_COMPLETE(&self->run, pt_loop_async, .loop = &inner.loop);
    }
    trace_add("limit%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    PT_LOCK(&lock);
    trace_add("%s@%d ", PT_HOLDS(&lock) ? "locked" : "not locked", test_ms(PT_NOW()));
    PT_UNLOCK(&lock);
}
PT_END

static PT_TASK(holder) holder_task;
static PT_TASK(parker) parker_task;
static PT_TASK(guest) guest_task;

static void open_guest(void)
{
    test_zero(holder_task);
    test_zero(parker_task);
    test_zero(guest_task);
    test_zero(lock);
    pt_lock_init(&lock);
    test_open(&outer);
    test_open(&inner);
    ck_assert_int_eq(PT_START(&outer.loop, &holder_task, holder), PT_OK);
    ck_assert_int_eq(PT_START(&inner.loop, &parker_task, parker), PT_OK);
    ck_assert_int_eq(PT_START(&outer.loop, &guest_task, guest), PT_OK);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    ck_assert_trace("limit1@5 ");
}

START_TEST(a_nested_loop_that_timed_out_no_longer_wakes_its_host)
{
    open_guest();
    ck_assert_ptr_null(inner.loop.host);
    pt_wake(&parker_task.task); /* in the inner loop, which no task runs now */
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    ck_assert_trace("");
    pt_wake(&holder_task.task);
    pt_loop_turn(&outer.loop, outer.clock.now);
    pt_wake(&holder_task.task);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    ck_assert_trace("locked@5 ");
    ck_assert_int_eq(pt_loop_run(&inner.loop), PT_OK);
    trace_take();
    pt_loop_close(&inner.loop);
    test_close(&outer);
}
END_TEST

START_TEST(a_nested_loop_that_timed_out_keeps_its_tasks_and_can_be_run_again)
{
    static PT_TASK(pt_loop_async) again;

    open_guest();
    test_zero(again);
    ck_assert_uint_eq(pt_loop_live(&inner.loop), 1);
    ck_assert_int_eq(PT_START(&outer.loop, &again, pt_loop_async, .loop = &inner.loop), PT_OK);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    pt_wake(&parker_task.task);
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_EDEADLK);
    ck_assert_trace("woken@5 ");
    ck_assert_int_eq(pt_task_status(&again.task), PT_OK);
    for (int i = 0; i < 2; i++) {
        pt_wake(&holder_task.task);
        pt_loop_turn(&outer.loop, outer.clock.now);
    }
    ck_assert_int_eq(pt_loop_run(&outer.loop), PT_OK);
    trace_take();
    pt_loop_close(&inner.loop);
    test_close(&outer);
}
END_TEST

#endif

Suite *suite_nest_left(void)
{
    Suite *suite = test_suite("nest_left");

#if PT_NESTING && PT_TIMEOUTS && PT_SYNC && PT_AWAIT && PT_PORT
    test_add(suite, a_nested_loop_that_timed_out_no_longer_wakes_its_host);
    test_add(suite, a_nested_loop_that_timed_out_keeps_its_tasks_and_can_be_run_again);
#endif
    return suite;
}
