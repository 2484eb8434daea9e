/* test_group_members.c - which tasks belong to a group, and which may wait for it
 * SPDX-License-Identifier: MIT */
#include "test_escape.h"
#include "test_group.h"

#if PT_PORT && PT_TIMERS && PT_POOLS

#if PT_GROUPS

/* --- members --- */

START_TEST(a_task_that_is_added_after_the_decision_ends_at_its_first_wait)
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
    run_world("+l l:-1@3 b:-1@5 behind@5 ");
    ck_assert_int_eq(pt_task_status(&late.task), PT_ECANCELED);
    check_team(PT_OK, 0);
}
END_TEST

/* Spawns into a group that is over, or open again; what is to be handed over is still its own then. */
struct donor {
    struct pt pt;
    int things, refused;
    struct pt_group group;
    PT_TASK(worker) first, second;
};

static int give(struct donor *self)
{
    return --self->things;
}

static PT_ASYNC(donor, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, worker, .name = 'a', .ms = give(self));
        ck_assert_int_eq(self->pt.status, PT_OK);
        pt_group_cancel(&self->group, -70);
        PT_SPAWN_IN(&self->group, &self->second, worker, .name = 'b', .ms = give(self));
        ck_assert_int_eq(self->pt.status, PT_ECANCELED);
    }
    PT_SPAWN_IN(&self->group, &self->second, worker, .name = 'c', .ms = give(self));
    ck_assert_int_eq(self->pt.status, PT_EINVAL);
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->group, &self->first, worker, .name = 'd', .ms = give(self));
        ck_assert_int_eq(self->pt.status, PT_OK);
    }
    PT_FINALLY
    trace_add("%d@%d ", self->things, test_ms(PT_NOW()));
}
PT_END

START_TEST(a_spawn_in_a_group_that_is_over_starts_nothing_and_evaluates_no_field)
{
    static PT_TASK(donor) donor;

    test_zero(donor);
    test_open(&world);
    PT_START(&world.loop, &donor, donor, .things = 3);
    run_world("+a a:-70@0 +d d:0@1 1@1 ");
    ck_assert(!pt_task_done(&donor.frame.second.task));
}
END_TEST

START_TEST(a_group_accepts_only_live_tasks_of_no_other_group)
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

/* A group in a member of a group: it tries to add the enclosing task and itself. */
struct climber {
    struct pt pt;
    struct pt_group group;
    bool top;
};

static PT_TASK(climber) climbers[2];

static PT_ASYNC(climber, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        if (self->top)
            PT_SPAWN_IN(&self->group, &climbers[1], climber, .top = false);
        else
            for (int i = 0; i < 2; i++)
                trace_add("%d ", pt_group_add(&self->group, &climbers[i].task));
    }
}
PT_END

START_TEST(a_group_refuses_a_task_that_encloses_it)
{
    test_zero(climbers);
    test_open(&world);
    ck_assert_int_eq(PT_START(&world.loop, &climbers[0], climber, .top = true), PT_OK);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("-6 -6 ");
    test_close(&world);
}
END_TEST

/* Adopts tasks from any storage. */
struct orphanage {
    struct pt pt;
    struct pt_group group;
};

static PT_POOL(worker, 1) bed;
static PT_TASK(worker) own;

static PT_ASYNC(orphanage, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
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
    run_world("0 -4 0 -2 +p +n +o o:0@1 n:0@2 p:0@3 0 +r r:0@6 behind@6 -3 ");
    ck_assert_uint_eq(bed.pool.used, 0);
    ck_assert_int_eq(home.frame.group.status, PT_OK);
}
END_TEST

/* Spawns two more into its own group and ends before they do. */
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
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_FROM(&burrow, breeder, .group = &self->group, .generation = 0);
        PT_ADOPT(&self->group);
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(a_member_can_spawn_into_its_own_group)
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

/* A member of a group. While it spawns, its list of joiners leads nowhere: whoever follows it crashes.
 * PT_DEBUG does, to find what the spawn would write over. */
