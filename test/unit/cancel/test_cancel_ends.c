/* test_cancel_ends.c - what a canceled task leaves: places in pools, pauses, storage
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_JOINS && PT_POOLS

#if PT_CANCEL && PT_HAS_MEMBERS_ /* pt_loop_cancel */

#include "test_act.h"

START_TEST(a_canceled_wait_for_a_pool_leaves_the_room_to_the_next_task)
{
    open_world();
    start(&a, 'A', "f", "");
    start(&b, 'B', "f", "");
    start(&c, 'C', "f", "");
    turn(0);
    turn(0);
    ck_assert_trace("Af@0 A[]@0 Bf@0 Cf@0 Rw@0 ");
    pt_cancel(&b.task, REASON);
    turn(1);
    memset(&b, 0xa5, sizeof b);
    run_world("B[]@1 R[]@2 C[]@2 Rw@2 R[]@4 ");
    ck_assert_uint_eq(rooms.pool.granted, 0);
    ck_assert_uint_eq(rooms.pool.used, 0);
}
END_TEST

START_TEST(a_place_that_was_given_is_used_despite_a_cancel)
{
    open_world();
    start(&a, 'A', "f", "");
    start(&b, 'B', "ff", "");
    start(&c, 'C', "f", "");
    turn(0);
    turn(0);
    turn(2); /* the room is given to B */
    ck_assert_uint_eq(rooms.pool.granted, 1);
    pt_cancel(&b.task, REASON);
    run_world("Af@0 A[]@0 Bf@0 Cf@0 Rw@0 R[]@2 Bf@2 Rw@2 B[]@2 R[]@4 C[]@4 Rw@4 R[]@6 ");
    ck_assert_uint_eq(rooms.pool.granted, 0);
    ck_assert_uint_eq(rooms.pool.used, 0);
    ck_assert_int_eq(pt_task_status(&b.task), REASON);
}
END_TEST

#if PT_PAUSE
START_TEST(a_cancel_resumes_a_paused_task)
{
    open_world();
    start(&a, 'A', "w", "w"); /* asleep */
    start(&b, 'B', "y", "w"); /* ready */
    turn(0);
    start(&c, 'C', "w", "w"); /* not started */
    pt_pause(&a.task);
    pt_pause(&b.task);
    pt_pause(&c.task);
    turn(1);
    ck_assert_trace("Aw@0 By@0 ");
    pt_loop_cancel(&world.loop, REASON);
    ck_assert(!pt_task_paused(&a.task) && !pt_task_paused(&b.task));
    run_world("A[Aw@1 B[Bw@1 Cw@1 C[Cw@1 ]@3 ]@3 ]@3 ");
    ck_assert_int_eq(pt_task_status(&c.task), REASON);
}
END_TEST

START_TEST(a_cleanup_can_be_paused_again)
{
    open_world();
    start(&a, 'A', "p", "w");
    turn(0);
    pt_cancel(&a.task, REASON);
    turn(0);
    pt_pause(&a.task);
    turn(4);
    pt_cancel(&a.task, REASON); /* a second cancel has no effect at all */
    turn(5);
    ck_assert_trace("Ap@0 A[Aw@0 ");
    pt_resume(&a.task);
    run_world("]@5 ");
}
END_TEST
#endif

/* Cancels A and starts it again as soon as it has ended. */
struct phoenix {
    struct pt pt;
};

static PT_ASYNC(phoenix, self)
{
    pt_cancel(&a.task, REASON);
    PT_JOIN(&a.task);
    trace_add("joined%d ", self->pt.status);
    PT_SPAWN(&a, act, .name = 'B', .steps = "wj", .cleanup = "", .target = &b.task);
    PT_JOIN(&a.task);
    trace_add("joined%d ", self->pt.status);
}
PT_END

START_TEST(a_canceled_task_can_be_started_again)
{
    static PT_TASK(phoenix) phoenix;

    open_world();
    test_zero(phoenix);
    start(&a, 'A', "w", "");
    PT_START(&world.loop, &phoenix, phoenix);
    run_world("Aw@0 A[]@0 joined-70 Bw@0 Bj@2 B=-3@2 B[]@2 joined0 ");
    ck_assert(!pt_task_canceled(&a.task));
}
END_TEST

