/* test_inspect.c - the tasks of a loop: their order, their parents, and what each waits for
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

#if PT_PORT && PT_JOINS

#if PT_INSPECT && PT_GROUPS && PT_TIMEOUTS && PT_PAUSE && PT_POOLS

/* Cancel all live tasks and close the world. */
static void end_world(void)
{
    pt_loop_cancel(&world.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

/* --- the tree --- */

/* The names of all tasks, each in as many brackets as it has ancestors. */
static const char *walk(void)
{
    for (struct pt_task *task = pt_loop_task(&world.loop, NULL); task;
         task = pt_loop_task(&world.loop, task)) {
        struct pt_task *up = pt_task_parent(task);

        for (; up; up = pt_task_parent(up))
            trace_add("(");
        trace_add("%s", pt_task_name(task));
        for (up = pt_task_parent(task); up; up = pt_task_parent(up))
            trace_add(")");
        trace_add(" ");
    }
    return trace_take();
}

struct leaf {
    struct pt pt;
    const char *name;
};

static PT_ASYNC(leaf, self)
{
    pt_task_rename(pt_loop_current(&world.loop), self->name);
    PT_PARK();
}
PT_END

/* Has a group in a group; `below` is another parent in the outer group. */
struct parent {
    struct pt pt;
    int below;
    const char *names[3];
    struct pt_group outer, inner;
    PT_TASK(leaf) first, last, inside;
};

static PT_TASK(parent) parents[2];

static PT_ASYNC(parent, self)
{
    PT_WITH_GROUP(&self->outer, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->outer, &self->first, leaf, .name = self->names[0]);
        if (self->below) {
            PT_SPAWN_IN(&self->outer, &parents[self->below], parent, .below = 0, .names[0] = "d",
                        .names[1] = "e", .names[2] = "f");
        }
        PT_SPAWN_IN(&self->outer, &self->last, leaf, .name = self->names[1]);
        PT_WITH_GROUP(&self->inner, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->inner, &self->inside, leaf, .name = self->names[2]);
        }
        PT_PARK();
    }
}
PT_END

static PT_TASK(leaf) leaves[3];

static void open_world(void)
{
    test_zero(leaves);
    test_zero(parents);
    test_open(&world);
}

static void start_leaf(int i, const char *name)
{
    ck_assert_int_eq(PT_START(&world.loop, &leaves[i], leaf, .name = name), PT_OK);
}

static void start_family(int below)
{
    ck_assert_int_eq(PT_START(&world.loop, &parents[0], parent, .below = below, .names[0] = "a",
                              .names[1] = "b", .names[2] = "c"),
                     PT_OK);
}

START_TEST(a_walk_over_an_empty_loop_finds_no_task)
{
    open_world();
    ck_assert_ptr_null(pt_loop_task(&world.loop, NULL));
    start_leaf(0, "x");
    end_world();
    ck_assert_ptr_null(pt_loop_task(&world.loop, NULL));
}
END_TEST

START_TEST(a_walk_visits_tasks_in_the_order_of_their_spawns)
{
    open_world();
    start_leaf(1, "one");
    start_leaf(0, "two");
    start_leaf(2, "three");
    ck_assert_str_eq(walk(), "leaf leaf leaf "); /* no task has run yet */
    turn(0);
    ck_assert_str_eq(walk(), "one two three ");
    pt_wake(&leaves[0].task);
    turn(1);
    ck_assert_str_eq(walk(), "one three ");
    start_leaf(0, "two");
    turn(2);
    ck_assert_str_eq(walk(), "one three two ");
    end_world();
}
END_TEST

START_TEST(a_walk_visits_the_tasks_of_a_group_after_their_parent)
{
    open_world();
    start_leaf(0, "x");
    start_family(0);
    start_leaf(1, "y");
    turn(0);
    turn(1);
    ck_assert_str_eq(walk(), "x parent (c) (a) (b) y ");
    pt_wake(&parents[0].frame.inside.task);
    turn(2);
    turn(3);
    ck_assert_str_eq(walk(), "x parent (a) (b) y ");
    pt_wake(&parents[0].task);
    pt_wake(&parents[0].frame.first.task);
    pt_wake(&parents[0].frame.last.task);
    turn(4);
    turn(5);
    ck_assert_str_eq(walk(), "x y ");
    end_world();
}
END_TEST

