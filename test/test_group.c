/* test_group.c - what a group comes to, who belongs to it, and who may wait for it
 * SPDX-License-Identifier: MIT
 *
 * How its block is left is in test_group_end.c. */
#define PT_PANIC(what, where, line) test_panic_group(what, where)

#include <setjmp.h>

#ifdef __GNUC__
__attribute__((noreturn))
#endif
static void
test_panic_group(const char *what, const char *where);

#include "pt_test.h"

static jmp_buf escape;

static void test_panic_group(const char *what, const char *where)
{
    trace_add("%s: %s", where, what);
    longjmp(escape, 1);
}

#if PT_GROUPS

static struct test_world world;

static void run_world(const char *trace)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace(trace);
    test_close(&world);
}

/* Works for some time, and tells how it ended; its cleanup may take time, too. */
struct worker {
    struct pt pt;
    char name;
    int ms;
    pt_status code;
    int cleanup;
};

static PT_ASYNC(worker, self)
{
    trace_add("+%c ", self->name);
    PT_WAIT((pt_time)self->ms * PT_MS(1));
    PT_RETURN(self->code);
    PT_FINALLY
    if (self->cleanup)
        PT_WAIT((pt_time)self->cleanup * PT_MS(1));
    trace_add("%c:%d@%d ", self->name, self->pt.result, test_ms(PT_NOW()));
}
PT_END

/* --- what a group comes to --- */

/* A group of up to three, and a body that takes some time. */
struct team {
    struct pt pt;
    enum pt_group_policy policy;
    int size, body, i;
    int ms[3], codes[3], cleanup;
    struct pt_group group;
    PT_TASK(worker) workers[3];
};

