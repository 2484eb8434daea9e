/* test_held.c - blocks that hold a lock: however a block is left, the lock is free
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_CLEANUP

#if PT_SYNC && PT_TIMEOUTS

static struct pt_lock strongbox;
PT_IF_(PT_CHANNELS, static struct pt_rwlock held_map; static struct pt_condition held_changed;)

/* How a block is left. */
enum held_way { H_END, H_BREAK, H_CONTINUE, H_RETURN, H_WAITS, H_TWICE };

static void keeper_has_it(char name, pt_time now)
{
    trace_add("%c@%d ", name, test_ms(now));
}

/* A function that the block awaits: its cleanup still has the lock. */
struct held_below {
    struct pt pt;
};

static PT_ASYNC(held_below, self)
{
    PT_WAIT(PT_MS(10));
    PT_FINALLY
    trace_add("below:%d ", PT_HOLDS(&strongbox) || strongbox.owner == NULL);
}
PT_END

struct keeper {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held, again;
    struct held_below below;
    enum held_way way;
    int ms;
    char name;
};

static PT_ASYNC(keeper, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->ms ? (pt_time)self->ms * PT_MS(1) : PT_DELAY_NEVER)
        PT_WITH_LOCK(&self->held, &strongbox) {
            keeper_has_it(self->name, PT_NOW());
            ck_assert(PT_HOLDS(&strongbox));
            if (self->way == H_WAITS)
                PT_WAIT_COMPLETE(&self->below, held_below);
            else
                PT_WAIT(PT_MS(1));
            if (self->way == H_BREAK)
                break;
            if (self->way == H_CONTINUE)
                continue;
            if (self->way == H_RETURN)
                PT_RETURN(-64);
            if (self->way == H_TWICE)
                PT_WITH_LOCK(&self->again, &strongbox)
                    trace_add("again ");
            trace_add("end ");
        }
    trace_add("%s%d ", PT_HOLDS(&strongbox) ? "holds" : "free", pt_timed_out(&self->limit));
    PT_FINALLY
    trace_add("%c:%d:%d ", self->name, self->pt.result, PT_HOLDS(&strongbox));
}
PT_END

static PT_TASK(keeper) keepers[3];

static void open_keepers(void)
{
    test_zero(keepers);
    test_open(&world);
    pt_lock_init(&strongbox);
}

static void keep(int i, enum held_way way, int ms)
{
    ck_assert_int_eq(
        PT_START(&world.loop, &keepers[i], keeper, .way = way, .ms = ms, .name = (char)('a' + i)),
        PT_OK);
}

