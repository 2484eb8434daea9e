/* test_rearm.c - a timeout is moved later or earlier while its block is open
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_AWAIT

#if PT_TIMEOUTS

struct helper {
    struct pt pt;
    struct pt_scope *limit;
    pt_time delay;
};

/* Moves its caller's timeout later. */
static PT_ASYNC(helper, self)
{
    PT_WAIT(PT_MS(1));
    PT_REARM(self->limit, self->delay);
    trace_add("%d ", self->pt.status);
    PT_PARK();
}
PT_END

struct rearm {
    struct pt pt;
    struct pt_scope limit;
    struct helper helper;
    pt_time first, second;
};

static PT_ASYNC(rearm, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->first) {
        PT_WAIT_COMPLETE(&self->helper, helper, .limit = &self->limit, .delay = self->second);
    }
    trace_add("late%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
    PT_REARM(&self->limit, PT_MS(1));
    trace_add("%d ", self->pt.status);
}
PT_END

static void run_rearm(pt_time first, pt_time second, const char *trace)
{
    static PT_TASK(rearm) rearm;

    test_zero(rearm);
    test_open(&world);
    PT_START(&world.loop, &rearm, rearm, .first = first, .second = second);
    run_world(trace);
}

START_TEST(a_timeout_is_moved_later_or_earlier)
{
    run_rearm(PT_MS(3), PT_MS(6), "0 late1@7 -3 ");
    run_rearm(PT_MS(9), PT_MS(2), "0 late1@3 -3 ");
    run_rearm(PT_MS(3), 0, "0 late1@1 -3 ");
    run_rearm(PT_DELAY_NEVER, PT_MS(2), "0 late1@3 -3 ");
}
END_TEST

/* Moves the timeout of a block from within another one. */
struct nested {
    struct pt pt;
    struct pt_scope outer, inner;
};

static PT_ASYNC(nested, self)
{
    PT_WITH_TIMEOUT(&self->outer, PT_MS(3)) {
        PT_WITH_TIMEOUT(&self->inner, PT_MS(9)) {
            PT_REARM(&self->outer, PT_MS(5));
            trace_add("%d ", self->pt.status);
            PT_PARK();
        }
        trace_add("inner ");
    }
    trace_add("late%d%d@%d ", pt_timed_out(&self->outer), pt_timed_out(&self->inner),
              test_ms(PT_NOW()));
}
PT_END

START_TEST(a_timeout_is_moved_from_within_an_inner_block)
{
    static PT_TASK(nested) nested;

    test_zero(nested);
    test_open(&world);
    PT_START(&world.loop, &nested, nested);
    run_world("0 late10@5 ");
}
END_TEST

#if PT_GROUPS
struct idler {
    struct pt pt;
};

struct holder {
    struct pt pt;
    struct pt_group group;
    PT_TASK(idler) child;
};

static PT_ASYNC(idler, self)
{
    PT_WAIT(PT_MS(2));
}
PT_END

static PT_ASYNC(holder, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->child, idler);
        PT_REARM(&self->group.scope, PT_MS(1));
        trace_add("%d ", self->pt.status);
        PT_WAIT(PT_MS(2));
    }
    trace_add("child %d@%d ", pt_task_status(&self->child.task), test_ms(PT_NOW()));
}
PT_END

START_TEST(the_block_of_a_group_has_no_timeout_to_rearm)
{
    static PT_TASK(holder) holder;

    test_zero(holder);
    test_open(&world);
    PT_START(&world.loop, &holder, holder);
    run_world("-3 child 0@2 ");
}
END_TEST
#endif

/* A block that sets a value for a key; it has no timeout. */
struct bound {
    struct pt pt;
    struct pt_local local;
};

static PT_ASYNC(bound, self)
{
    PT_WITH_LOCAL(&self->local, &world, &world) {
        PT_REARM(&self->local.scope, PT_MS(1));
        trace_add("%d ", self->pt.status);
        PT_WAIT(PT_MS(2));
        trace_add("%s@%d ", PT_LOCAL(&world) ? "bound" : "lost", test_ms(PT_NOW()));
    }
}
PT_END

