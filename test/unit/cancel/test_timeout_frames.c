/* test_timeout_frames.c - timeouts over several functions: which are unwound, what cleanups change
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_AWAIT

#if PT_TIMEOUTS

/* --- a block that is over -------------------------------------------------------------------- */

/* Does its work, and waits for DELAY before if that is not 0. */
struct work {
    struct pt pt;
    pt_time delay;
    bool done;
};

static PT_ASYNC(work, self)
{
    if (self->delay)
        PT_WAIT(self->delay);
    self->done = true;
}
PT_END

struct worker {
    struct pt pt;
    struct pt_scope limit;
    struct work work;
};

/* The wait is over when the block is. So the task goes on in it, to its next wait. */
static PT_ASYNC(worker, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) {
        PT_WAIT(PT_MS(2));
        PT_WAIT_COMPLETE(&self->work, work);
        trace_add("%d@%d ", self->work.done, test_ms(PT_NOW()));
        PT_WAIT_COMPLETE(&self->work, work, .delay = PT_MS(1), .done = false);
        trace_add("never ");
    }
    trace_add("%d:%d@%d ", pt_timed_out(&self->limit), self->work.done, test_ms(PT_NOW()));
}
PT_END

START_TEST(in_a_block_that_is_over_a_function_that_need_not_wait_returns_to_its_caller)
{
    static PT_TASK(worker) worker;

    test_zero(worker);
    test_open(&world);
    PT_START(&world.loop, &worker, worker);
    run_world("1@2 1:0@2 ");
}
END_TEST

/* --- a chain of functions, each with a limit for the next ----------------------------------- */

struct level {
    struct pt pt;
    struct pt_scope limit;
    int name;           /* 3 awaits 2 awaits 1, which parks */
    const char *ms;     /* the limits of 1, 2 and 3, each a digit */
    const char *rest;   /* how long their cleanups take */
    struct level *next; /* the frame of the next */
};

static struct level levels[2];
static PT_TASK(level) framed;

static pt_time digit(const char *digits, int name)
{
    return (pt_time)((pt_time)(digits[name - 1] - '0') * PT_MS(1));
}

static PT_ASYNC(level, self)
{
    PT_WITH_TIMEOUT(&self->limit, digit(self->ms, self->name)) {
        if (self->name == 1)
            PT_PARK();
        else
            PT_WAIT_COMPLETE(self->next, level, .name = self->name - 1, .ms = self->ms,
                             .rest = self->rest, .next = self->next + 1);
        trace_add("on ");
    }
    trace_add("%d:%d%s@%d ", self->name, self->pt.status, pt_timed_out(&self->limit) ? "!" : "?",
              test_ms(PT_NOW()));
    PT_FINALLY
    trace_add("[%d", self->name);
    PT_WAIT(digit(self->rest, self->name));
    trace_add("]@%d ", test_ms(PT_NOW()));
}
PT_END

static void run_levels(const char *ms, const char *rest, const char *trace)
{
    test_zero(framed);
    test_zero(levels);
    test_open(&world);
    PT_START(&world.loop, &framed, level, .name = 3, .ms = ms, .rest = rest, .next = levels);
    run_world(trace);
}

START_TEST(a_block_knows_that_it_timed_out)
{
    run_levels("199", "000", "1:-7!@1 [1]@1 on 2:0?@1 [2]@1 on 3:0?@1 [3]@1 ");
}
END_TEST

START_TEST(functions_awaited_in_the_block_are_unwound_leaf_first)
{
    run_levels("991", "000", "[1]@1 [2]@1 3:-7!@1 [3]@1 ");
    run_levels("919", "000", "[1]@1 2:-7!@1 [2]@1 on 3:0?@1 [3]@1 ");
    run_levels("991", "234", "[1]@3 [2]@6 3:-7!@6 [3]@10 ");
}
END_TEST

START_TEST(of_several_timeouts_at_one_tick_the_outermost_ends_its_block)
{
    run_levels("222", "000", "[1]@2 [2]@2 3:-7!@2 [3]@2 ");
    run_levels("223", "000", "[1]@2 2:-7!@2 [2]@2 on 3:0?@2 [3]@2 ");
    run_levels("232", "000", "[1]@2 [2]@2 3:-7!@2 [3]@2 ");
}
END_TEST

START_TEST(a_timeout_in_the_cleanup_of_a_leaf_waits_until_the_cleanup_ends)
{
    run_levels("139", "500", "1:-7!@1 [1]@6 2:-7!@6 [2]@6 on 3:0?@6 [3]@6 ");
    run_levels("134", "500", "1:-7!@1 [1]@6 [2]@6 3:-7!@6 [3]@6 ");
    run_levels("143", "500", "1:-7!@1 [1]@6 [2]@6 3:-7!@6 [3]@6 ");
    run_levels("123", "999", "1:-7!@1 [1]@10 [2]@19 3:-7!@19 [3]@28 ");
}
END_TEST