START_TEST(a_walk_visits_a_group_in_a_group_at_its_place)
{
    open_world();
    start_family(1);
    start_leaf(0, "x");
    turn(0);
    turn(1);
    turn(2);
    ck_assert_str_eq(walk(), "parent (c) (a) (parent) ((f)) ((d)) ((e)) (b) x ");
    ck_assert_ptr_eq(pt_task_parent(&parents[1].frame.first.task), &parents[1].task);
    ck_assert_ptr_eq(pt_task_parent(&parents[1].task), &parents[0].task);
    ck_assert_ptr_null(pt_task_parent(&parents[0].task));
    end_world();
    ck_assert_ptr_null(pt_task_parent(&parents[1].task));
}
END_TEST

START_TEST(a_walk_over_a_family_visits_no_other_tasks)
{
    open_world();
    start_family(1);
    for (int ms = 0; ms < 3; ms++)
        turn(ms);
    ck_assert_str_eq(walk(), "parent (c) (a) (parent) ((f)) ((d)) ((e)) (b) ");
    pt_group_cancel(&parents[1].frame.outer, PT_ECANCELED);
    for (int ms = 3; ms < 8; ms++)
        turn(ms);
    ck_assert_str_eq(walk(), "parent (c) (a) (b) ");
    end_world();
}
END_TEST

/* --- what a task does --- */

enum what { YIELDS, SLEEPS, PARKS, JOINS, WANTS_ROOM, HAS_GROUP, SELECTS, ENDS };

static PT_POOL(leaf, 1) pool;

struct actor {
    struct pt pt;
    enum what what;
    struct pt_group group;
    PT_TASK(leaf) child;
    PT_IF_(PT_SELECTS, PT_SELECTION(2) choice;)
};

static PT_TASK(actor) actor_task;

static PT_ASYNC(actor, self)
{
    ck_assert_int_eq(pt_task_state(&actor_task.task), PT_TASK_RUNNING);
    trace_add("%s; ", pt_task_doing(&actor_task.task));
    if (self->what == YIELDS)
        PT_YIELD();
    if (self->what == SLEEPS)
        PT_WAIT(PT_MS(5));
    if (self->what == PARKS)
        PT_PARK();
    if (self->what == JOINS)
        PT_JOIN(&leaves[0].task);
    if (self->what == WANTS_ROOM)
        PT_SPAWN_WHEN_FREE(&pool, leaf, .name = "b");
    if (self->what == HAS_GROUP) {
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
            PT_SPAWN_IN(&self->group, &self->child, leaf, .name = "child");
        }
    }
#if PT_SELECTS
    if (self->what == SELECTS)
        PT_SELECT(&self->choice, PT_CASE_JOIN(&leaves[0].task), PT_CASE_AFTER(PT_MS(5)));
#endif
}
PT_END

/* Check what a task reports: idle, before, in and after its first turn, and at its end. */
static void tell(enum what what, enum pt_task_state state, const char *trace)
{
    open_world();
    test_zero(actor_task);
    test_zero(pool);
    start_leaf(0, "x");
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, leaf, .name = "a"), PT_OK);
    ck_assert_int_eq(pt_task_state(&actor_task.task), PT_TASK_IDLE);
    trace_add("%s; ", pt_task_doing(&actor_task.task));
    ck_assert_int_eq(PT_START(&world.loop, &actor_task, actor, .what = what), PT_OK);
    ck_assert_int_eq(pt_task_state(&actor_task.task), PT_TASK_READY);
    trace_add("%s; ", pt_task_doing(&actor_task.task));
    turn(0);
    ck_assert_int_eq(pt_task_state(&actor_task.task), state);
    trace_add("%s; ", pt_task_doing(&actor_task.task));
    end_world();
    ck_assert_int_eq(pt_task_state(&actor_task.task), PT_TASK_DONE);
    trace_add("%s", pt_task_doing(&actor_task.task));
    ck_assert_trace(trace);
}

#define WAS "was never spawned; is ready; runs; "

START_TEST(a_task_reports_what_it_does_in_every_state)
{
    tell(YIELDS, PT_TASK_READY, WAS "is ready; is done");
    tell(SLEEPS, PT_TASK_SLEEPING, WAS "sleeps; is done");
    tell(PARKS, PT_TASK_PARKED, WAS "is parked; is done");
    tell(ENDS, PT_TASK_DONE, WAS "is done; is done");
}
END_TEST

START_TEST(a_task_in_a_queue_reports_what_it_waits_for)
{
    tell(JOINS, PT_TASK_WAITING, WAS "joins a task; is done");
    tell(WANTS_ROOM, PT_TASK_WAITING, WAS "waits for room in a pool; is done");
    tell(HAS_GROUP, PT_TASK_WAITING, WAS "waits for its group; is done");
    if (PT_SELECTS) /* with a time limit, too */
        tell(SELECTS, PT_TASK_WAITING, WAS "selects; is done");
}
END_TEST

