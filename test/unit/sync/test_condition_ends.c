/* test_condition_ends.c - a wait for a condition ends early: the task first holds its lock again
 * SPDX-License-Identifier: MIT */
/* alone: others of its room have some of its names */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS && PT_CLEANUP && PT_CHANNELS && PT_TIMEOUTS && PT_CANCEL && PT_AWAIT

static struct pt_lock door;
static struct pt_rwlock guard;
static struct pt_condition changed;
static bool ready;

/* Waits until something is ready, but not for ever; then it keeps the lock for a while. */
struct guest {
    struct pt pt;
    struct pt_scope limit;
    char name;
    int patience, ms;
};

static void told(const struct guest *self, const struct pt_task *task, const char *what)
{
    trace_add("%c %s%s@%d ", self->name, what, door.owner == task ? "+" : "-",
              test_ms(task->loop->now));
}

static PT_ASYNC(guest, self)
{
    PT_LOCK(&door);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(1) * (pt_time)self->patience) {
        while (!ready)
            PT_WAIT_CONDITION(&changed, &door);
    }
    told(self, pt_current_, pt_timed_out(&self->limit) ? "late" : "ready");
    PT_WAIT(PT_MS(1) * (pt_time)self->ms);
    PT_FINALLY
    told(self, pt_current_, self->pt.result == PT_OK ? "leaves" : "ends");
    if (PT_HOLDS(&door))
        PT_UNLOCK(&door);
}
PT_END

static PT_TASK(guest) guests[3];

/* Holds the lock from one time to another; CANCELS a task and SAYS something in between. */
struct holder {
    struct pt pt;
    int from, ms;
    struct pt_task *cancels;
    bool says;
};

static PT_ASYNC(holder, self)
{
    PT_WAIT(PT_MS(1) * (pt_time)self->from);
    PT_LOCK(&door);
    ready |= self->says;
    if (self->says)
        pt_condition_notify(&changed);
    PT_WAIT(PT_MS(1) * (pt_time)self->ms);
    if (self->cancels)
        pt_cancel(self->cancels, PT_ECANCELED);
    PT_YIELD();
    trace_add("unlocked@%d ", test_ms(PT_NOW()));
    PT_UNLOCK(&door);
}
PT_END

static PT_TASK(holder) holder;

static void open_doors(void)
{
    ready = false;
    test_zero(guests);
    test_zero(holder);
    test_open(&world);
    pt_lock_init(&door);
    pt_rwlock_init(&guard);
    pt_condition_init(&changed);
}

static void come(int i, int patience, int ms)
{
    ck_assert_int_eq(PT_START(&world.loop, &guests[i], guest, .name = (char)('a' + i),
                              .patience = patience, .ms = ms),
                     PT_OK);
}

static void hold(int from, int ms, struct pt_task *cancels, bool says)
{
    ck_assert_int_eq(PT_START(&world.loop, &holder, holder, .from = from, .ms = ms,
                              .cancels = cancels, .says = says),
                     PT_OK);
}

static void leave_doors(const char *trace)
{
    pt_time now = world.clock.now;

    for (int i = 0; i < 50; i++) { /* enough, and not for ever if a task does not end */
        world.clock.now = now;
        now = pt_loop_turn(&world.loop, now);
    }
    ck_assert_trace(trace);
    test_close(&world);
    ck_assert_ptr_null(door.owner);
    ck_assert_int_eq(pt_wait_queue_count_(&changed.waiters), 0);
    ck_assert_int_eq(pt_wait_queue_count_(&door.waiters), 0);
}

START_TEST(behind_a_timeout_around_a_condition_the_task_holds_the_lock)
{
    open_doors();
    come(0, 2, 1);
    leave_doors("a late+@2 a leaves+@3 ");
}
END_TEST

START_TEST(a_block_that_is_over_ends_when_the_lock_is_free)
{
    open_doors();
    come(0, 2, 0);
    hold(1, 4, NULL, false);
    leave_doors("unlocked@5 a late+@5 a leaves+@5 ");
}
END_TEST

