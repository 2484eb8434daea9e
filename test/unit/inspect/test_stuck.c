/* test_stuck.c - deadlocks: tasks that wait for each other in a circle, found while others run
 * SPDX-License-Identifier: MIT */
/* alone: others of its room have some of its names */
#include "pt_test.h"

#if PT_PORT && PT_INSPECT && PT_CHANNELS && PT_JOINS && PT_GROUPS && PT_TIMEOUTS && PT_PAUSE && \
    PT_POOLS && PT_SELECTS

static struct pt_lock locks[3];
static struct pt_rwlock map;

static pt_stuck_found found;

/* To the trace: the number of its circle, the task, and the one that it waits for. */
static void found(void *context, const struct pt_stuck *stuck)
{
    (void)context;
    ck_assert(stuck->exact);
    trace_add("%u:%s", stuck->circle, pt_task_name(stuck->task));
    trace_add(">%s ", stuck->waits_for ? pt_task_name(stuck->waits_for) : "-");
}

/* What is stuck now. The search leaves no mark: a second one finds the same. */
static const char *stuck(void)
{
    static char first[400];

    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, NULL, found, NULL), PT_OK);
    strcpy(first, trace_take());
    ck_assert_int_eq(pt_loop_find_stuck(&world.loop, NULL, found, NULL), PT_OK);
    ck_assert_trace(first);
    return first;
}

static void turns(int count)
{
    while (count--)
        turn(0);
}

static void open_world(void)
{
    test_open(&world);
    for (int i = 0; i < 3; i++)
        pt_lock_init(&locks[i]);
    pt_rwlock_init(&map);
}