/* --- blocks of a cleanup -------------------------------------------------------------------- */

struct nap {
    struct pt pt;
};

static PT_ASYNC(nap, self)
{
    PT_WAIT(PT_MS(9));
    trace_add("slept ");
    PT_FINALLY
    trace_add("nap:%d@%d ", self->pt.result, test_ms(PT_NOW()));
}
PT_END

struct janitor {
    struct pt pt;
    struct pt_scope *around; /* its caller's */
    struct pt_scope outer, inner;
    struct nap nap;
};

static PT_ASYNC(janitor, self)
{
    PT_PARK();
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->outer, PT_MS(5)) {
        PT_WITH_TIMEOUT(&self->inner, PT_MS(2)) {
            PT_WAIT_COMPLETE(&self->nap, nap);
        }
        trace_add("%d%d%d ", pt_timed_out(self->around), pt_timed_out(&self->outer),
                  pt_timed_out(&self->inner));
        PT_WAIT_COMPLETE(&self->nap, nap);
    }
    trace_add("%d%d%d ", pt_timed_out(self->around), pt_timed_out(&self->outer),
              pt_timed_out(&self->inner));
    PT_RETURN((pt_status)-70);
}
PT_END

struct house {
    struct pt pt;
    struct pt_scope around;
    struct janitor janitor;
};

static PT_ASYNC(house, self)
{
    PT_WITH_TIMEOUT(&self->around, PT_MS(1)) {
        PT_WAIT_COMPLETE(&self->janitor, janitor, .around = &self->around);
    }
    trace_add("house%d:%d@%d ", pt_timed_out(&self->around), self->janitor.pt.status,
              test_ms(PT_NOW()));
}
PT_END

static PT_TASK(house) house;

START_TEST(a_cleanup_can_have_timeouts_of_its_own)
{
    test_zero(house);
    test_open(&world);
    PT_START(&world.loop, &house, house);
    run_world("nap:-7@3 001 nap:-7@6 011 house1:-70@6 ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_cancel_during_a_timeout_continues_the_unwinding)
{
    test_zero(house);
    test_open(&world);
    PT_START(&world.loop, &house, house);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, test_at(1));
    pt_cancel(&house.task, (pt_status)-71); /* must wait for the cleanup */
    world.clock.now = test_at(1);
    run_world("nap:-7@3 001 nap:-7@6 011 ");
    ck_assert_int_eq(pt_task_status(&house.task), -71);
    ck_assert_int_eq(house.frame.janitor.pt.status, -70);
    ck_assert(!pt_timed_out(&house.frame.around));
}
END_TEST
#endif

#if PT_GROUPS
/* Its group ends at 1 ms, the timeout around the group at 3 ms. */
struct group_owner {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    PT_TASK(nap) nap;
    bool parks;
};

static PT_ASYNC(group_owner, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
        PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
            PT_SPAWN_IN(&self->group, &self->nap, nap);
            PT_WAIT(PT_MS(20));
        }
        trace_add("group:%d@%d ", self->group.status, test_ms(PT_NOW()));
        while (!self->parks)
            PT_YIELD();
        PT_PARK();
    }
    trace_add("limit%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_group_that_ends_its_owners_sleep_keeps_the_timeout_around_it)
{
    static PT_TASK(group_owner) group_owner;

    for (int parks = 0; parks < 2; parks++) {
        test_zero(group_owner);
        test_open(&world);
        PT_START(&world.loop, &group_owner, group_owner, .parks = parks);
        pt_loop_turn(&world.loop, TEST_START);
        pt_loop_turn(&world.loop, TEST_START);
        pt_cancel(&group_owner.frame.nap.task, PT_ECANCELED);
        for (int ms = 1; ms <= 5; ms++)
            pt_loop_turn(&world.loop, test_at(ms));
        run_world(parks ? "nap:-1@1 group:-1@2 limit1@3 " : "nap:-1@1 group:-1@2 limit1@4 ");
    }
}
END_TEST

/* In its cleanup, it returns from a group. Meanwhile the timeout around the group comes. */
struct leaver {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    PT_TASK(janitor) janitor;
};

static PT_ASYNC(leaver, self)
{
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->janitor, janitor, .around = &self->limit);
            PT_YIELD();
            PT_RETURN((pt_status)-72);
        }
    }
    trace_add("never ");
}
PT_END

START_TEST(a_timeout_does_not_undo_a_return_from_a_cleanup)
{
    static PT_TASK(leaver) leaver;

    test_zero(leaver);
    test_open(&world);
    PT_START(&world.loop, &leaver, leaver);
    run_world("nap:-7@2 001 nap:-7@5 011 ");
    ck_assert_int_eq(pt_task_status(&leaver.task), -72);
}
END_TEST
#endif

#if PT_SYNC && PT_CANCEL

/* Its cleanup gets a lock that another task holds, or opens a block whose time is over. */
struct tidier {
    struct pt pt;
    struct pt_scope over;
    bool locks;
};

