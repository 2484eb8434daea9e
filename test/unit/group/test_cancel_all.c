/* test_cancel_all.c - a cancel of a loop reaches everyone: groups of cleanups, loops in cleanups
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT && PT_GROUPS && PT_CANCEL

/* Waits for what never comes, and tells with which code it ended. */
struct waits {
    struct pt pt;
    char name;
};

static PT_ASYNC(waits, self)
{
    PT_PARK();
    PT_FINALLY
    trace_add("%c:%d ", self->name, self->pt.result);
}
PT_END

/* Opens a group in its cleanup, `deep` times in a row. `holds`: in the block it parks, too. */
struct hosts {
    struct pt pt;
    int deep;
    bool works, holds;
    struct pt_group group;
    PT_TASK(waits) guest;
};

static PT_ASYNC(hosts, self)
{
    if (self->works)
        PT_PARK();
    PT_FINALLY
    for (; self->deep; self->deep--) {
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->guest, waits, .name = (char)('0' + self->deep));
            if (self->holds)
                PT_PARK();
        }
        trace_add("%d ", self->group.status);
    }
}
PT_END

static PT_TASK(hosts) host;
static PT_TASK(waits) lone;

static void open_hosts(void)
{
    test_zero(host);
    test_zero(lone);
    test_open(&world);
}

START_TEST(a_cancel_of_a_loop_reaches_the_group_of_a_cleanup)
{
    for (int holds = 0; holds < 2; holds++) {
        open_hosts();
        PT_START(&world.loop, &host, hosts, .deep = 1, .works = false, .holds = holds);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
        ck_assert(pt_loop_cancel(&world.loop, -70));
        ck_assert(!pt_loop_cancel(&world.loop, -71)); /* everyone has been told */
        run_world("1:-70 -70 ");
        ck_assert_int_eq(pt_task_status(&host.task), PT_OK);
    }
}
END_TEST

START_TEST(a_group_that_a_cleanup_opens_after_a_cancel_is_reached_by_the_next_one)
{
    int cancels = 0;

    open_hosts();
    PT_START(&world.loop, &host, hosts, .deep = 3, .works = true);
    PT_START(&world.loop, &lone, waits, .name = 'l');
    while (pt_loop_run(&world.loop) == PT_EDEADLK && pt_loop_cancel(&world.loop, -70))
        cancels++;
    ck_assert_int_eq(cancels, 4);
    run_world("l:-70 3:-70 -70 2:-70 -70 1:-70 -70 ");
    ck_assert_int_eq(pt_task_status(&host.task), -70);
}
END_TEST

/* A member of its group is in a cleanup, which has a group. */
struct clan {
    struct pt pt;
    struct pt_group group;
    PT_TASK(hosts) child;
    PT_TASK(waits) beside;
};

static PT_ASYNC(clan, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->child, hosts, .deep = 1);
        PT_SPAWN_IN(&self->group, &self->beside, waits, .name = 'b');
    }
    trace_add("clan:%d ", self->group.status);
}
PT_END

START_TEST(a_cancel_of_a_loop_reaches_the_group_of_the_cleanup_of_a_member)
{
    static PT_TASK(clan) task;

    open_hosts();
    test_zero(task);
    PT_START(&world.loop, &task, clan);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert(pt_loop_cancel(&world.loop, -70));
    run_world("1:-70 b:-1 -70 ");
    ck_assert_int_eq(pt_task_status(&task.task), -70);
}
END_TEST

/* Its cleanup needs a task of the group around it. */
struct farewell {
    struct pt pt;
    struct pt_task *needs;
};

static PT_ASYNC(farewell, self)
{
    PT_FINALLY
    while (pt_task_alive(self->needs))
        PT_PARK();
    trace_add("farewell ");
}
PT_END

struct family {
    struct pt pt;
    struct pt_group group;
    PT_TASK(waits) helper;
    struct farewell farewell;
};

static PT_ASYNC(family, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->helper, waits, .name = 'h');
        PT_WAIT_COMPLETE(&self->farewell, farewell, .needs = &self->helper.task);
    }
    PT_FINALLY
    trace_add("family:%d ", self->pt.result);
}
PT_END

START_TEST(only_a_second_cancel_ends_a_group_that_a_cleanup_within_its_block_may_need)
{
    static PT_TASK(family) task;

    open_hosts();
    test_zero(task);
    PT_START(&world.loop, &task, family);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert(pt_loop_cancel(&world.loop, -70));
    ck_assert(!pt_task_canceled(&task.frame.helper.task));
    ck_assert(pt_loop_cancel(&world.loop, -71));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_trace("h:-71 ");
    ck_assert(!pt_loop_cancel(&world.loop, -72)); /* the cleanup itself waits for a wake */
    pt_wake(&task.task);
    run_world("farewell family:-70 ");
    ck_assert_int_eq(task.frame.group.status, -71);
}
END_TEST