static void end_world(void)
{
    pt_loop_cancel(&world.loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
}

/* --- bodies --- */

/* Takes one lock, lets others run, takes another one. */
struct taker {
    struct pt pt;
    const char *name;
    struct pt_lock *first, *second;
    struct pt_scope limit;
    pt_time limited;
    int holds;
};

static PT_ASYNC(taker, self)
{
    pt_task_rename(pt_loop_current(&world.loop), self->name);
    PT_LOCK(self->first);
    PT_YIELD();
    if (self->limited) {
        PT_WITH_TIMEOUT(&self->limit, self->limited) {
            PT_LOCK(self->second);
        }
    } else {
        PT_LOCK(self->second);
    }
    self->holds = 1;
    PT_PARK();
    PT_FINALLY
    if (PT_HOLDS(self->second))
        PT_UNLOCK(self->second);
    if (PT_HOLDS(self->first))
        PT_UNLOCK(self->first);
}
PT_END

static PT_TASK(taker) takers[3];

static void take(int i, const char *name, int first, int second, pt_time limited)
{
    test_zero(takers[i]);
    ck_assert_int_eq(PT_START(&world.loop, &takers[i], taker, .name = name, .first = &locks[first],
                              .second = &locks[second], .limited = limited),
                     PT_OK);
}

struct joiner {
    struct pt pt;
    const char *name;
    struct pt_task *target;
};

static PT_ASYNC(joiner, self)
{
    pt_task_rename(pt_current_, self->name);
    PT_YIELD();
    PT_JOIN(self->target);
}
PT_END

static PT_TASK(joiner) joiners[3];

static void join(int i, const char *name, struct pt_task *target)
{
    test_zero(joiners[i]);
    ck_assert_int_eq(PT_START(&world.loop, &joiners[i], joiner, .name = name, .target = target),
                     PT_OK);
}

struct sleeper {
    struct pt pt;
};

static PT_ASYNC(sleeper, self)
{
    (void)self;
    PT_WAIT(PT_MS(100));
}
PT_END

static PT_TASK(sleeper) sleeping;

/* --- locks and joins --- */

START_TEST(two_tasks_that_lock_in_opposite_orders_are_a_deadlock_while_a_third_one_sleeps)
{
    open_world();
    test_zero(sleeping);
    ck_assert_int_eq(PT_START(&world.loop, &sleeping, sleeper), PT_OK);
    take(0, "a", 0, 1, 0);
    take(1, "b", 1, 0, 0);
    turns(1);
    ck_assert_str_eq(stuck(), "");
    turns(1);
    ck_assert_str_eq(stuck(), "1:a>b 1:b>a ");
    end_world();
}
END_TEST

START_TEST(three_philosophers_are_a_deadlock_and_those_behind_it_are_told_after_it)
{
    open_world();
    join(0, "guest", &takers[1].task);
    take(0, "x", 0, 1, 0);
    take(1, "y", 1, 2, 0);
    take(2, "z", 2, 0, 0);
    join(1, "waiter", &joiners[0].task);
    turns(2);
    ck_assert_str_eq(stuck(), "1:y>z 1:z>x 1:x>y 0:guest>y 0:waiter>guest ");
    end_world();
}
END_TEST

START_TEST(a_lock_whose_holder_goes_on_is_no_deadlock)
{
    open_world();
    take(0, "a", 0, 1, 0);
    take(1, "b", 2, 0, 0);
    turns(3);
    ck_assert_str_eq(stuck(), ""); /* a is parked: anyone can wake it */
    end_world();
}
END_TEST

START_TEST(a_circle_with_a_deadline_in_it_is_no_deadlock_until_the_deadline_has_passed)
{
    open_world();
    take(0, "a", 0, 1, PT_MS(5));
    take(1, "b", 1, 0, 0);
    turns(2);
    ck_assert_str_eq(stuck(), "");
    turn(5);
    turn(5);
    ck_assert_str_eq(stuck(), ""); /* a has left, and parks */
    end_world();
}
END_TEST

START_TEST(tasks_that_join_each_other_are_a_deadlock)
{
    open_world();
    join(0, "a", &joiners[1].task);
    join(1, "b", &joiners[2].task);
    join(2, "c", &joiners[0].task);
    turns(2);
    ck_assert_str_eq(stuck(), "1:a>b 1:b>c 1:c>a ");
    end_world();
}
END_TEST

START_TEST(two_deadlocks_have_two_numbers)
{
    open_world();
    take(0, "a", 0, 1, 0);
    take(1, "b", 1, 0, 0);
    join(0, "c", &joiners[1].task);
    join(1, "d", &joiners[0].task);
    turns(2);
    ck_assert_str_eq(stuck(), "1:a>b 1:b>a 2:c>d 2:d>c ");
    end_world();
}
END_TEST

START_TEST(after_a_cancel_of_one_task_the_deadlock_is_over)
{
    open_world();
    take(0, "a", 0, 1, 0);
    take(1, "b", 1, 0, 0);
    turns(2);
    pt_cancel(&takers[0].task, PT_ECANCELED);
    ck_assert_str_eq(stuck(), "");
    turns(3);
    ck_assert_int_eq(takers[1].frame.holds, 1);
    end_world();
}
END_TEST

START_TEST(a_paused_task_that_is_ready_can_go_on)
{
    open_world();
    take(0, "a", 0, 1, 0);
    take(1, "b", 1, 0, 0);
    turns(1);
    pt_pause(&takers[1].task);
    turns(2);
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

/* --- a lock of readers and writers --- */

struct reader {
    struct pt pt;
    const char *name;
    struct pt_lock *lock;
    bool writes;
};

static PT_ASYNC(reader, self)
{
    pt_task_rename(pt_loop_current(&world.loop), self->name);
    if (self->lock)
        PT_LOCK(self->lock);
    PT_YIELD();
    if (self->writes) {
        PT_LOCK_EXCLUSIVE(&map);
        PT_YIELD();
        PT_LOCK(&locks[0]);
    } else {
        PT_LOCK_SHARED(&map);
        PT_PARK();
    }
}
PT_END

static PT_TASK(reader) readers[3];

START_TEST(a_reader_and_a_writer_that_need_each_others_locks_are_a_deadlock)
{
    open_world();
    memset(readers, 0, sizeof readers);
    ck_assert_int_eq(
        PT_START(&world.loop, &readers[1], reader, .name = "w", .lock = &locks[1], .writes = true),
        PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &readers[0], reader, .name = "r", .lock = &locks[0]),
                     PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "1:w>r 1:r>w ");
    end_world();
}
END_TEST

START_TEST(a_writer_that_waits_for_readers_is_not_told_because_nobody_knows_them)
{
    open_world();
    memset(readers, 0, sizeof readers);
    ck_assert_int_eq(PT_START(&world.loop, &readers[0], reader, .name = "r"), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &readers[1], reader, .name = "w", .writes = true),
                     PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

/* --- conditions --- */

static struct pt_condition changed;

struct watcher {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(watcher, self)
{
    PT_LOCK(&locks[0]);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(90)) {
        PT_WAIT_CONDITION(&changed, &locks[0]);
    }
    PT_FINALLY
    PT_UNLOCK(&locks[0]);
}
PT_END

static PT_TASK(watcher) watching;

struct changer {
    struct pt pt;
    bool cancels;
};

static PT_ASYNC(changer, self)
{
    PT_YIELD();
    PT_LOCK(&locks[0]);
    PT_YIELD();
    if (self->cancels)
        pt_cancel(&watching.task, PT_ECANCELED);
    else
        pt_condition_notify(&changed);
    PT_JOIN(&watching.task);
    PT_FINALLY
    PT_UNLOCK(&locks[0]);
}
PT_END

static PT_TASK(changer) changing;

START_TEST(a_notified_task_waits_for_the_lock_and_one_that_was_not_can_still_be_notified)
{
    open_world();
    pt_condition_init(&changed);
    test_zero(watching);
    test_zero(changing);
    ck_assert_int_eq(PT_START(&world.loop, &watching, watcher), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &changing, changer), PT_OK);
    turns(2);
    ck_assert_str_eq(stuck(), "");
    turns(1);
    ck_assert_str_eq(stuck(), "1:watcher>changer 1:changer>watcher ");
    end_world();
}
END_TEST

START_TEST(a_task_that_joins_with_a_lock_a_task_that_locks_it_again_is_a_deadlock)
{
    open_world();
    pt_condition_init(&changed);
    test_zero(watching);
    test_zero(changing);
    ck_assert_int_eq(PT_START(&world.loop, &watching, watcher), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &changing, changer, .cancels = true), PT_OK);
    turns(3);
    ck_assert_str_eq(pt_task_doing(&watching.task), "waits for a lock");
    ck_assert_str_eq(stuck(), "1:watcher>changer 1:changer>watcher ");
    pt_cancel(&changing.task, PT_ECANCELED); /* it unlocks */
    turns(3);
    ck_assert(pt_task_done(&watching.task));
    end_world();
}
END_TEST