static struct pt_lock bolt;

static PT_ASYNC(tidier, self)
{
    PT_PARK();
    PT_FINALLY
    if (self->locks) {
        PT_LOCK(&bolt);
        trace_add("locked@%d ", test_ms(PT_NOW()));
        PT_UNLOCK(&bolt);
    } else {
        PT_WITH_TIMEOUT(&self->over, 0)
            trace_add("over@%d ", test_ms(PT_NOW()));
    }
}
PT_END

struct tidied {
    struct pt pt;
    struct pt_scope limit;
    struct tidier tidier;
    pt_time delay;
    bool locks;
};

static PT_ASYNC(tidied, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->delay) {
        PT_WAIT_COMPLETE(&self->tidier, tidier, .locks = self->locks);
        trace_add("never ");
    }
    trace_add("late%d ", pt_timed_out(&self->limit));
    PT_FINALLY
    trace_add("end%d ", self->pt.result);
}
PT_END

struct bolter {
    struct pt pt;
};

static PT_ASYNC(bolter, self)
{
    PT_LOCK(&bolt);
    PT_WAIT(PT_MS(20));
    PT_UNLOCK(&bolt);
}
PT_END

/* It gets the lock that the bolter holds. */
struct lock_getter {
    struct pt pt;
};

static PT_ASYNC(lock_getter, self)
{
    PT_LOCK(&bolt);
}
PT_END

struct late_tidier {
    struct pt pt;
    struct pt_scope limit;
    struct lock_getter getter;
};

static PT_ASYNC(late_tidier, self)
{
    PT_FINALLY
    PT_WITH_TIMEOUT(&self->limit, PT_MS(21)) {
        PT_WAIT_COMPLETE(&self->getter, lock_getter);
        trace_add("has%d ", PT_HOLDS(&bolt));
        PT_UNLOCK(&bolt);
    }
    trace_add("late%d ", pt_timed_out(&self->limit));
}
PT_END

START_TEST(in_a_cleanup_too_a_wait_that_is_over_by_the_deadline_counts)
{
    static PT_TASK(late_tidier) tidier;
    static PT_TASK(bolter) bolter;

    test_zero(tidier);
    test_zero(bolter);
    pt_lock_init(&bolt);
    test_open(&world);
    PT_START(&world.loop, &bolter, bolter);
    PT_START(&world.loop, &tidier, late_tidier);
    turn(0);
    turn(20);
    turn(21); /* the lock, and the deadline */
    run_world("has1 late0 ");
}
END_TEST

START_TEST(what_a_cleanup_is_given_lets_no_function_go_on_that_must_end)
{
    static const char *const traces[] = {"over@2 end-70 ", "locked@21 end-70 ",
                                         "over@9 late1 end0 ", "locked@21 late1 end0 "};
    static PT_TASK(tidied) tidied;
    static PT_TASK(bolter) bolter;

    for (int how = 0; how < 4; how++) {
        test_zero(tidied);
        test_zero(bolter);
        pt_lock_init(&bolt);
        test_open(&world);
        PT_START(&world.loop, &bolter, bolter);
        PT_START(&world.loop, &tidied, tidied, .locks = how & 1,
                 .delay = how & 2 ? PT_MS(9) : PT_MS(99));
        turn(0);
        turn(2);
        if (!(how & 2))
            pt_cancel(&tidied.task, (pt_status)-70);
        for (int ms = 2; ms <= 22; ms++)
            turn(ms);
        run_world(traces[how]);
    }
}
END_TEST
#endif

#endif

Suite *suite_timeout_frames(void)
{
    Suite *suite = test_suite("timeout_frames");

#if PT_TIMEOUTS
    test_add(suite, a_block_knows_that_it_timed_out);
    test_add(suite, functions_awaited_in_the_block_are_unwound_leaf_first);
    test_add(suite, of_several_timeouts_at_one_tick_the_outermost_ends_its_block);
    test_add(suite, a_timeout_in_the_cleanup_of_a_leaf_waits_until_the_cleanup_ends);
    test_add(suite, a_cleanup_can_have_timeouts_of_its_own);
    test_add(suite, in_a_block_that_is_over_a_function_that_need_not_wait_returns_to_its_caller);
#if PT_CANCEL
    test_add(suite, a_cancel_during_a_timeout_continues_the_unwinding);
#if PT_SYNC
    test_add(suite, what_a_cleanup_is_given_lets_no_function_go_on_that_must_end);
    test_add(suite, in_a_cleanup_too_a_wait_that_is_over_by_the_deadline_counts);
#endif
#endif
#if PT_GROUPS
    test_add(suite, a_group_that_ends_its_owners_sleep_keeps_the_timeout_around_it);
    test_add(suite, a_timeout_does_not_undo_a_return_from_a_cleanup);
#endif
#endif
    return suite;
}
#else

Suite *suite_timeout_frames(void)
{
    return test_suite("timeout_frames");
}

#endif