struct host {
    struct pt pt;
    struct pt_group group;
    PT_TASK(worker) guest;
    struct pt_node *first;
};

static PT_ASYNC(host, self)
{
    static struct pt_node nowhere;

    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        self->first = pt_current_->joiners.first;
        nowhere.link.next = (struct pt_node *)(uintptr_t)sizeof nowhere;
        if (!PT_DEBUG)
            pt_current_->joiners.first = &nowhere;
        PT_SPAWN_IN(&self->group, &self->guest, worker, .name = 'g', .ms = 1);
        pt_current_->joiners.first = self->first;
    }
    trace_add("behind@%d ", test_ms(PT_NOW()));
}
PT_END

struct house {
    struct pt pt;
    struct pt_group group;
    PT_TASK(host) host;
};

static PT_ASYNC(house, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->host, host);
    }
}
PT_END

START_TEST(a_spawn_in_a_group_does_not_look_at_the_joiners_of_its_owner)
{
    static PT_TASK(house) task;

    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, house);
    run_world("+g g:0@1 behind@1 ");
}
END_TEST

/* --- waiting for a group --- */

/* Two waves of workers in one group. */
struct waves {
    struct pt pt;
    struct pt_group group;
    PT_TASK(worker) a, b;
};

static PT_ASYNC(waves, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
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

START_TEST(a_body_can_wait_for_its_group_and_continue)
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

struct glance {
    struct pt pt;
    struct pt_group *group;
};

static PT_ASYNC(glance, self)
{
    PT_JOIN_GROUP(self->group);
    trace_add("none:%d ", self->pt.status);
    PT_YIELD();
}
PT_END

/* Leaves values of its own where the next call has its variables. */
static void spoil_the_stack(void)
{
    volatile char room[2000];

    memset((void *)(uintptr_t)room, 0x5a, sizeof room);
    ck_assert_int_eq(room[7] + room[1999], 2 * 0x5a);
}

/* Resumes a generator that waits for its group. */
struct asker {
    struct pt pt;
    struct pt_group group;
    struct glance generator;
};

static PT_ASYNC(asker, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_INIT(&self->generator, glance, .group = &self->group);
        spoil_the_stack();
        ck_assert(pt_next(&self->generator.pt));
    }
    trace_add("behind ");
}
PT_END

START_TEST(a_generator_can_wait_for_a_group_without_members)
{
    static PT_TASK(asker) task;

    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, asker);
    run_world("none:0 behind ");
}
END_TEST

START_TEST(a_join_of_no_group_fails_in_a_task_that_is_in_none)
{
    static PT_TASK(onlooker) task;

    if (PT_DEBUG) /* test_checks.c */
        return;
    test_zero(task);
    test_open(&world);
    PT_START(&world.loop, &task, onlooker, .group = NULL);
    run_world("seen:-3@0 ");
}
END_TEST

START_TEST(any_task_can_wait_for_a_group)
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

START_TEST(a_task_that_waits_for_a_group_does_not_touch_the_group_after_its_end)
{
    static PT_TASK(onlooker) task;
    struct pt_task *owner;

    test_zero(task);
    test_open(&world);
    PT_START_NEW(&world.loop, team, .size = 1, .body = 0);
    owner = world.loop.taken;
    PT_START(&world.loop, &task, onlooker, .after = 1,
             .group = &((struct team *)(void *)pt_task_top_(owner))->group);
    pt_loop_turn(&world.loop, TEST_START); /* the owner waits ahead of the onlooker */
    ((struct team *)(void *)pt_task_top_(owner))->workers[0].frame.ms = 3;
    run_world("+a body@0 a:0@3 behind@3 seen:0@3 ");
}
END_TEST

START_TEST(a_member_cannot_wait_for_its_own_group)
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

#if PT_JOINS
/* Joins one of the workers, and tells when it has ended. */
struct joiner {
    struct pt pt;
    char name;
    struct pt_task *whom;
};

static PT_ASYNC(joiner, self)
{
    PT_JOIN(self->whom);
    trace_add("%c%d@%d ", self->name, self->pt.status, test_ms(PT_NOW()));
}
PT_END