static PT_ASYNC(team, self)
{
    PT_WITH_GROUP(&self->group, self->policy)
    {
        for (self->i = 0; self->i < self->size; self->i++)
            PT_SPAWN_IN(&self->group, &self->workers[self->i], worker,
                        .name = (char)('a' + self->i), .ms = self->ms[self->i],
                        .code = (pt_status)self->codes[self->i], .cleanup = self->cleanup);
        PT_WAIT((pt_time)self->body * PT_MS(1));
        trace_add("body@%d ", test_ms(PT_NOW()));
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
}
PT_END

static PT_TASK(team) team_task;
static struct team *const members = &team_task.frame;

static void open_team(enum pt_group_policy policy, int size, int body)
{
    test_zero(team_task);
    test_open(&world);
    ck_assert_int_eq(
        PT_START(&world.loop, &team_task, team, .policy = policy, .size = size, .body = body),
        PT_OK);
}

/* What the Ith does: its time, and its code. */
static void plan(int i, int ms, int code)
{
    members->ms[i] = ms;
    members->codes[i] = code;
}

/* What it came to: the status, and the number of the decider or -1. */
static void check_team(int status, int decider)
{
    ck_assert_int_eq(members->group.status, status);
    ck_assert(members->group.decider == (decider < 0 ? NULL : &members->workers[decider].task));
    ck_assert(pt_group_empty(&members->group));
}

START_TEST(a_group_of_all_ends_with_its_last_task)
{
    open_team(PT_GROUP_ALL, 3, 1);
    plan(0, 2, 0);
    plan(1, 4, 0);
    plan(2, 3, 0);
    run_world("+a +b +c body@1 a:0@2 c:0@3 b:0@4 behind@4 ");
    check_team(PT_OK, -1);
}
END_TEST

START_TEST(a_group_of_all_tells_the_first_failure_and_cancels_nobody)
{
    open_team(PT_GROUP_ALL, 3, 1);
    plan(0, 4, -70);
    plan(1, 2, 0);
    plan(2, 3, -71);
    run_world("+a +b +c body@1 b:0@2 c:-71@3 a:-70@4 behind@4 ");
    check_team(-71, 2);
}
END_TEST

START_TEST(the_first_failure_cancels_the_others_and_waits_for_their_cleanups)
{
    open_team(PT_GROUP_ALL_OR_NONE, 3, 1);
    members->cleanup = 2;
    plan(0, 2, 0);
    plan(1, 3, -70);
    plan(2, 9, -71);
    run_world("+a +b +c body@1 a:0@4 b:-70@5 c:-1@7 behind@7 ");
    check_team(-70, 1);
}
END_TEST

START_TEST(all_or_none_without_a_failure_is_all)
{
    open_team(PT_GROUP_ALL_OR_NONE, 2, 1);
    plan(0, 3, 0);
    plan(1, 2, 0);
    run_world("+a +b body@1 b:0@2 a:0@3 behind@3 ");
    check_team(PT_OK, -1);
}
END_TEST

START_TEST(the_first_end_cancels_the_others)
{
    open_team(PT_GROUP_FIRST, 3, 1);
    plan(0, 9, 0);
    plan(1, 3, 0);
    plan(2, 4, -70);
    run_world("+a +b +c body@1 b:0@3 a:-1@3 c:-1@3 behind@3 ");
    check_team(PT_OK, 1);
}
END_TEST

START_TEST(the_first_end_may_be_a_failure)
{
    open_team(PT_GROUP_FIRST, 2, 1);
    plan(0, 3, -70);
    plan(1, 4, 0);
    run_world("+a +b body@1 a:-70@3 b:-1@3 behind@3 ");
    check_team(-70, 0);
}
END_TEST

START_TEST(the_first_success_cancels_the_others)
{
    open_team(PT_GROUP_FIRST_SUCCESS, 3, 1);
    plan(0, 2, -70);
    plan(1, 9, -71);
    plan(2, 3, 0);
    run_world("+a +b +c body@1 a:-70@2 c:0@3 b:-1@3 behind@3 ");
    check_team(PT_OK, 2);
}
END_TEST

START_TEST(without_a_success_the_first_failure_counts)
{
    open_team(PT_GROUP_FIRST_SUCCESS, 2, 1);
    plan(0, 3, -70);
    plan(1, 2, -71);
    run_world("+a +b body@1 b:-71@2 a:-70@3 behind@3 ");
    check_team(-71, 1);
}
END_TEST

START_TEST(a_group_without_tasks_ends_with_its_body)
{
    static const enum pt_group_policy policies[] = {PT_GROUP_ALL, PT_GROUP_ALL_OR_NONE,
                                                    PT_GROUP_FIRST, PT_GROUP_FIRST_SUCCESS};

    for (int i = 0; i < 4; i++) {
        open_team(policies[i], 0, 2);
        run_world("body@2 behind@2 ");
        check_team(PT_OK, -1);
    }
}
END_TEST

START_TEST(the_decision_ends_the_body)
{
    open_team(PT_GROUP_FIRST, 2, 9);
    plan(0, 3, 0);
    plan(1, 4, 0);
    run_world("+a +b a:0@3 b:-1@3 behind@3 ");
    open_team(PT_GROUP_ALL_OR_NONE, 2, 9);
    plan(0, 3, 0);
    plan(1, 4, -70);
    run_world("+a +b a:0@3 b:-70@4 behind@4 ");
    open_team(PT_GROUP_ALL, 2, 9);
    plan(0, 3, 0);
    plan(1, 4, -70);
    run_world("+a +b a:0@3 b:-70@4 body@9 behind@9 ");
}
END_TEST

START_TEST(of_two_that_end_in_one_turn_the_first_decides)
{
    open_team(PT_GROUP_FIRST, 2, 1);
    plan(0, 3, -70);
    plan(1, 3, -71);
    run_world("+a +b body@1 a:-70@3 b:-1@3 behind@3 ");
    check_team(-70, 0);
    open_team(PT_GROUP_ALL, 2, 1);
    plan(0, 3, -70);
    plan(1, 3, -71);
    run_world("+a +b body@1 a:-70@3 b:-71@3 behind@3 ");
    check_team(-70, 0);
}
END_TEST

START_TEST(two_tasks_are_linked_by_a_group_of_the_first)
{
    for (int first = 0; first < 2; first++) {
        open_team(PT_GROUP_FIRST, 2, 0);
        plan(first, 2, -70);
        plan(1 - first, 9, 0);
        pt_loop_turn(&world.loop, TEST_START);
        run_world(first ? "+a +b body@0 b:-70@2 a:-1@2 behind@2 "
                        : "+a +b body@0 a:-70@2 b:-1@2 behind@2 ");
    }
    open_team(PT_GROUP_FIRST, 2, 0);
    plan(0, 9, 0);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_cancel(&members->workers[1].task, -72);
    run_world("+a +b body@0 b:-72@0 a:-1@0 behind@0 ");
    check_team(-72, 1);
}
END_TEST

/* --- cancelling it --- */

START_TEST(a_cancel_of_a_group_ends_its_tasks_and_its_body)
{
    open_team(PT_GROUP_ALL, 2, 9);
    members->cleanup = 1;
    plan(0, 9, 0);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_group_cancel(&members->group, -70);
    pt_group_cancel(&members->group, -71);
    run_world("+a +b a:-70@1 b:-70@1 behind@1 ");
    check_team(-70, -1);
    ck_assert_int_eq(pt_task_status(&team_task.task), PT_OK);
}
END_TEST

START_TEST(a_failure_before_a_cancel_of_the_group_stays_its_status)
{
    open_team(PT_GROUP_ALL, 2, 9);
    plan(0, 0, -70);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_group_cancel(&members->group, -71);
    run_world("+a +b a:-70@0 b:-71@0 behind@0 ");
    check_team(-70, 0);
}
END_TEST

START_TEST(a_cancel_of_a_group_whose_block_is_not_open_has_no_effect)
{
    static struct pt_group group;

    pt_group_cancel(&group, -70);
    ck_assert(pt_group_empty(&group));
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 1, 0);
    pt_group_cancel(&members->group, -70);
    run_world("+a body@0 a:0@1 behind@1 ");
    pt_group_cancel(&members->group, -70);
    check_team(PT_OK, -1);
}
END_TEST

