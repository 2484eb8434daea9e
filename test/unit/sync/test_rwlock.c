/* test_rwlock.c - tasks read together and write alone; neither side starves the other
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS

static struct pt_rwlock guard;

/* Starts at a time, then reads or writes for a while, a number of times. */
struct user {
    struct pt pt;
    char name;
    bool writes;
    int from, ms, times;
};

static PT_ASYNC(user, self)
{
    PT_WAIT_DEADLINE(test_at(self->from));
    for (; self->times; self->times--) {
        if (self->writes)
            PT_LOCK_EXCLUSIVE(&guard);
        else
            PT_LOCK_SHARED(&guard);
        trace_add("%c+%d(%u)@%d ", self->name, self->pt.status, guard.reading, test_ms(PT_NOW()));
        ck_assert(self->writes ? guard.writer == pt_current_ && !guard.reading
                               : !guard.writer && guard.reading);
        PT_WAIT((pt_time)self->ms * PT_MS(1));
        trace_add("%c-@%d ", self->name, test_ms(PT_NOW()));
        if (self->writes)
            PT_UNLOCK_EXCLUSIVE(&guard);
        else
            ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_OK);
    }
}
PT_END

static PT_TASK(user) users[5];

static void open_users(void)
{
    test_zero(users);
    test_open(&world);
    pt_rwlock_init(&guard);
}

static void use(int i, bool writes, int from, int ms, int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &users[i], user,
                              .name = (char)((writes ? 'A' : 'a') + i), .writes = writes,
                              .from = from, .ms = ms, .times = times),
                     PT_OK);
}

static void close_users(const char *trace)
{
    run_world(trace);
    ck_assert_ptr_null(guard.writer);
    ck_assert_uint_eq(guard.reading, 0);
    ck_assert_ptr_null(guard.readers.first);
    ck_assert_int_eq(pt_wait_queue_count_(&guard.writers), 0);
}

START_TEST(readers_read_together)
{
    open_users();
    use(0, false, 0, 3, 1);
    use(1, false, 1, 3, 1);
    use(2, false, 2, 3, 1);
    close_users("a+0(1)@0 b+0(2)@1 c+0(3)@2 a-@3 b-@4 c-@5 ");
}
END_TEST

START_TEST(writers_write_alone_in_the_order_in_which_they_came)
{
    open_users();
    use(0, true, 0, 2, 1);
    use(1, true, 0, 2, 1);
    use(2, true, 1, 2, 1);
    close_users("A+0(0)@0 A-@2 B+0(0)@2 B-@4 C+0(0)@4 C-@6 ");
}
END_TEST

START_TEST(a_reader_does_not_overtake_a_writer_that_waits)
{
    open_users();
    use(0, false, 0, 4, 1);
    use(1, true, 1, 2, 1);
    use(2, false, 2, 1, 1);
    close_users("a+0(1)@0 a-@4 B+0(0)@4 B-@6 c+0(1)@6 c-@7 ");
}
END_TEST

START_TEST(after_a_writer_all_waiting_readers_read_before_the_next_writer)
{
    open_users();
    use(0, true, 0, 2, 1);
    use(1, true, 0, 2, 1);
    use(2, false, 1, 2, 1);
    use(3, false, 1, 3, 1);
    close_users("A+0(0)@0 A-@2 c+0(2)@2 d+0(2)@2 c-@4 d-@5 B+0(0)@5 B-@7 ");
}
END_TEST

START_TEST(neither_readers_nor_writers_starve)
{
    open_users();
    use(0, false, 0, 2, 3);
    use(1, false, 1, 2, 3);
    use(2, true, 1, 1, 2);
    close_users("a+0(1)@0 b+0(2)@1 a-@2 b-@3 C+0(0)@3 C-@4 a+0(2)@4 b+0(2)@4 a-@6 b-@6 C+0(0)@6 "
                "C-@7 a+0(2)@7 b+0(2)@7 a-@9 b-@9 ");
}
END_TEST

#if PT_CANCEL
START_TEST(readers_continue_when_the_writers_ahead_of_them_leave)
{
    open_users();
    use(0, false, 0, 9, 1);
    use(1, true, 0, 1, 1);
    use(2, true, 0, 1, 1);
    use(3, false, 0, 1, 1);
    use(4, false, 0, 1, 1);
    turn(0);
    turn(0);
    ck_assert_trace("a+0(1)@0 ");
    pt_cancel(&users[1].task, PT_ECANCELED);
    turn(1);
    turn(1);
    ck_assert_trace(""); /* another writer waits */
    pt_cancel(&users[2].task, PT_ECANCELED);
    ck_assert_uint_eq(guard.reading, 3);
    turn(2);
    close_users("d+0(3)@2 e+0(3)@2 d-@3 e-@3 a-@9 ");
}
END_TEST