START_TEST(the_block_of_a_local_has_no_timeout_to_rearm)
{
    static PT_TASK(bound) bound;

    test_zero(bound);
    test_open(&world);
    PT_START(&world.loop, &bound, bound);
    run_world("-3 bound@2 ");
}
END_TEST

#if !PT_DEBUG /* with PT_DEBUG it panics: test_panic.c */
START_TEST(a_timeout_of_another_task_is_not_rearmed)
{
    static PT_TASK(rearm) owner;
    static PT_TASK(helper) second;

    test_zero(owner);
    test_zero(second);
    test_open(&world);
    PT_START(&world.loop, &owner, rearm, .first = PT_MS(3), .second = PT_MS(6));
    PT_START(&world.loop, &second, helper, .limit = &owner.frame.limit, .delay = PT_MS(9));
    pt_loop_turn(&world.loop, TEST_START);
    world.clock.now = test_at(1);
    pt_loop_turn(&world.loop, world.clock.now);
    ck_assert_trace("0 -3 ");
    pt_wake(&second.task);
    run_world("late1@7 -3 ");
}
END_TEST
#endif

#if PT_TIME_BITS == 16
struct patient {
    struct pt pt;
    struct pt_scope limit;
    uint32_t delay;
};

static PT_ASYNC(patient, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(1)) {
        PT_REARM(&self->limit, self->delay);
        trace_add("%d ", self->pt.status);
        PT_PARK();
    }
    PT_WAIT(self->delay);
}
PT_END

START_TEST(a_rearm_refuses_a_delay_with_too_many_bits)
{
    static PT_TASK(patient) patient;

    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    test_zero(patient);
    test_open(&world);
    PT_START(&world.loop, &patient, patient, .delay = 70000);
    run_world("-5 ");
    ck_assert_int_eq(pt_task_status(&patient.task), PT_ERANGE);
}
END_TEST
#endif

START_TEST(a_rearm_refuses_a_delay_that_is_too_long)
{
    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    run_rearm(PT_MS(3), PT_DELAY_NEVER, "-5 late1@3 -3 ");
    run_rearm(PT_MS(3), (pt_time)(PT_DELAY_NEVER + PT_DELAY_NEVER / 4), "-5 late1@3 -3 ");
}
END_TEST

/* Misses a deadline in its cleanup, which is not interrupted, and rearms the timeout there. */
struct slow {
    struct pt pt;
    struct pt_scope *limit;
};

static PT_ASYNC(slow, self)
{
    PT_FINALLY
    PT_WAIT(PT_MS(5));
    PT_REARM(self->limit, PT_MS(2));
}
PT_END

struct patron {
    struct pt pt;
    struct pt_scope limit;
    struct slow slow;
};

static PT_ASYNC(patron, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
        PT_WAIT_COMPLETE(&self->slow, slow, .limit = &self->limit);
        trace_add("on@%d ", test_ms(PT_NOW()));
        PT_PARK();
    }
    trace_add("late%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_rearm_clears_a_deadline_that_was_missed_in_a_cleanup)
{
    static PT_TASK(patron) patron;

    test_zero(patron);
    test_open(&world);
    PT_START(&world.loop, &patron, patron);
    run_world("on@5 late1@7 ");
}
END_TEST

#endif

Suite *suite_rearm(void)
{
    Suite *suite = test_suite("rearm");

#if PT_TIMEOUTS
    test_add(suite, a_timeout_is_moved_later_or_earlier);
    test_add(suite, a_timeout_is_moved_from_within_an_inner_block);
#if PT_GROUPS
    test_add(suite, the_block_of_a_group_has_no_timeout_to_rearm);
#endif
    test_add(suite, the_block_of_a_local_has_no_timeout_to_rearm);
#if !PT_DEBUG
    test_add(suite, a_timeout_of_another_task_is_not_rearmed);
#endif
#if PT_TIME_BITS == 16
    test_add(suite, a_rearm_refuses_a_delay_with_too_many_bits);
#endif
    test_add(suite, a_rearm_refuses_a_delay_that_is_too_long);
    test_add(suite, a_rearm_clears_a_deadline_that_was_missed_in_a_cleanup);
#endif
    return suite;
}
#else

Suite *suite_rearm(void)
{
    return test_suite("rearm");
}

#endif