/* --- groups --- */

struct child {
    struct pt pt;
    struct pt_task *joins;
    struct pt_lock *locks;
};

static PT_ASYNC(child, self)
{
    if (self->joins)
        PT_JOIN(self->joins);
    if (self->locks)
        PT_LOCK(self->locks);
}
PT_END

struct parent {
    struct pt pt;
    struct pt_group group;
    PT_TASK(child) first, second;
    struct pt_task *joins;
    struct pt_lock *locks;
};

static PT_TASK(parent) family;

static PT_ASYNC(parent, self)
{
    PT_LOCK(&locks[2]);
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, child);
        PT_SPAWN_IN(&self->group, &self->second, child, .joins = self->joins, .locks = self->locks);
    }
}
PT_END

START_TEST(a_task_that_joins_the_owner_of_its_group_is_a_deadlock)
{
    open_world();
    test_zero(family);
    ck_assert_int_eq(PT_START(&world.loop, &family, parent, .joins = &family.task), PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "1:parent>child 1:child>parent ");
    end_world();
}
END_TEST

START_TEST(a_task_that_waits_for_a_lock_of_the_owner_of_its_group_is_a_deadlock)
{
    open_world();
    test_zero(family);
    ck_assert_int_eq(PT_START(&world.loop, &family, parent, .locks = &locks[2]), PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "1:parent>child 1:child>parent ");
    end_world();
}
END_TEST