/* Starts another task in the freed storage, from the callback at the end of the first. */
struct heir {
    struct pt_owner owner;
    int left;
};

static void inherit(struct pt_owner *owner, struct pt_task *task)
{
    struct heir *heir = (struct heir *)(void *)owner;

    ck_assert(task == &a.task && pt_task_done(task));
    trace_add("free%d ", pt_task_status(task));
    memset(&a, 0xa5, sizeof a);
    test_zero(a);
    if (heir->left-- == 0)
        return;
    start(&a, 'H', "p", "");
    PT_OWN(&a, owner);
    if (heir->left == 0)
        pt_cancel(&a.task, PT_ECANCELED); /* before its first turn */
}

START_TEST(an_owner_gets_the_storage_back_after_a_cancel)
{
    static struct heir heir;

    open_world();
    heir.owner.release = inherit;
    heir.left = 2;
    start(&a, 'A', "w", "w");
    PT_OWN(&a, &heir.owner);
    turn(0);
    pt_cancel(&a.task, REASON);
    turn(0);
    turn(2);
    turn(3);
    pt_cancel(&a.task, REASON);
    turn(3);
    turn(3);
    turn(3);
    ck_assert_int_eq(heir.left, -1);
    run_world("Aw@0 A[Aw@0 ]@2 free-70 Hp@3 H[]@3 free-70 Hp@3 H[]@3 free-1 ");
}
END_TEST

START_TEST(canceled_tasks_from_the_heap_and_from_a_pool_free_their_storage)
{
    open_world();
    ck_assert_int_eq(
        PT_START_FROM(&world.loop, &rooms, act, .name = 'P', .steps = "p", .cleanup = "w"), PT_OK);
    ck_assert_int_eq(PT_START_NEW(&world.loop, act, .name = 'N', .steps = "p", .cleanup = "w"),
                     PT_OK);
    turn(0);
    ck_assert_int_eq(PT_START_NEW(&world.loop, act, .name = '-', .steps = "p", .cleanup = "w"),
                     PT_OK);
    pt_loop_cancel(&world.loop, REASON);
    run_world("Pp@0 Np@0 -p@0 P[Pw@0 N[Nw@0 -[-w@0 ]@2 ]@2 ]@2 ");
    ck_assert_uint_eq(rooms.pool.used, 0);
}
END_TEST

START_TEST(a_loop_is_canceled_with_all_its_tasks)
{
    open_world();
    pt_loop_cancel(&world.loop, REASON); /* has no effect */
    start(&a, 'A', "pw", "");
    start(&b, 'B', "j", "w");
    start(&c, 'C', "", "w");
    turn(0);
    start(&d, 'D', "w", "");
    pt_loop_cancel(&world.loop, REASON);
    pt_loop_cancel(&world.loop, PT_ECANCELED);
    run_world("Ap@0 Bj@0 C[Cw@0 Dw@0 A[]@0 B[Bw@0 D[]@0 ]@2 ]@2 ");
    ck_assert_int_eq(pt_task_status(&a.task), REASON);
    ck_assert_int_eq(pt_task_status(&b.task), REASON);
    ck_assert_int_eq(pt_task_status(&c.task), PT_OK);
    ck_assert_int_eq(pt_task_status(&d.task), REASON);
}
END_TEST

#endif

Suite *suite_cancel_ends(void)
{
    Suite *suite = test_suite("cancel_ends");

#if PT_CANCEL && PT_HAS_MEMBERS_ /* pt_loop_cancel */
    test_add(suite, a_canceled_wait_for_a_pool_leaves_the_room_to_the_next_task);
    test_add(suite, a_place_that_was_given_is_used_despite_a_cancel);
#if PT_PAUSE
    test_add(suite, a_cancel_resumes_a_paused_task);
    test_add(suite, a_cleanup_can_be_paused_again);
#endif
    test_add(suite, a_canceled_task_can_be_started_again);
    test_add(suite, an_owner_gets_the_storage_back_after_a_cancel);
    test_add(suite, canceled_tasks_from_the_heap_and_from_a_pool_free_their_storage);
    test_add(suite, a_loop_is_canceled_with_all_its_tasks);
#endif
    return suite;
}
#else

Suite *suite_cancel_ends(void)
{
    return test_suite("cancel_ends");
}

#endif