/* Cancels somebody. */
struct killer {
    struct pt pt;
    struct pt_task *task;
    struct pt_group *group;
};

static PT_ASYNC(killer, self)
{
    PT_WAIT(PT_MS(1));
    if (self->group)
        pt_group_cancel(self->group, -70);
    if (self->task)
        pt_cancel(self->task, -71);
    trace_add("killed ");
    PT_WAIT(PT_MS(1));
    trace_add("done ");
    PT_FINALLY
    trace_add("killer:%d@%d ", self->pt.result, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(killer) killer_task;

/* A group of a worker and a killer. */
struct victim {
    struct pt pt;
    bool its_group, itself, its_owner;
    struct pt_group group;
    PT_TASK(worker) worker;
};

static PT_TASK(victim) victim_task;

static PT_ASYNC(victim, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
    {
        PT_SPAWN_IN(&self->group, &killer_task, killer,
                    .group = self->its_group ? &self->group : NULL,
                    .task = self->its_group   ? NULL
                            : self->itself    ? &killer_task.task
                            : self->its_owner ? &victim_task.task
                                              : &self->worker.task);
        PT_SPAWN_IN(&self->group, &self->worker, worker, .name = 'w', .ms = 5, .code = 0,
                    .cleanup = 1);
    }
    trace_add("behind ");
    PT_WAIT(0);
    trace_add("never cancelled ");
    PT_FINALLY
    trace_add("group %d, owner %d@%d ", self->group.status, self->pt.result, test_ms(PT_NOW()));
}
PT_END

static void open_victim(void)
{
    test_zero(victim_task);
    test_zero(killer_task);
    test_open(&world);
    PT_START(&world.loop, &victim_task, victim);
}

START_TEST(a_member_may_cancel_its_group)
{
    open_victim();
    victim_task.frame.its_group = true;
    run_world("+w killed killer:-70@1 w:-70@2 behind never cancelled group -70, owner 0@2 ");
}
END_TEST

START_TEST(a_member_may_cancel_its_owner)
{
    open_victim();
    victim_task.frame.its_owner = true;
    run_world("+w killed killer:-1@1 w:-1@2 group -1, owner -71@2 ");
}
END_TEST

START_TEST(a_member_may_cancel_a_sibling)
{
    open_victim();
    run_world("+w killed done killer:0@2 w:-71@2 behind never cancelled group -71, owner 0@2 ");
}
END_TEST

START_TEST(a_member_may_cancel_itself)
{
    open_victim();
    victim_task.frame.itself = true;
    run_world("+w killed killer:-71@1 w:0@6 behind never cancelled group -71, owner 0@6 ");
}
END_TEST

/* --- who belongs to it --- */

START_TEST(who_comes_after_the_decision_never_starts)
{
    static PT_TASK(worker) late;

    test_zero(late);
    open_team(PT_GROUP_FIRST, 2, 0);
    members->cleanup = 2;
    plan(0, 1, 0);
    plan(1, 9, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, test_at(1));
    pt_loop_turn(&world.loop, test_at(3));
    ck_assert_trace("+a +b body@0 a:0@3 ");
    ck_assert_int_eq(PT_START(&world.loop, &late, worker, .name = 'l', .ms = 1), PT_OK);
    ck_assert_int_eq(pt_group_add(&members->group, &late.task), PT_OK);
    world.clock.now = test_at(3);
    run_world("b:-1@5 behind@5 ");
    ck_assert_int_eq(pt_task_status(&late.task), PT_ECANCELED);
    check_team(PT_OK, 0);
}
END_TEST

START_TEST(a_group_takes_only_tasks_that_are_alive_and_free)
{
    static PT_TASK(worker) stranger;
    static struct pt_group closed;

    test_zero(stranger);
    test_zero(closed);
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 1, 0);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_int_eq(pt_group_add(&members->group, &stranger.task), PT_EINVAL);
    ck_assert_int_eq(pt_group_add(&members->group, &members->workers[0].task), PT_EBUSY);
    ck_assert_int_eq(pt_group_add(&members->group, &team_task.task), PT_EDEADLK);
    ck_assert_int_eq(PT_START(&world.loop, &stranger, worker, .name = 's', .ms = 2), PT_OK);
    ck_assert_int_eq(pt_group_add(&closed, &stranger.task), PT_EINVAL);
    ck_assert_int_eq(pt_group_add(&members->group, &stranger.task), PT_OK);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &stranger, worker, .name = 's', .ms = 2), PT_OK);
    ck_assert_int_eq(pt_group_add(&members->group, &stranger.task), PT_EINVAL);
    ck_assert_int_eq(pt_group_add(&closed, &members->workers[0].task), PT_EINVAL);
    run_world("+a +s body@0 a:0@1 s:0@2 behind@2 +s s:0@4 ");
}
END_TEST