START_TEST(a_group_with_a_task_that_sleeps_is_no_deadlock)
{
    open_world();
    test_zero(family);
    test_zero(sleeping);
    ck_assert_int_eq(PT_START(&world.loop, &sleeping, sleeper), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &family, parent, .joins = &sleeping.task), PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

struct hurried {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    enum pt_group_policy policy;
    PT_TASK(child) behind;
    PT_TASK(sleeper) timer;
};

static PT_ASYNC(hurried, self)
{
    PT_LOCK(&locks[2]);
    PT_WITH_TIMEOUT(&self->limit, self->policy == PT_GROUP_ALL ? PT_MS(100) : PT_DELAY_NEVER) {
        PT_WITH_GROUP(&self->group, self->policy) {
            PT_SPAWN_IN(&self->group, &self->behind, child, .locks = &locks[2]);
            if (self->policy != PT_GROUP_ALL)
                PT_SPAWN_IN(&self->group, &self->timer, sleeper);
        }
    }
}
PT_END

START_TEST(a_group_that_a_timer_ends_is_no_deadlock)
{
    static PT_TASK(hurried) task;

    for (int policy = PT_GROUP_ALL; policy <= PT_GROUP_FIRST_SUCCESS; policy++) {
        open_world();
        test_zero(task);
        ck_assert_int_eq(
            PT_START(&world.loop, &task, hurried, .policy = (enum pt_group_policy)policy), PT_OK);
        turns(3);
        ck_assert_str_eq(stuck(), "");
        turn(100);
        turn(100);
        turn(100);
        ck_assert_str_eq(stuck(),
                         policy == PT_GROUP_ALL_OR_NONE ? "1:hurried>child 1:child>hurried " : "");
        end_world();
    }
}
END_TEST

/* An owner that leaves the block of its group, whose tasks join each other. */
struct leaver {
    struct pt pt;
    struct pt_group group;
    PT_TASK(child) first, second;
};

static PT_ASYNC(leaver, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, child, .joins = &self->second.task);
        PT_SPAWN_IN(&self->group, &self->second, child, .joins = &self->first.task);
        PT_WAIT(PT_MS(100));
        break;
    }
}
PT_END

START_TEST(a_group_whose_owner_will_leave_the_block_is_no_deadlock)
{
    static PT_TASK(leaver) task;

    open_world();
    test_zero(task);
    ck_assert_int_eq(PT_START(&world.loop, &task, leaver), PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "");
    turn(100);
    turns(2);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 0);
    end_world();
}
END_TEST

/* A cleanup that waits for the lock of the owner of its group. */
struct cleaner {
    struct pt pt;
};

static PT_ASYNC(cleaner, self)
{
    (void)self;
    PT_YIELD();
    PT_FINALLY
    PT_LOCK(&locks[2]);
}
PT_END

struct keeper {
    struct pt pt;
    struct pt_group group;
    PT_TASK(cleaner) cleans;
    PT_TASK(sleeper) timer;
};

static PT_ASYNC(keeper, self)
{
    PT_LOCK(&locks[2]);
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->group, &self->cleans, cleaner);
        PT_SPAWN_IN(&self->group, &self->timer, sleeper);
    }
}
PT_END

START_TEST(a_cleanup_that_no_group_can_end_is_a_deadlock)
{
    static PT_TASK(keeper) task;

    open_world();
    test_zero(task);
    ck_assert_int_eq(PT_START(&world.loop, &task, keeper), PT_OK);
    turns(4);
    ck_assert_str_eq(stuck(), "1:keeper>cleaner 1:cleaner>keeper ");
    turn(100);
    turn(100);
    ck_assert_str_eq(stuck(), "1:keeper>cleaner 1:cleaner>keeper ");
    pt_lock_release(&locks[2], &task.task);
    end_world();
}
END_TEST

/* --- pools --- */

struct fork_ {
    struct pt pt;
    int depth;
};

static PT_DECLARE(fork_);
static PT_POOL(fork_, 2) pool;

static PT_ASYNC(fork_, self)
{
    if (self->depth)
        PT_SPAWN_WHEN_FREE(&pool, fork_, .depth = self->depth - 1);
    else
        PT_WAIT(PT_MS(5));
}
PT_END