START_TEST(every_state_and_every_reason_has_its_own_text)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {PT_TASK_STATE_TABLE(TEXT) PT_WHY_TABLE(TEXT)};
#undef TEXT

#define NAME(name, text) PT_WHY_##name,
    static const enum pt_why reasons[] = {PT_WHY_TABLE(NAME)};
#undef NAME

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        ck_assert_uint_eq(reasons[i], i);
    for (size_t a = 0; a < sizeof texts / sizeof texts[0]; a++)
        for (size_t b = 0; b < a; b++)
            ck_assert(strcmp(texts[a], texts[b]) != 0);
}
END_TEST

START_TEST(a_paused_task_keeps_its_state_until_its_turn_comes)
{
    open_world();
    start_leaf(0, "x");
    pt_pause(&leaves[0].task);
    ck_assert_int_eq(pt_task_state(&leaves[0].task), PT_TASK_READY);
    turn(0);
    ck_assert_int_eq(pt_task_state(&leaves[0].task), PT_TASK_HELD);
    ck_assert_str_eq(pt_task_doing(&leaves[0].task), "is paused; otherwise ready");
    pt_resume(&leaves[0].task);
    ck_assert_int_eq(pt_task_state(&leaves[0].task), PT_TASK_READY);
    turn(1);
    pt_pause(&leaves[0].task);
    ck_assert_int_eq(pt_task_state(&leaves[0].task), PT_TASK_PARKED);
    end_world();
}
END_TEST

START_TEST(a_task_has_the_name_of_its_coroutine_unless_it_is_renamed)
{
    open_world();
    ck_assert_ptr_null(pt_task_name(&leaves[0].task));
    start_leaf(0, "x");
    ck_assert_str_eq(pt_task_name(&leaves[0].task), "leaf");
    pt_task_rename(&leaves[0].task, "server");
    ck_assert_str_eq(pt_task_name(&leaves[0].task), "server");
    turn(0);
    ck_assert_str_eq(pt_task_name(&leaves[0].task), "x");
    pt_wake(&leaves[0].task);
    turn(1);
    ck_assert_str_eq(pt_task_name(&leaves[0].task), "x"); /* even after its end */
#if PT_NAME_FITS_
    PT_INIT(&leaves[0].frame, leaf, .name = "z");
    leaves[0].frame.pt.caller = &leaves[1].frame.pt; /* but not when its frame is awaited */
    ck_assert_ptr_null(pt_task_name(&leaves[0].task));
#endif
    start_leaf(0, "y");
    ck_assert_str_eq(pt_task_name(&leaves[0].task), "leaf");
    end_world();
}
END_TEST

#if PT_AWAIT && PT_CLEANUP

/* Two functions that a task awaits, the one by the other; each has a cleanup that takes a turn. */
struct second {
    struct pt pt;
};

static PT_ASYNC(second, self)
{
    PT_PARK();
    PT_FINALLY
    {
        trace_add("second ");
        PT_YIELD();
    }
}
PT_END

struct first {
    struct pt pt;
    struct second second;
};

static PT_ASYNC(first, self)
{
    PT_WAIT_COMPLETE(&self->second, second);
    PT_FINALLY
    {
        trace_add("first ");
        PT_YIELD();
    }
}
PT_END

/* Awaits `first`, twice: the second time in its cleanup. */
struct deep {
    struct pt pt;
    struct first first;
};

static PT_ASYNC(deep, self)
{
    PT_WAIT_COMPLETE(&self->first, first);
    PT_PARK();
    PT_FINALLY
    {
        trace_add("deep ");
        PT_WAIT_COMPLETE(&self->first, first);
    }
}
PT_END

static PT_TASK(deep) descent;

/* Run a turn in which the task is awake; returns its name. */
static const char *name_after_a_wake(void)
{
    pt_wake(&descent.task);
    pt_loop_turn(&world.loop, 0);
    return pt_task_name(&descent.task);
}