/* Adopts tasks from wherever they come. */
struct orphanage {
    struct pt pt;
    struct pt_group group;
};

static PT_POOL(worker, 1) bed;
static PT_TASK(worker) own;

static PT_ASYNC(orphanage, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
    {
        PT_SPAWN_FROM(&bed, worker, .name = 'p', .ms = 3, .code = 0, .cleanup = 0);
        PT_ADOPT(&self->group);
        trace_add("%d ", self->pt.status);
        PT_SPAWN_FROM(&bed, worker, .name = 'q', .ms = 3, .code = 0, .cleanup = 0);
        PT_ADOPT(&self->group);
        trace_add("%d ", self->pt.status);
        PT_SPAWN_NEW(worker, .name = 'n', .ms = 2, .code = 0, .cleanup = 0);
        PT_ADOPT(&self->group);
        trace_add("%d ", self->pt.status);
        PT_SPAWN(&own, worker, .name = 'o', .ms = 1);
        PT_ADOPT(&self->group);
        PT_ADOPT(&self->group);
        trace_add("%d ", self->pt.status);
#if !PT_DEBUG
        PT_SPAWN_IN(&self->group, &own, worker, .name = 'x', .ms = 1);
        ck_assert_int_eq(self->pt.status, PT_EBUSY);
#endif
        PT_SPAWN_WHEN_FREE(&bed, worker, .name = 'r', .ms = 3, .code = 0, .cleanup = 0);
        PT_ADOPT(&self->group);
        trace_add("%d ", self->pt.status);
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
    PT_SPAWN_IN(&self->group, &own, worker, .name = 'z', .ms = 1);
    trace_add("%d ", self->pt.status);
}
PT_END

START_TEST(a_group_adopts_tasks_from_any_storage)
{
    static PT_TASK(orphanage) home;

    test_zero(home);
    test_zero(bed);
    test_zero(own);
    test_open(&world);
    PT_START(&world.loop, &home, orphanage);
    run_world("0 -4 0 -2 +p +n +o o:0@1 n:0@2 p:0@3 0 +r r:0@6 behind@6 -3 +z z:0@7 ");
    ck_assert_uint_eq(bed.pool.used, 0);
    ck_assert_int_eq(home.frame.group.status, PT_OK);
}
END_TEST

/* Has two more into its own group, and is gone before they end. */
struct breeder {
    struct pt pt;
    struct pt_group *group;
    int generation;
};

static PT_POOL(breeder, 7) burrow;

static PT_ASYNC(breeder, self)
{
    PT_WAIT(PT_MS(1));
    trace_add("%d@%d ", self->generation, test_ms(PT_NOW()));
    if (self->generation < 2) {
        PT_SPAWN_FROM(&burrow, breeder, .group = self->group, .generation = self->generation + 1);
        PT_ADOPT(self->group);
        ck_assert_int_eq(self->pt.status, PT_OK);
        PT_SPAWN_FROM(&burrow, breeder, .group = self->group, .generation = self->generation + 1);
        PT_ADOPT(self->group);
        ck_assert_int_eq(self->pt.status, PT_OK);
    }
}
PT_END

struct meadow {
    struct pt pt;
    struct pt_group group;
};

static PT_ASYNC(meadow, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
    {
        PT_SPAWN_FROM(&burrow, breeder, .group = &self->group, .generation = 0);
        PT_ADOPT(&self->group);
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_member_may_spawn_into_its_own_group)
{
    static PT_TASK(meadow) task;

    test_zero(task);
    test_zero(burrow);
    test_open(&world);
    PT_START(&world.loop, &task, meadow);
    run_world("0@1 1@2 1@2 2@3 2@3 2@3 2@3 behind@3 ");
    ck_assert_uint_eq(burrow.pool.used, 0);
}
END_TEST

/* --- who waits for it --- */

/* Two waves of workers in one group. */
struct waves {
    struct pt pt;
    struct pt_group group;
    PT_TASK(worker) a, b;
};

static PT_ASYNC(waves, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
    {
        PT_JOIN_GROUP(&self->group);
        trace_add("none ");
        PT_SPAWN_IN(&self->group, &self->a, worker, .name = 'a', .ms = 2);
        PT_SPAWN_IN(&self->group, &self->b, worker, .name = 'b', .ms = 1);
        PT_JOIN_GROUP(&self->group);
        trace_add("first@%d ", test_ms(PT_NOW()));
        PT_SPAWN_IN(&self->group, &self->a, worker, .name = 'c', .ms = 1);
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_body_may_wait_for_its_group_and_go_on)
{
    static PT_TASK(waves) task;

    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, waves);
    run_world("none +a +b b:0@1 a:0@2 first@2 +c c:0@3 behind@3 ");
}
END_TEST

struct onlooker {
    struct pt pt;
    int after;
    struct pt_group *group;
};

static PT_ASYNC(onlooker, self)
{
    PT_WAIT((pt_time)self->after * PT_MS(1));
    PT_JOIN_GROUP(self->group);
    trace_add("seen:%d@%d ", self->pt.status, test_ms(PT_NOW()));
}
PT_END

START_TEST(any_task_may_wait_for_a_group)
{
    static PT_TASK(onlooker) early, late;

    test_zero(early);
    test_zero(late);
    open_team(PT_GROUP_ALL, 2, 2);
    plan(0, 1, 0);
    plan(1, 3, -70);
    PT_START(&world.loop, &early, onlooker, .after = 1, .group = &members->group);
    PT_START(&world.loop, &late, onlooker, .after = 9, .group = &members->group);
    run_world("+a +b a:0@1 body@2 b:-70@3 seen:0@3 behind@3 seen:0@9 ");
}
END_TEST

START_TEST(who_waits_for_a_group_does_not_touch_it_when_it_is_over)
{
    static PT_TASK(onlooker) task;
    struct pt_task *owner;

    test_zero(task);
    test_open(&world);
    PT_START_NEW(&world.loop, team, .size = 1, .body = 0);
    owner = world.loop.fresh;
    PT_START(&world.loop, &task, onlooker, .after = 1,
             .group = &((struct team *)(void *)pt_task_top_(owner))->group);
    pt_loop_turn(&world.loop, TEST_START); /* the owner waits in front of the onlooker */
    ((struct team *)(void *)pt_task_top_(owner))->workers[0].frame.ms = 3;
    run_world("+a body@0 a:0@3 behind@3 seen:0@3 ");
}
END_TEST

START_TEST(a_member_may_not_wait_for_its_own_group)
{
    static PT_TASK(onlooker) task;

    test_zero(task);
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 2, 0);
    PT_START(&world.loop, &task, onlooker, .after = 1, .group = &members->group);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_int_eq(pt_group_add(&members->group, &task.task), PT_OK);
    run_world("+a body@0 seen:-6@1 a:0@2 behind@2 ");
}
END_TEST

START_TEST(a_wake_does_not_end_the_wait_for_a_group)
{
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 3, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_wake(&team_task.task);
    pt_loop_turn(&world.loop, test_at(1));
    ck_assert_trace("+a body@0 ");
    run_world("a:0@3 behind@3 ");
}
END_TEST

#if PT_PAUSE
START_TEST(a_paused_owner_goes_on_when_its_group_is_over_and_it_may)
{
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 1, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_pause(&team_task.task);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, test_at(1));
    pt_loop_turn(&world.loop, test_at(2));
    ck_assert_trace("+a a:0@1 ");
    pt_resume(&team_task.task);
    world.clock.now = test_at(2);
    run_world("body@2 behind@2 ");
}
END_TEST