START_TEST(tasks_of_a_full_pool_that_wait_for_room_in_it_are_a_deadlock)
{
    open_world();
    memset(&pool, 0, sizeof pool);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, fork_, .depth = 1), PT_OK);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, fork_, .depth = 0), PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), ""); /* the second one ends */
    turn(5);
    turn(6);
    turn(7);
    ck_assert_str_eq(stuck(), "");
    turn(100);
    turn(100);
    test_zero(sleeping); /* a task of no pool goes on, which does not help */
    ck_assert_int_eq(PT_START(&world.loop, &sleeping, sleeper), PT_OK);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, fork_, .depth = 3), PT_OK);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, fork_, .depth = 3), PT_OK);
    turn(101);
    turn(102);
    ck_assert_str_eq(stuck(), "1:fork_>fork_ 0:fork_>fork_ ");
    end_world();
}
END_TEST

/* A task of no pool that needs room in one. */
struct guest {
    struct pt pt;
};

static PT_ASYNC(guest, self)
{
    PT_SPAWN_WHEN_FREE(&pool, fork_, .depth = 0);
}
PT_END

START_TEST(room_in_a_pool_that_a_task_was_given_and_has_not_taken_is_not_lost)
{
    static PT_TASK(guest) guest;

    open_world();
    memset(&pool, 0, sizeof pool);
    test_zero(guest);
    ck_assert_int_eq(PT_START(&world.loop, &guest, guest), PT_OK);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, fork_, .depth = 0), PT_OK);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, fork_, .depth = 1), PT_OK);
    turn(0);
    turn(
        5); /* the guest is given the place of the first one; its task ends, and then the second one's starts */
    ck_assert_uint_eq(pool.pool.granted, 1);
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

/* --- selects --- */

struct chooser {
    struct pt pt;
    PT_SELECTION(1) choice;
};

static PT_ASYNC(chooser, self)
{
    PT_LOCK(&locks[0]);
    PT_YIELD();
    PT_SELECT(&self->choice, PT_CASE_LOCK(&locks[1]));
}
PT_END

static PT_TASK(chooser) choosing;

START_TEST(a_select_is_not_told_without_a_memory)
{
    open_world();
    test_zero(choosing);
    take(1, "b", 1, 0, 0);
    ck_assert_int_eq(PT_START(&world.loop, &choosing, chooser), PT_OK);
    turns(3);
    ck_assert_str_eq(stuck(), "");
    end_world();
}
END_TEST

/* --- other loops --- */

START_TEST(a_task_that_joins_one_of_another_loop_is_not_told)
{
    struct pt_loop other;

    open_world();
    pt_loop_open(&other, &world.clock.port);
    test_zero(joiners[1]);
    ck_assert_int_eq(
        PT_START(&other, &joiners[1], joiner, .name = "far", .target = &joiners[0].task), PT_OK);
    join(0, "near", &joiners[1].task);
    turns(1);
    turns(1);
    ck_assert_str_eq(stuck(), "");
    pt_loop_cancel(&other, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&other), PT_OK);
    pt_loop_close(&other);
    end_world();
}
END_TEST

START_TEST(a_lock_of_a_task_in_another_loop_is_no_deadlock)
{
    struct pt_loop other;

    open_world();
    pt_loop_open(&other, &world.clock.port);
    test_zero(sleeping);
    ck_assert_int_eq(PT_START(&other, &sleeping, sleeper), PT_OK);
    ck_assert_int_eq(pt_lock_try(&locks[1], &sleeping.task), PT_OK);
    take(0, "a", 0, 1, 0);
    join(0, "b", &takers[0].task);
    turns(2);
    ck_assert_str_eq(stuck(), "");
    ck_assert_int_eq(pt_lock_release(&locks[1], &sleeping.task), PT_OK);
    pt_loop_cancel(&other, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&other), PT_OK);
    pt_loop_close(&other);
    end_world();
}
END_TEST

/* --- in a task --- */

/* Looks for stuck tasks, and is not one of them. */
struct finder {
    struct pt pt;
};

static PT_ASYNC(finder, self)
{
    (void)self;
    PT_LOCK(&locks[2]);
    PT_YIELD();
    PT_YIELD();
    trace_add("(%s) ", stuck());
    PT_UNLOCK(&locks[2]);
}
PT_END