START_TEST(those_that_lock_again_wait_for_the_lock_in_order)
{
    open_doors();
    come(0, 2, 1);
    come(1, 2, 1);
    come(2, 3, 1);
    leave_doors("a late+@2 a leaves+@3 b late+@3 b leaves+@4 c late+@4 c leaves+@5 ");
}
END_TEST

START_TEST(a_notify_that_comes_before_the_deadline_counts)
{
    open_doors();
    come(0, 2, 0);
    hold(1, 4, NULL, true);
    leave_doors("unlocked@5 a ready+@5 a leaves+@5 ");
}
END_TEST

START_TEST(a_notify_after_the_deadline_goes_to_the_next_task)
{
    open_doors();
    come(0, 2, 0);
    come(1, 9, 0);
    hold(1, 4, NULL, false);
    turn(0);
    run_until(3);
    ready = true;
    pt_condition_notify(&changed);
    leave_doors("unlocked@5 a late+@5 a leaves+@5 b ready+@5 b leaves+@5 ");
}
END_TEST

START_TEST(a_canceled_task_holds_the_lock_in_its_cleanup)
{
    open_doors();
    come(0, 9, 0);
    turn(0);
    pt_cancel(&guests[0].task, PT_ECANCELED);
    leave_doors("a ends+@0 ");
}
END_TEST

START_TEST(a_canceled_task_waits_for_its_lock_and_then_ends)
{
    open_doors();
    come(0, 9, 0);
    hold(1, 1, &guests[0].task, false);
    leave_doors("unlocked@2 a ends+@2 ");
}
END_TEST

START_TEST(a_cancel_of_a_task_that_locks_again_does_not_end_that)
{
    open_doors();
    come(0, 2, 0);
    hold(1, 4, &guests[0].task, false); /* after the deadline */
    leave_doors("unlocked@5 a ends+@5 ");
    ck_assert_int_eq(pt_task_status(&guests[0].task), PT_ECANCELED);
}
END_TEST

START_TEST(a_task_that_is_canceled_just_before_it_waits_holds_the_lock_in_its_cleanup)
{
    open_doors();
    come(0, 9, 0);
    pt_cancel(&guests[0].task, PT_ECANCELED); /* the condition is its first wait */
    leave_doors("a ends+@0 ");
}
END_TEST

START_TEST(a_paused_task_locks_again_when_its_time_is_over)
{
#if PT_PAUSE
    open_doors();
    come(0, 2, 0);
    hold(1, 4, NULL, false);
    turn(0);
    pt_pause(&guests[0].task);
    run_until(6);
    ck_assert_trace("unlocked@5 ");
    ck_assert_ptr_eq(door.owner, &guests[0].task);
    pt_resume(&guests[0].task);
    leave_doors("a late+@6 a leaves+@6 ");
#endif
}
END_TEST

/* Waits twice, each time in a block of its own. */
struct twice {
    struct pt pt;
    struct pt_scope limits[2];
    int i;
};

static PT_ASYNC(twice, self)
{
    PT_LOCK(&door);
    for (; self->i < 2; self->i++) {
        PT_WITH_TIMEOUT(&self->limits[self->i], PT_MS(2)) {
            PT_WAIT_CONDITION(&changed, &door);
        }
        trace_add("%d%c@%d ", pt_timed_out(&self->limits[self->i]), PT_HOLDS(&door) ? '+' : '-',
                  test_ms(PT_NOW()));
    }
    PT_UNLOCK(&door);
}
PT_END

START_TEST(behind_such_a_block_the_task_can_open_another_one)
{
    static PT_TASK(twice) twice;

    open_doors();
    test_zero(twice);
    ck_assert_int_eq(PT_START(&world.loop, &twice, twice), PT_OK);
    hold(1, 2, NULL, false);
    leave_doors("unlocked@3 1+@3 1+@5 ");
    ck_assert_int_eq(pt_task_status(&twice.task), PT_OK);
}
END_TEST

