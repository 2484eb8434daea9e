/* test_barrier.c - tasks meet and continue together
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS

static struct pt_barrier gate;

/* Walks to the gate a number of times; each walk takes `ms`. */
struct walker {
    struct pt pt;
    char name;
    int ms, rounds;
};

static PT_ASYNC(walker, self)
{
    for (; self->rounds; self->rounds--) {
        PT_WAIT((pt_time)self->ms * PT_MS(1));
        PT_WAIT_BARRIER(&gate);
        trace_add("%c:%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(walker) walkers[4];

static void open_gate(unsigned parties)
{
    test_zero(walkers);
    test_open(&world);
    pt_barrier_init(&gate, parties);
}

static void walk(int i, int ms, int rounds)
{
    ck_assert_int_eq(PT_START(&world.loop, &walkers[i], walker, .name = (char)('a' + i), .ms = ms,
                              .rounds = rounds),
                     PT_OK);
}

START_TEST(the_last_task_at_a_barrier_continues_at_once_and_releases_the_others)
{
    open_gate(3);
    walk(0, 5, 1);
    walk(1, 1, 1);
    walk(2, 3, 1);
    turn(0);
    turn(1);
    turn(3);
    ck_assert_uint_eq(gate.waiting, 2);
    run_world("a:0@5 b:0@5 c:0@5 ");
    ck_assert_uint_eq(gate.waiting, 0);
}
END_TEST

START_TEST(a_barrier_can_be_used_for_many_rounds)
{
    open_gate(2);
    walk(0, 1, 3);
    walk(1, 2, 3);
    run_world("b:0@2 a:0@2 b:0@4 a:0@4 b:0@6 a:0@6 ");
}
END_TEST

START_TEST(a_task_that_comes_again_waits_for_the_next_round)
{
    open_gate(2);
    walk(0, 0, 2);
    walk(1, 0, 1);
    walk(2, 0, 1);
    run_world("b:0@0 a:0@0 a:0@0 c:0@0 ");
}
END_TEST

START_TEST(a_barrier_for_one_task_never_waits)
{
    open_gate(1);
    walk(0, 1, 3);
    run_world("a:0@1 a:0@2 a:0@3 ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_task_that_leaves_the_barrier_is_no_longer_counted)
{
    open_gate(3);
    walk(0, 0, 1);
    walk(1, 0, 1);
    turn(0);
    turn(0);
    ck_assert_uint_eq(gate.waiting, 2);
    pt_cancel(&walkers[0].task, PT_ECANCELED);
    ck_assert_uint_eq(gate.waiting, 1);
    walk(2, 0, 1);
    turn(1);
    turn(2);
    ck_assert_trace(""); /* two are here, and neither continues */
    walk(3, 0, 1);
    run_world("d:0@2 b:0@2 c:0@2 ");
}
END_TEST
#endif

#endif

Suite *suite_barrier(void)
{
    Suite *suite = test_suite("barrier");

#if PT_CHANNELS
    test_add(suite, the_last_task_at_a_barrier_continues_at_once_and_releases_the_others);
    test_add(suite, a_barrier_can_be_used_for_many_rounds);
    test_add(suite, a_task_that_comes_again_waits_for_the_next_round);
    test_add(suite, a_barrier_for_one_task_never_waits);
#if PT_CANCEL
    test_add(suite, a_task_that_leaves_the_barrier_is_no_longer_counted);
#endif
#endif
    return suite;
}
#else

Suite *suite_barrier(void)
{
    return test_suite("barrier");
}

#endif