START_TEST(a_task_that_looks_for_stuck_ones_is_not_stuck_and_nor_is_one_that_waits_for_it)
{
    static PT_TASK(finder) finding;

    open_world();
    test_zero(finding);
    ck_assert_int_eq(PT_START(&world.loop, &finding, finder), PT_OK);
    take(0, "a", 0, 1, 0);
    take(1, "b", 1, 0, 0);
    join(0, "c", &finding.task);
    turns(3);
    ck_assert_trace("(1:a>b 1:b>a ) ");
    end_world();
}
END_TEST

/* --- in words --- */

static pt_print print;

static void print(void *context, const char *text)
{
    if (!strstr(text, ".c") && strcmp(text, "suspension "))
        trace_add("%s", text);
    (void)context;
}

START_TEST(a_deadlock_is_printed_with_what_each_task_waits_for)
{
    const char *text;

    open_world();
    join(0, "guest", &takers[1].task);
    take(0, "a", 0, 1, 0);
    take(1, "b", 1, 0, 0);
    turns(2);
    ck_assert_uint_eq(pt_dump_stuck(&world.loop, NULL, print, NULL), 3);
    text = trace_take();
    ck_assert_ptr_nonnull(
        strstr(text, "deadlock: each waits for the next one, the last one for the first\n"));
    ck_assert_ptr_nonnull(strstr(text, "    b: waits for a lock\n"));
    ck_assert_ptr_nonnull(strstr(text, "behind a deadlock:\n    guest: joins a task\n"));
    end_world();
}
END_TEST

Suite *suite_stuck(void)
{
    Suite *suite = test_suite("stuck");

    test_add(suite, two_tasks_that_lock_in_opposite_orders_are_a_deadlock_while_a_third_one_sleeps);
    test_add(suite, three_philosophers_are_a_deadlock_and_those_behind_it_are_told_after_it);
    test_add(suite, a_lock_whose_holder_goes_on_is_no_deadlock);
    test_add(suite, a_circle_with_a_deadline_in_it_is_no_deadlock_until_the_deadline_has_passed);
    test_add(suite, tasks_that_join_each_other_are_a_deadlock);
    test_add(suite, two_deadlocks_have_two_numbers);
    test_add(suite, after_a_cancel_of_one_task_the_deadlock_is_over);
    test_add(suite, a_paused_task_that_is_ready_can_go_on);
    test_add(suite, a_reader_and_a_writer_that_need_each_others_locks_are_a_deadlock);
    test_add(suite, a_writer_that_waits_for_readers_is_not_told_because_nobody_knows_them);
    test_add(suite, a_notified_task_waits_for_the_lock_and_one_that_was_not_can_still_be_notified);
    test_add(suite, a_task_that_joins_with_a_lock_a_task_that_locks_it_again_is_a_deadlock);
    test_add(suite, a_task_that_joins_the_owner_of_its_group_is_a_deadlock);
    test_add(suite, a_task_that_waits_for_a_lock_of_the_owner_of_its_group_is_a_deadlock);
    test_add(suite, a_group_with_a_task_that_sleeps_is_no_deadlock);
    test_add(suite, a_group_that_a_timer_ends_is_no_deadlock);
    test_add(suite, a_group_whose_owner_will_leave_the_block_is_no_deadlock);
    test_add(suite, a_cleanup_that_no_group_can_end_is_a_deadlock);
    test_add(suite, tasks_of_a_full_pool_that_wait_for_room_in_it_are_a_deadlock);
    test_add(suite, room_in_a_pool_that_a_task_was_given_and_has_not_taken_is_not_lost);
    test_add(suite, a_select_is_not_told_without_a_memory);
    test_add(suite, a_task_that_joins_one_of_another_loop_is_not_told);
    test_add(suite, a_lock_of_a_task_in_another_loop_is_no_deadlock);
    test_add(suite, a_task_that_looks_for_stuck_ones_is_not_stuck_and_nor_is_one_that_waits_for_it);
    test_add(suite, a_deadlock_is_printed_with_what_each_task_waits_for);
    return suite;
}
#else

Suite *suite_stuck(void)
{
    return test_suite("stuck");
}

#endif