/* --- functions that are awaited --- */

struct patient {
    struct pt pt;
    struct pt_scope limit;
    struct guest guest;
};

static PT_ASYNC(patient, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) {
        PT_WAIT_COMPLETE(&self->guest, guest, .name = 'a', .patience = 9);
    }
    trace_add("%d%c@%d ", pt_timed_out(&self->limit), PT_HOLDS(&door) ? '+' : '-',
              test_ms(PT_NOW()));
}
PT_END

START_TEST(an_awaited_function_holds_the_lock_in_its_cleanup)
{
    static PT_TASK(patient) patient;

    open_doors();
    test_zero(patient);
    ck_assert_int_eq(PT_START(&world.loop, &patient, patient), PT_OK);
    hold(1, 2, NULL, false);
    leave_doors("unlocked@3 a ends+@3 1-@3 ");
}
END_TEST

/* --- a group's decision --- */

#if PT_GROUPS
struct family {
    struct pt pt;
    struct pt_group group;
    PT_TASK(holder) child;
};

static PT_ASYNC(family, self)
{
    PT_LOCK(&door);
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        PT_SPAWN_IN(&self->group, &self->child, holder, .ms = 2);
        PT_WAIT_CONDITION(&changed, &door);
    }
    trace_add("decided%c@%d ", PT_HOLDS(&door) ? '+' : '-', test_ms(PT_NOW()));
    PT_UNLOCK(&door);
}
PT_END

START_TEST(behind_a_group_that_has_decided_its_owner_holds_the_lock)
{
    static PT_TASK(family) family;

    open_doors();
    test_zero(family);
    ck_assert_int_eq(PT_START(&world.loop, &family, family), PT_OK);
    leave_doors("unlocked@2 decided+@2 ");
}
END_TEST
#endif

/* --- a reader-writer lock --- */

/* Waits with the lock, as a writer or a reader, for 2 ms at most. */
struct reader {
    struct pt pt;
    struct pt_scope limit;
    char name;
    bool writes;
};

static PT_ASYNC(reader, self)
{
    if (self->writes)
        PT_LOCK_EXCLUSIVE(&guard);
    else
        PT_LOCK_SHARED(&guard);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) {
        PT_WAIT_CONDITION(&changed, &guard);
        ck_assert_int_eq(self->pt.status, PT_OK);
    }
    trace_add("%c%s%u%d@%d ", self->name, pt_timed_out(&self->limit) ? " late " : " ",
              guard.reading, guard.writer == pt_current_, test_ms(PT_NOW()));
    PT_WAIT(PT_MS(1));
    if (self->writes)
        PT_UNLOCK_EXCLUSIVE(&guard);
    else
        ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_OK);
}
PT_END

static PT_TASK(reader) readers[3];

static void open_guard(const char *names)
{
    open_doors();
    test_zero(readers);
    for (int i = 0; names[i]; i++)
        ck_assert_int_eq(
            PT_START(&world.loop, &readers[i], reader, .name = names[i], .writes = names[i] < 'a'),
            PT_OK);
    turn(0);
    ck_assert_int_eq(pt_wait_queue_count_(&changed.waiters), (int)strlen(names));
    ck_assert_ptr_null(guard.writer);
    ck_assert_uint_eq(guard.reading, 0);
}

static void leave_guard(const char *trace)
{
    leave_doors(trace);
    ck_assert_ptr_null(guard.writer);
    ck_assert_uint_eq(guard.reading, 0);
    ck_assert_ptr_null(guard.readers.first);
    ck_assert_int_eq(pt_wait_queue_count_(&guard.writers), 0);
}

START_TEST(a_condition_releases_a_rwlock_and_locks_it_again_as_before)
{
    open_guard("abC");
    pt_condition_notify_all(&changed);
    leave_guard("a 20@0 b 20@0 C 01@1 ");
    open_guard("ABc");
    pt_condition_notify_all(&changed);
    leave_guard("A 01@0 c 10@1 B 01@2 ");
}
END_TEST