START_TEST(a_block_waits_for_its_lock_and_unlocks_at_its_end)
{
    open_keepers();
    keep(0, H_END, 0);
    keep(1, H_END, 0);
    run_world("a@0 end free0 a:0:0 b@1 end free0 b:0:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

START_TEST(a_block_that_break_continue_or_return_leaves_unlocks)
{
    open_keepers();
    keep(0, H_BREAK, 0);
    keep(1, H_CONTINUE, 0);
    keep(2, H_RETURN, 0);
    run_world("a@0 free0 a:0:0 b@1 free0 b:0:0 c@2 c:-64:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

START_TEST(a_timeout_around_it_unlocks_after_the_cleanup_of_what_it_awaits)
{
    open_keepers();
    keep(0, H_WAITS, 3);
    keep(1, H_END, 0);
    run_world("a@0 below:1 free1 a:0:0 b@3 end free0 b:0:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

START_TEST(a_timeout_while_it_waits_for_the_lock_unlocks_nothing)
{
    open_keepers();
    keep(0, H_WAITS, 0);
    keep(1, H_END, 3);
    keep(2, H_END, 0);
    run_world("a@0 free1 b:0:0 below:1 end free0 a:0:0 c@10 end free0 c:0:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

START_TEST(a_lock_that_the_task_holds_ends_the_function_with_a_code)
{
    open_keepers();
    keep(0, H_TWICE, 0);
    run_world("a@0 a:-6:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

START_TEST(a_reentrant_lock_is_held_until_the_outer_block_ends)
{
    open_keepers();
    pt_lock_init_reentrant(&strongbox);
    keep(0, H_TWICE, 0);
    run_world("a@0 again end free0 a:0:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

START_TEST(a_deadline_of_such_a_block_cannot_be_moved)
{
    struct pt_scope *scope = &keepers[0].frame.held.scope;

    open_keepers();
    keep(0, H_END, 0);
    turn(0);
    ck_assert_int_eq(pt_timeout_rearm_(&keepers[0].task, scope, PT_MS(1)), PT_EINVAL);
    run_world("a@0 end free0 a:0:0 ");
}
END_TEST

#if !PT_DEBUG /* it stops there */
/* A block within a block, with the same struct pt_held and another lock. */
static struct pt_lock held_other;

struct held_twice {
    struct pt pt;
    struct pt_held held;
};

static PT_ASYNC(held_twice, self)
{
    PT_WITH_LOCK(&self->held, &strongbox)
        PT_WITH_LOCK(&self->held, &held_other)
            trace_add("never ");
    trace_add("never ");
    PT_FINALLY
    trace_add("%d:%d:%d ", self->pt.result, PT_HOLDS(&strongbox), PT_HOLDS(&held_other));
}
PT_END

START_TEST(a_block_whose_struct_is_in_use_ends_the_function_and_the_outer_block_unlocks)
{
    static PT_TASK(held_twice) twice;

    open_keepers();
    test_zero(twice);
    pt_lock_init(&held_other);
    ck_assert_int_eq(PT_START(&world.loop, &twice, held_twice), PT_OK);
    keep(0, H_END, 0);
    run_world("-2:0:0 a@0 end free0 a:0:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST
#endif

#if PT_CANCEL
START_TEST(a_cancel_unlocks_before_the_cleanup_in_each_state)
{
    for (int ms = 0; ms < 4; ms++) {
        open_keepers();
        keep(0, H_WAITS, 0);
        keep(1, H_WAITS, 0);
        turn(0);
        turn(ms);
        pt_cancel(&keepers[0].task, PT_ECANCELED);
        pt_cancel(&keepers[1].task, PT_ECANCELED); /* it waits for the lock */
        run_world("a@0 below:1 a:-1:0 b:-1:0 ");
        ck_assert_ptr_null(strongbox.owner);
    }
}
END_TEST

START_TEST(a_task_that_was_given_the_lock_before_a_cancel_unlocks_it)
{
    open_keepers();
    keep(0, H_END, 0);
    keep(1, H_WAITS, 0);
    keep(2, H_END, 0);
    turn(0);
    turn(1); /* a unlocks: b has the lock, and has not run yet */
    ck_assert_ptr_eq(strongbox.owner, &keepers[1].task);
    pt_cancel(&keepers[1].task, PT_ECANCELED);
    run_world("a@0 end free0 a:0:0 b@1 below:1 b:-1:0 c@1 end free0 c:0:0 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST
#endif

/* A cleanup with a block: its own timeout ends it there, and what follows still runs. */
struct held_cleaner {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held;
};

static PT_ASYNC(held_cleaner, self)
{
    PT_YIELD();
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3))
        PT_WITH_LOCK(&self->held, &strongbox) {
            trace_add("locked ");
            PT_PARK();
        }
    trace_add("%d@%d ", PT_HOLDS(&strongbox), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_cleanup_can_hold_a_lock_for_a_time)
{
    static PT_TASK(held_cleaner) cleaner;

    open_keepers();
    test_zero(cleaner);
    keep(0, H_END, 0);
    ck_assert_int_eq(PT_START(&world.loop, &cleaner, held_cleaner), PT_OK);
    run_world("a@0 end free0 a:0:0 locked 0@3 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST

#if PT_GROUPS
/* A group in the block: its tasks still run under the lock. */
struct held_child {
    struct pt pt;
};

static PT_ASYNC(held_child, self)
{
    PT_PARK();
    PT_FINALLY
    PT_WAIT(PT_MS(2));
    trace_add("child:%d ", strongbox.owner != NULL);
}
PT_END

struct held_parent {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held;
    struct pt_group group;
    PT_TASK(held_child) child;
};

static PT_ASYNC(held_parent, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3))
        PT_WITH_LOCK(&self->held, &strongbox)
            PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
                PT_SPAWN_IN(&self->group, &self->child, held_child);
            }
    trace_add("%d@%d ", strongbox.owner != NULL, test_ms(PT_NOW()));
}
PT_END

START_TEST(the_tasks_of_a_group_in_it_end_before_it_unlocks)
{
    static PT_TASK(held_parent) parent;

    open_keepers();
    test_zero(parent);
    ck_assert_int_eq(PT_START(&world.loop, &parent, held_parent), PT_OK);
    run_world("child:1 0@5 ");
}
END_TEST
#endif

#if PT_CHANNELS
/* A block with a rwlock; and a condition's wait in a block. */
struct held_reader {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held;
    bool writes;
    int ms;
    char name;
};

static PT_ASYNC(held_reader, self)
{
    PT_WITH_TIMEOUT(&self->limit, (pt_time)self->ms * PT_MS(1)) {
        if (self->writes)
            PT_WITH_EXCLUSIVE(&self->held, &held_map) {
                trace_add("%c!%d ", self->name, test_ms(PT_NOW()));
                ck_assert(held_map.writer && !held_map.reading);
                PT_WAIT(PT_MS(5));
            }
        else
            PT_WITH_SHARED(&self->held, &held_map) {
                trace_add("%c?%d ", self->name, test_ms(PT_NOW()));
                ck_assert(!held_map.writer && held_map.reading);
                PT_WAIT(PT_MS(5));
            }
    }
    trace_add("%c%d ", self->name, pt_timed_out(&self->limit));
}
PT_END

START_TEST(a_rwlock_has_blocks_to_read_and_to_write)
{
    static PT_TASK(held_reader) readers[5];

    static const int ms[] = {9, 2, 8, 20, 3}; /* e's time is over while it waits, and a reads */

    test_zero(readers);
    test_open(&world);
    pt_rwlock_init(&held_map);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(PT_START(&world.loop, &readers[i], held_reader, .writes = i == 2,
                                  .ms = ms[i], .name = (char)('a' + i)),
                         PT_OK);
    run_world("a?0 b?0 b1 e1 a0 c!5 c1 d?8 d0 ");
    ck_assert_ptr_null(held_map.writer);
    ck_assert_uint_eq(held_map.reading, 0);
}
END_TEST

struct held_guest {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held;
};

static PT_ASYNC(held_guest, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2))
        PT_WITH_LOCK(&self->held, &strongbox)
            PT_WAIT_CONDITION(&held_changed, &strongbox);
    trace_add("guest:%d@%d ", PT_HOLDS(&strongbox), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_condition_in_the_block_locks_again_and_the_block_unlocks)
{
    static PT_TASK(held_guest) guest;

    open_keepers();
    test_zero(guest);
    pt_condition_init(&held_changed);
    ck_assert_int_eq(PT_START(&world.loop, &guest, held_guest), PT_OK);
    keep(0, H_WAITS, 0);
    run_world("a@0 below:1 end free0 a:0:0 guest:0@10 ");
    ck_assert_ptr_null(strongbox.owner);
}
END_TEST
#endif

#endif

Suite *suite_held(void)
{
    Suite *suite = test_suite("held");

#if PT_SYNC && PT_TIMEOUTS
    test_add(suite, a_block_waits_for_its_lock_and_unlocks_at_its_end);
    test_add(suite, a_block_that_break_continue_or_return_leaves_unlocks);
    test_add(suite, a_timeout_around_it_unlocks_after_the_cleanup_of_what_it_awaits);
    test_add(suite, a_timeout_while_it_waits_for_the_lock_unlocks_nothing);
    test_add(suite, a_lock_that_the_task_holds_ends_the_function_with_a_code);
    test_add(suite, a_reentrant_lock_is_held_until_the_outer_block_ends);
    test_add(suite, a_deadline_of_such_a_block_cannot_be_moved);
#if !PT_DEBUG
    test_add(suite, a_block_whose_struct_is_in_use_ends_the_function_and_the_outer_block_unlocks);
#endif
#if PT_CANCEL
    test_add(suite, a_cancel_unlocks_before_the_cleanup_in_each_state);
    test_add(suite, a_task_that_was_given_the_lock_before_a_cancel_unlocks_it);
#endif
    test_add(suite, a_cleanup_can_hold_a_lock_for_a_time);
#if PT_GROUPS
    test_add(suite, the_tasks_of_a_group_in_it_end_before_it_unlocks);
#endif
#if PT_CHANNELS
    test_add(suite, a_rwlock_has_blocks_to_read_and_to_write);
    test_add(suite, a_condition_in_the_block_locks_again_and_the_block_unlocks);
#endif
#endif
    return suite;
}
#else

Suite *suite_held(void)
{
    return test_suite("held");
}

#endif