START_TEST(a_paused_member_ends_when_its_group_is_decided)
{
    open_team(PT_GROUP_FIRST, 2, 0);
    plan(0, 9, 0);
    plan(1, 1, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_pause(&members->workers[0].task);
    run_world("+a +b body@0 b:0@1 a:-1@1 behind@1 ");
}
END_TEST
#endif

START_TEST(a_generator_has_no_group)
{
    static struct team lonely;

    PT_INIT(&lonely, team, .size = 0);
    if (!setjmp(escape)) {
        pt_next(&lonely.pt);
        ck_abort_msg("no panic");
    }
    ck_assert_trace("PT_WITH_...: a generator has no loop that could end a block of it");
}
END_TEST

#endif

Suite *suite_group(void)
{
    Suite *suite = test_suite("group");

#if PT_GROUPS
    test_add(suite, a_group_of_all_ends_with_its_last_task);
    test_add(suite, a_group_of_all_tells_the_first_failure_and_cancels_nobody);
    test_add(suite, the_first_failure_cancels_the_others_and_waits_for_their_cleanups);
    test_add(suite, all_or_none_without_a_failure_is_all);
    test_add(suite, the_first_end_cancels_the_others);
    test_add(suite, the_first_end_may_be_a_failure);
    test_add(suite, the_first_success_cancels_the_others);
    test_add(suite, without_a_success_the_first_failure_counts);
    test_add(suite, a_group_without_tasks_ends_with_its_body);
    test_add(suite, the_decision_ends_the_body);
    test_add(suite, of_two_that_end_in_one_turn_the_first_decides);
    test_add(suite, two_tasks_are_linked_by_a_group_of_the_first);
    test_add(suite, a_cancel_of_a_group_ends_its_tasks_and_its_body);
    test_add(suite, a_failure_before_a_cancel_of_the_group_stays_its_status);
    test_add(suite, a_cancel_of_a_group_whose_block_is_not_open_has_no_effect);
    test_add(suite, a_member_may_cancel_its_group);
    test_add(suite, a_member_may_cancel_its_owner);
    test_add(suite, a_member_may_cancel_a_sibling);
    test_add(suite, a_member_may_cancel_itself);
    test_add(suite, who_comes_after_the_decision_never_starts);
    test_add(suite, a_group_takes_only_tasks_that_are_alive_and_free);
    test_add(suite, a_group_adopts_tasks_from_any_storage);
    test_add(suite, a_member_may_spawn_into_its_own_group);
    test_add(suite, a_body_may_wait_for_its_group_and_go_on);
    test_add(suite, any_task_may_wait_for_a_group);
    test_add(suite, who_waits_for_a_group_does_not_touch_it_when_it_is_over);
    test_add(suite, a_member_may_not_wait_for_its_own_group);
    test_add(suite, a_wake_does_not_end_the_wait_for_a_group);
#if PT_PAUSE
    test_add(suite, a_paused_owner_goes_on_when_its_group_is_over_and_it_may);
    test_add(suite, a_paused_member_ends_when_its_group_is_decided);
#endif
    test_add(suite, a_generator_has_no_group);
#endif
    return suite;
}