START_TEST(readers_wait_for_the_active_writer_when_another_writer_leaves)
{
    open_users();
    use(0, true, 0, 5, 1);
    use(1, true, 0, 1, 1);
    use(2, false, 0, 1, 1);
    turn(0);
    turn(0);
    pt_cancel(&users[1].task, PT_ECANCELED);
    turn(1);
    close_users("A+0(0)@0 A-@5 c+0(1)@5 c-@6 ");
}
END_TEST
#endif

START_TEST(a_read_write_lock_can_be_tried_without_waiting)
{
    open_users();
    ck_assert_int_eq(pt_rwlock_try_shared(&guard, &users[0].task), PT_OK);
    ck_assert_int_eq(pt_rwlock_try_shared(&guard, &users[1].task), PT_OK);
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, &users[2].task), PT_EAGAIN);
    ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_OK);
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, &users[2].task), PT_EAGAIN);
    ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_OK);
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, &users[2].task), PT_OK);
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, &users[2].task), PT_EDEADLK);
    ck_assert_int_eq(pt_rwlock_try_shared(&guard, &users[2].task), PT_EDEADLK);
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, &users[1].task), PT_EAGAIN);
    ck_assert_int_eq(pt_rwlock_try_shared(&guard, &users[1].task), PT_EAGAIN);
    use(3, true, 0, 0, 1);
    turn(0);
    turn(0);
    ck_assert_int_eq(pt_rwlock_release_exclusive(&guard, &users[2].task), PT_OK);
    ck_assert_int_eq(pt_rwlock_try_shared(&guard, &users[1].task), PT_EAGAIN);
    close_users("D+0(0)@0 D-@0 ");
}
END_TEST

#if !PT_DEBUG /* with PT_DEBUG it panics: test_panic.c */
START_TEST(a_task_cannot_release_a_read_write_lock_that_it_does_not_hold)
{
    open_users();
    ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_EPERM);
    ck_assert_int_eq(pt_rwlock_release_exclusive(&guard, &users[0].task), PT_EPERM);
    pt_rwlock_try_exclusive(&guard, &users[1].task);
    ck_assert_int_eq(pt_rwlock_release_exclusive(&guard, &users[0].task), PT_EPERM);
    ck_assert_ptr_eq(guard.writer, &users[1].task);
    test_close(&world);
}
END_TEST

START_TEST(no_task_writes_or_lets_a_writer_in_while_others_read)
{
    open_users();
    ck_assert_int_eq(pt_rwlock_try_exclusive(&guard, NULL), PT_EPERM);
    ck_assert_int_eq(pt_rwlock_try_shared(&guard, &users[2].task), PT_OK);
    use(0, true, 0, 0, 1);
    turn(0);
    turn(0);
    ck_assert_int_eq(pt_rwlock_release_exclusive(&guard, NULL), PT_EPERM);
    ck_assert_ptr_eq(guard.writer, NULL);
    ck_assert_int_eq(pt_rwlock_release_shared(&guard), PT_OK);
    close_users("A+0(0)@0 A-@0 ");
}
END_TEST
#endif

#endif

Suite *suite_rwlock(void)
{
    Suite *suite = test_suite("rwlock");

#if PT_CHANNELS
    test_add(suite, readers_read_together);
    test_add(suite, writers_write_alone_in_the_order_in_which_they_came);
    test_add(suite, a_reader_does_not_overtake_a_writer_that_waits);
    test_add(suite, after_a_writer_all_waiting_readers_read_before_the_next_writer);
    test_add(suite, neither_readers_nor_writers_starve);
#if PT_CANCEL
    test_add(suite, readers_continue_when_the_writers_ahead_of_them_leave);
    test_add(suite, readers_wait_for_the_active_writer_when_another_writer_leaves);
#endif
    test_add(suite, a_read_write_lock_can_be_tried_without_waiting);
#if !PT_DEBUG
    test_add(suite, a_task_cannot_release_a_read_write_lock_that_it_does_not_hold);
    test_add(suite, no_task_writes_or_lets_a_writer_in_while_others_read);
#endif
#endif
    return suite;
}
#else

Suite *suite_rwlock(void)
{
    return test_suite("rwlock");
}

#endif