START_TEST(a_task_keeps_its_name_in_functions_and_cleanups_however_deep)
{
    open_world();
    ck_assert_int_eq(PT_START(&world.loop, &descent, deep), PT_OK);
    turn(0);
    ck_assert_ptr_ne(pt_task_top_(&descent.task), &descent.frame.pt);
    ck_assert_str_eq(pt_task_name(&descent.task), "deep");
    pt_task_rename(&descent.task, "diver");
    ck_assert_str_eq(pt_task_name(&descent.task), "diver");
    ck_assert_str_eq(name_after_a_wake(), "diver"); /* in second's PT_FINALLY, at its normal end */
    ck_assert_str_eq(name_after_a_wake(), "diver");
    ck_assert_str_eq(name_after_a_wake(), "diver");
    ck_assert_ptr_eq(pt_task_top_(&descent.task), &descent.frame.pt);
    pt_task_rename(&descent.task, "swimmer");
    pt_cancel(&descent.task, PT_ECANCELED);
    pt_cancel(&descent.task, PT_ECANCELED); /* not in a cleanup: that is not canceled */
    for (int i = 0; i < 4 && pt_task_alive(&descent.task); i++)
        ck_assert_str_eq(name_after_a_wake(), "swimmer");
    ck_assert_trace("second first deep second first ");
    ck_assert(pt_task_done(&descent.task));
    ck_assert_int_eq(pt_task_status(&descent.task), PT_ECANCELED);
    ck_assert_str_eq(pt_task_name(&descent.task), "swimmer");
    end_world();
}
END_TEST
#endif

/* --- deadlines --- */

/* Sleeps, or parks if SLEEP is 0, in up to two blocks with a timeout. */
struct timed {
    struct pt pt;
    int outer, inner, sleep;
    struct pt_scope limits[2];
};

static pt_time delay(int ms)
{
    return ms ? (pt_time)ms * PT_MS(1) : PT_DELAY_NEVER;
}

static PT_ASYNC(timed, self)
{
    PT_WITH_TIMEOUT(&self->limits[0], delay(self->outer)) {
        PT_WITH_TIMEOUT(&self->limits[1], delay(self->inner)) {
            if (self->sleep)
                PT_WAIT(delay(self->sleep));
            else
                PT_PARK();
        }
    }
}
PT_END

static PT_TASK(timed) timed_task;

/* The deadline of a task with these times in milliseconds (0: none), or -1 if it has none. */
static int deadline(int outer, int inner, int sleep)
{
    pt_time at = test_at(-1);
    bool found;

    open_world();
    test_zero(timed_task);
    PT_START(&world.loop, &timed_task, timed, .outer = outer, .inner = inner, .sleep = sleep);
    ck_assert(!pt_task_deadline(&timed_task.task, &at));
    turn(0);
    found = pt_task_deadline(&timed_task.task, &at);
    ck_assert(found || at == test_at(-1));
    end_world();
    ck_assert(!pt_task_deadline(&timed_task.task, &at));
    return found ? test_ms(at) : -1;
}

START_TEST(the_deadline_of_a_task_is_the_earliest_of_its_sleep_and_its_blocks)
{
    ck_assert_int_eq(deadline(0, 0, 0), -1);
    ck_assert_int_eq(deadline(0, 0, 7), 7); /* across the wrap */
    ck_assert_int_eq(deadline(7, 0, 0), 7);
    ck_assert_int_eq(deadline(0, 2, 0), 2);
    ck_assert_int_eq(deadline(7, 2, 0), 2);
    ck_assert_int_eq(deadline(2, 7, 0), 2);
    ck_assert_int_eq(deadline(2, 7, 9), 2);
    ck_assert_int_eq(deadline(9, 2, 7), 2);
    ck_assert_int_eq(deadline(9, 7, 2), 2);
}
END_TEST

#endif

Suite *suite_inspect(void)
{
    Suite *suite = test_suite("inspect");

#if PT_INSPECT && PT_GROUPS && PT_TIMEOUTS && PT_PAUSE && PT_POOLS
    test_add(suite, a_walk_over_an_empty_loop_finds_no_task);
    test_add(suite, a_walk_visits_tasks_in_the_order_of_their_spawns);
    test_add(suite, a_walk_visits_the_tasks_of_a_group_after_their_parent);
    test_add(suite, a_walk_visits_a_group_in_a_group_at_its_place);
    test_add(suite, a_walk_over_a_family_visits_no_other_tasks);
    test_add(suite, a_task_reports_what_it_does_in_every_state);
    test_add(suite, a_task_in_a_queue_reports_what_it_waits_for);
    test_add(suite, every_state_and_every_reason_has_its_own_text);
    test_add(suite, a_paused_task_keeps_its_state_until_its_turn_comes);
    test_add(suite, a_task_has_the_name_of_its_coroutine_unless_it_is_renamed);
#if PT_AWAIT && PT_CLEANUP
    test_add(suite, a_task_keeps_its_name_in_functions_and_cleanups_however_deep);
#endif
    test_add(suite, the_deadline_of_a_task_is_the_earliest_of_its_sleep_and_its_blocks);
#endif
    return suite;
}
#else

Suite *suite_inspect(void)
{
    return test_suite("inspect");
}

#endif