/* The group hears of a member's end after those that join it, whichever came first. */
START_TEST(a_task_with_joiners_can_be_a_member_and_a_member_can_have_joiners)
{
    static PT_TASK(worker) late;
    static PT_TASK(joiner) joiners[3];

    test_zero(late);
    test_zero(joiners);
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 1, 0);
    pt_loop_turn(&world.loop, TEST_START);
    ck_assert_int_eq(PT_START(&world.loop, &late, worker, .name = 'l', .ms = 3, .code = -70),
                     PT_OK);
    for (int i = 0; i < 3; i++) {
        PT_START(&world.loop, &joiners[i], joiner, .name = (char)('x' + i), .whom = &late.task);
        pt_loop_turn(&world.loop, TEST_START);
        if (i == 1) {
            ck_assert_int_eq(pt_group_add(&members->group, &late.task), PT_OK);
            pt_cancel(&joiners[0].task, -71);
            pt_loop_turn(&world.loop, TEST_START);
        }
    }
    run_world("+a +l body@0 a:0@1 l:-70@3 y-70@3 z-70@3 behind@3 ");
    ck_assert_int_eq(pt_task_status(&joiners[0].task), -71);
    ck_assert_int_eq(members->group.status, -70);
    ck_assert_ptr_eq(members->group.decider, &late.task);
}
END_TEST
#endif

START_TEST(a_wake_does_not_end_the_wait_for_a_group)
{
    open_team(PT_GROUP_ALL, 1, 0);
    plan(0, 3, 0);
    pt_loop_turn(&world.loop, TEST_START);
    pt_loop_turn(&world.loop, TEST_START);
    pt_wake(&team_task.task);
    pt_loop_turn(&world.loop, test_at(1));
    ck_assert_trace("+a body@0 ");
    world.clock.now = test_at(1);
    run_world("a:0@3 behind@3 ");
}
END_TEST

#if PT_PAUSE
START_TEST(a_paused_owner_continues_after_its_group_ends_and_it_is_resumed)
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
    ck_assert_panic(pt_next(&lonely.pt),
                    "PT_WITH_...: a generator has no loop that could end a block of it");
}
END_TEST

#endif

Suite *suite_group_members(void)
{
    Suite *suite = test_suite("group_members");

#if PT_GROUPS
    test_add(suite, a_task_that_is_added_after_the_decision_ends_at_its_first_wait);
    test_add(suite, a_spawn_in_a_group_that_is_over_starts_nothing_and_evaluates_no_field);
    test_add(suite, a_group_accepts_only_live_tasks_of_no_other_group);
    test_add(suite, a_group_refuses_a_task_that_encloses_it);
    test_add(suite, a_group_adopts_tasks_from_any_storage);
    test_add(suite, a_member_can_spawn_into_its_own_group);
    test_add(suite, a_body_can_wait_for_its_group_and_continue);
    test_add(suite, a_spawn_in_a_group_does_not_look_at_the_joiners_of_its_owner);
    test_add(suite, a_generator_can_wait_for_a_group_without_members);
    test_add(suite, a_join_of_no_group_fails_in_a_task_that_is_in_none);
    test_add(suite, any_task_can_wait_for_a_group);
    test_add(suite, a_task_that_waits_for_a_group_does_not_touch_the_group_after_its_end);
    test_add(suite, a_member_cannot_wait_for_its_own_group);
#if PT_JOINS
    test_add(suite, a_task_with_joiners_can_be_a_member_and_a_member_can_have_joiners);
#endif
    test_add(suite, a_wake_does_not_end_the_wait_for_a_group);
#if PT_PAUSE
    test_add(suite, a_paused_owner_continues_after_its_group_ends_and_it_is_resumed);
    test_add(suite, a_paused_member_ends_when_its_group_is_decided);
#endif
    test_add(suite, a_generator_has_no_group);
#endif
    return suite;
}
#else

Suite *suite_group_members(void)
{
    return test_suite("group_members");
}

#endif