START_TEST(a_timeout_locks_a_rwlock_again_as_before)
{
    open_guard("abC");
    leave_guard("a late 20@2 b late 20@2 C late 01@3 ");
    open_guard("ABc");
    leave_guard("A late 01@2 c late 10@3 B late 01@4 ");
}
END_TEST

START_TEST(a_task_that_locks_a_rwlock_again_is_not_canceled_meanwhile)
{
    open_guard("aB");
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, &holder.task), PT_OK);
    turn(2);
    for (int i = 0; i < 2; i++)
        pt_cancel(&readers[i].task, PT_ECANCELED);
    turn(3);
    ck_assert_int_eq(wait_list_count(&guard.readers), 1);
    ck_assert_int_eq(pt_wait_queue_count_(&guard.writers), 1);
    ck_assert_int_eq(pt_rwlock_release_exclusive(&guard, &holder.task), PT_OK);
    turn(3);
    ck_assert_int_eq(pt_task_status(&readers[0].task), PT_ECANCELED);
    ck_assert_uint_eq(guard.reading, 1); /* it has no cleanup */
    ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_OK);
    turn(3);
    ck_assert_int_eq(pt_task_status(&readers[1].task), PT_ECANCELED);
    ck_assert_ptr_eq(guard.writer, &readers[1].task);
    ck_assert_int_eq(pt_rwlock_release_exclusive(&guard, &readers[1].task), PT_OK);
    leave_guard("");
}
END_TEST

#if !PT_DEBUG /* with PT_DEBUG it panics: test_panic.c */
struct stranger {
    struct pt pt;
};

static PT_ASYNC(stranger, self)
{
    PT_WAIT_CONDITION(&changed, &guard);
    trace_add("%d ", self->pt.status);
}
PT_END

START_TEST(a_condition_requires_a_rwlock_that_somebody_holds)
{
    static PT_TASK(stranger) stranger;

    open_doors();
    test_zero(stranger);
    ck_assert_int_eq(PT_START(&world.loop, &stranger, stranger), PT_OK);
    leave_guard("-10 ");
}
END_TEST
#endif

Suite *suite_condition_ends(void)
{
    Suite *suite = test_suite("condition_ends");

    test_add(suite, behind_a_timeout_around_a_condition_the_task_holds_the_lock);
    test_add(suite, a_block_that_is_over_ends_when_the_lock_is_free);
    test_add(suite, those_that_lock_again_wait_for_the_lock_in_order);
    test_add(suite, a_notify_that_comes_before_the_deadline_counts);
    test_add(suite, a_notify_after_the_deadline_goes_to_the_next_task);
    test_add(suite, a_canceled_task_holds_the_lock_in_its_cleanup);
    test_add(suite, a_canceled_task_waits_for_its_lock_and_then_ends);
    test_add(suite, a_cancel_of_a_task_that_locks_again_does_not_end_that);
    test_add(suite, a_task_that_is_canceled_just_before_it_waits_holds_the_lock_in_its_cleanup);
    test_add(suite, a_paused_task_locks_again_when_its_time_is_over);
    test_add(suite, behind_such_a_block_the_task_can_open_another_one);
    test_add(suite, an_awaited_function_holds_the_lock_in_its_cleanup);
#if PT_GROUPS
    test_add(suite, behind_a_group_that_has_decided_its_owner_holds_the_lock);
#endif
    test_add(suite, a_condition_releases_a_rwlock_and_locks_it_again_as_before);
    test_add(suite, a_timeout_locks_a_rwlock_again_as_before);
    test_add(suite, a_task_that_locks_a_rwlock_again_is_not_canceled_meanwhile);
#if !PT_DEBUG
    test_add(suite, a_condition_requires_a_rwlock_that_somebody_holds);
#endif
    return suite;
}
#else

Suite *suite_condition_ends(void)
{
    return test_suite("condition_ends");
}

#endif