/* In its cleanup it opens a group with a family. */
struct elder {
    struct pt pt;
    struct pt_group group;
    PT_TASK(family) family;
};

static PT_ASYNC(elder, self)
{
    PT_FINALLY
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->family, family);
    }
}
PT_END

START_TEST(one_cancel_ends_all_groups_below_that_of_a_cleanup)
{
    static PT_TASK(elder) task;

    open_hosts();
    test_zero(task);
    PT_START(&world.loop, &task, elder);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert(pt_loop_cancel(&world.loop, -70));
    ck_assert(!pt_loop_cancel(&world.loop, -71));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert_trace("h:-70 ");
    pt_wake(&task.frame.family.task);
    run_world("farewell family:-70 ");
}
END_TEST

START_TEST(a_cancel_of_a_loop_tells_whether_it_was_news)
{
    open_hosts();
    ck_assert(!pt_loop_cancel(&world.loop, -70));
    PT_START(&world.loop, &lone, waits, .name = 'l');
    ck_assert(pt_loop_cancel(&world.loop, -70));
    ck_assert(!pt_loop_cancel(&world.loop, -70));
    run_world("l:-70 ");
}
END_TEST

#if PT_NESTING

static PT_TASK(pt_loop_async) runners[4];
static PT_TASK(hosts) tasks[4];
static struct pt_loop inner[4];

/* Let a task of OUTER run inner loop I, in which a cleanup will open a group. */
static void nest(struct pt_loop *outer, int i)
{
    test_zero(runners[i]);
    pt_loop_open(&inner[i], &world.clock.port);
    ck_assert_int_eq(PT_START(&inner[i], &tasks[i], hosts, .deep = 1, .works = true), PT_OK);
    ck_assert_int_eq(PT_START(outer, &runners[i], pt_loop_async, .loop = &inner[i]), PT_OK);
}

START_TEST(a_cancel_of_a_loop_goes_into_the_loops_that_its_tasks_run)
{
    int cancels = 0;

    open_hosts();
    test_zero(tasks);
    nest(&world.loop, 0);
    nest(&world.loop, 1); /* beside it */
    nest(&inner[0], 2);   /* within it */
    nest(&inner[1], 3);
    while (pt_loop_run(&world.loop) == PT_EDEADLK && pt_loop_cancel(&world.loop, -70))
        cancels++;
    ck_assert_int_eq(cancels, 2); /* the cleanups begin; their groups end */
    for (int i = 0; i < 4; i++) {
        ck_assert(!pt_task_alive(&tasks[i].task) && !pt_task_alive(&runners[i].task));
        pt_loop_close(&inner[i]);
    }
    ck_assert_ptr_null(world.loop.nested);
    trace_take();
    test_close(&world);
}
END_TEST

/* Runs a loop in its cleanup. */
struct stage {
    struct pt pt;
    struct pt_loop_async run;
};

static PT_ASYNC(stage, self)
{
    PT_FINALLY
    PT_WAIT_COMPLETE(&self->run, pt_loop_async, .loop = &inner[0]);
}
PT_END

START_TEST(a_cancel_of_a_loop_goes_into_the_loop_that_a_cleanup_runs)
{
    static PT_TASK(stage) task;

    open_hosts();
    test_zero(task);
    pt_loop_open(&inner[0], &world.clock.port);
    PT_START(&inner[0], &lone, waits, .name = 'l');
    PT_START(&world.loop, &task, stage);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert(pt_loop_cancel(&world.loop, -70));
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_loop_close(&inner[0]);
    run_world("l:-70 ");
}
END_TEST
#endif

Suite *suite_cancel_all(void)
{
    Suite *suite = test_suite("cancel_all");

    test_add(suite, a_cancel_of_a_loop_reaches_the_group_of_a_cleanup);
    test_add(suite, a_group_that_a_cleanup_opens_after_a_cancel_is_reached_by_the_next_one);
    test_add(suite, a_cancel_of_a_loop_reaches_the_group_of_the_cleanup_of_a_member);
    test_add(suite, only_a_second_cancel_ends_a_group_that_a_cleanup_within_its_block_may_need);
    test_add(suite, one_cancel_ends_all_groups_below_that_of_a_cleanup);
    test_add(suite, a_cancel_of_a_loop_tells_whether_it_was_news);
#if PT_NESTING
    test_add(suite, a_cancel_of_a_loop_goes_into_the_loops_that_its_tasks_run);
    test_add(suite, a_cancel_of_a_loop_goes_into_the_loop_that_a_cleanup_runs);
#endif
    return suite;
}
#else

Suite *suite_cancel_all(void)
{
    return test_suite("cancel_all");
}

#endif
