/* test_interrupted.c - what a cancel and a timeout do to a wait, at each point, for each primitive
 * SPDX-License-Identifier: MIT
 *
 * Two users, A and B, wait for the same object. A is interrupted at one of four points: before
 * its wait; in the queue; in the turn in which its wait would complete; after its wait completed
 * but before it runs. Each time B gets its share, no task is left in a queue, and nothing is
 * lost or duplicated. */
/* with the room base: others of its own have some of its names */
#include "test_primitives.h"

#if PT_PORT

#if PT_SYNC && PT_CANCEL && PT_TIMEOUTS

/* The table of primitives. KEEPS: A keeps what it was given before a cancel; otherwise the
 * cancel comes first. LONE: each gift is for one user; otherwise for all that wait. */
/* clang-format off */
/*    name                object     in a select  keeps  lone */
#define WITH_SYNC(X)                                           \
    X(event,              EVENT,     false,       false, false) \
    X(semaphore,          SEMAPHORE, false,       true,  true)  \
    X(lock,               LOCK,      false,       true,  true)  \
    X(latest,             LATEST,    false,       false, false) \
    X(broadcast,          BROADCAST, false,       false, false) \
    X(held,               HELD,      false,       true,  true)
#define WITH_CHANNELS(X)                                       \
    X(condition,          CONDITION, false,       true,  true)  \
    X(send,               SEND,      false,       true,  true)  \
    X(receive,            RECEIVE,   false,       true,  true)  \
    X(push,               PUSH,      false,       true,  true)  \
    X(pop,                POP,       false,       true,  true)  \
    X(flags,              FLAGS,     false,       true,  false) \
    X(barrier,            BARRIER,   false,       true,  false) \
    X(shared,             SHARED,    false,       true,  false) \
    X(exclusive,          EXCLUSIVE, false,       true,  true)
#define WITH_SELECTS(X)                                        \
    X(select_event,       EVENT,     true,        false, false) \
    X(select_semaphore,   SEMAPHORE, true,        true,  true)  \
    X(select_lock,        LOCK,      true,        true,  true)  \
    X(select_send,        SEND,      true,        true,  true)  \
    X(select_receive,     RECEIVE,   true,        true,  true)  \
    X(select_push,        PUSH,      true,        true,  true)  \
    X(select_pop,         POP,       true,        true,  true)  \
    X(select_flags,       FLAGS,     true,        true,  false) \
    X(select_latest,      LATEST,    true,        false, false) \
    X(select_broadcast,   BROADCAST, true,        false, false)
#define WITH_REMOTE(X)                                         \
    X(ring,               RING,      false,       true,  true)  \
    X(mailbox,            MAILBOX,   false,       true,  true)
#define WITH_BOTH(X)                                           \
    X(select_ring,        RING,      true,        true,  true)  \
    X(select_mailbox,     MAILBOX,   true,        true,  true)
/* clang-format on */

#if !PT_CHANNELS
#undef WITH_CHANNELS
#define WITH_CHANNELS(X)
#endif
#if !PT_SELECTS
#undef WITH_SELECTS
#define WITH_SELECTS(X)
#endif
#if !PT_CHANNELS || !PT_REMOTE
#undef WITH_REMOTE
#define WITH_REMOTE(X)
#endif
#if !PT_CHANNELS || !PT_REMOTE || !PT_SELECTS
#undef WITH_BOTH
#define WITH_BOTH(X)
#endif
#define PRIMITIVES(X) WITH_SYNC(X) WITH_CHANNELS(X) WITH_SELECTS(X) WITH_REMOTE(X) WITH_BOTH(X)

/* A row of the table. */
struct scenario {
    enum object object;
    bool select, keeps, lone;
};

/* Gives at the time of A's timeout. If `cancels`, it cancels A just before. */
struct giver {
    struct pt pt;
    enum object object;
    bool cancels;
};

static PT_ASYNC(giver, self)
{
    PT_WAIT(PT_MS(5));
    if (self->cancels)
        pt_cancel(&a.task, PT_ECANCELED);
    give(self->object);
}
PT_END

static PT_TASK(giver) giver;

static void start_user(user_task *user, int name, const struct scenario *it, bool timeout,
                       enum when when)
{
    pt_time delay = when == HASTY ? 0 : PT_MS(5);

    ck_assert_int_eq(PT_START(&world.loop, user, user, .name = name, .object = it->object,
                              .select = it->select, .when = when,
                              .delay = timeout ? delay : PT_DELAY_NEVER),
                     PT_OK);
}

static void start_both(const struct scenario *it, bool timeout)
{
    start_user(&a, 'A', it, timeout, AT_ONCE);
    start_user(&b, 'B', it, false, AT_ONCE);
    turn(0);
    ck_assert_int_eq(waiting(it->object), 2);
}

/* Cancel A, or let its timeout come. */
static void interrupt(bool cancel)
{
    if (cancel)
        pt_cancel(&a.task, PT_ECANCELED);
    turn(5);
}

/* The user is done and got its share if GOT. If it gave a value, that was taken if GOT. */
static void check_user(const user_task *user, bool got)
{
    ck_assert_int_eq(user->frame.got, got);
    ck_assert(pt_task_done(&user->task));
#if PT_CHANNELS
    if (user->frame.object == SEND || user->frame.object == PUSH)
        ck_assert_int_eq(taken[user->frame.name], got);
#endif
}

static void open_row(const struct scenario *it)
{
    test_zero(giver);
    open_all(it->object);
}

/* Check that B has its share, no task waits, and nothing is left over. */
static void close_row(const struct scenario *it, bool got)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    if (it->object == PUSH)
        give(PUSH);
    check_user(&a, got);
    check_user(&b, true);
    ck_assert_int_eq(waiting(it->object), 0);
    ck_assert_ptr_null(never.waiters.first);
    ck_assert_ptr_null(lock.owner);
    ck_assert_uint_eq(semaphore.count, 0);
    if (it->object == RECEIVE || it->object == POP || it->object == RING || it->object == MAILBOX)
        ck_assert_int_eq(came, made);
#if PT_CHANNELS
    ck_assert_ptr_eq(guard.writer,
                     it->object == SHARED || it->object == EXCLUSIVE ? NULL : &keeper.task);
    ck_assert_uint_eq(guard.reading, 0);
#endif
    test_close(&world);
}

/* Point 1: A is interrupted before its wait, long before or in the same step. */
static void before_the_wait(const struct scenario *it, bool timeout)
{
    for (int hasty = 0; hasty < 2; hasty++) {
        open_row(it);
        start_user(&a, 'A', it, timeout, hasty ? HASTY : LATER);
        turn(0);
        interrupt(!timeout && !hasty);
        turn(6);
        ck_assert(pt_task_done(&a.task));
        ck_assert_int_eq(waiting(it->object), 0);
        start_user(&b, 'B', it, false, AT_ONCE);
        turn(6);
        ck_assert_int_eq(waiting(it->object), 1);
        give(it->object);
        turn(7);
        ck_assert(b.frame.got);
        close_row(it, false);
    }
}

#if PT_INSPECT
/* What pt_task_doing reports of a task that waits for the object. */
static const char *doing(const struct scenario *it)
{
    static const char *const reasons[] = {
        "waits for an event",       "waits for a semaphore",   "waits for a lock",
        "waits for a broadcast",    "waits for a broadcast",   "waits for a condition",
        "sends to a channel",       "receives from a channel", "pushes to a full queue",
        "pops from an empty queue", "waits for flags",         "waits at a barrier",
        "waits for a lock to read", "waits for a lock",        "pops from an empty queue",
        "receives from a channel",  "waits for a lock",
    };

    return it->select ? "selects" : reasons[it->object];
}
#endif

/* Point 2: A is interrupted while it waits ahead of B. */
static void while_it_waits(const struct scenario *it, bool timeout)
{
    open_row(it);
    start_both(it, timeout);
#if PT_INSPECT
    ck_assert_str_eq(pt_task_doing(&b.task), doing(it));
#endif
    interrupt(!timeout);
    turn(6);
    ck_assert(pt_task_done(&a.task));
    ck_assert_int_eq(waiting(it->object), 1);
    give(it->object);
    turn(7);
    ck_assert(b.frame.got);
    close_row(it, false);
}

/* Point 3: the interruption and the gift come in one turn, the interruption first. */
static void in_the_turn_of_the_gift(const struct scenario *it, bool timeout)
{
    open_row(it);
    ck_assert_int_eq(
        PT_START(&world.loop, &giver, giver, .object = it->object, .cancels = !timeout), PT_OK);
    start_both(it, timeout);
    turn(5);
    turn(6);
    if (it->object == CONDITION)
        turn(6); /* A holds the lock again, and gives it back in its cleanup */
    ck_assert(b.frame.got);
    close_row(it, false);
}

/* Point 4: A's wait is complete, and A is interrupted before it runs. */
static void behind_the_gift(const struct scenario *it, bool timeout)
{
    bool got = it->keeps || timeout;

    open_row(it);
    start_both(it, timeout);
    give(it->object);
    ck_assert_int_eq(waiting(it->object), it->lone ? 1 : 0);
    interrupt(!timeout);
    ck_assert_int_eq(a.frame.got, got);
    turn(6);
    ck_assert(pt_task_done(&a.task)); /* the interruption ended its next wait */
    if (it->lone)
        give(it->object);
    turn(7);
    ck_assert(b.frame.got);
    close_row(it, got);
}

#define TESTS(name, object, select, keeps, lone)                               \
    static const struct scenario name##_row = {object, select, keeps, lone};   \
    START_TEST(name##_is_unaffected_by_an_interruption_before_the_wait)        \
    {                                                                          \
        before_the_wait(&name##_row, false);                                   \
        before_the_wait(&name##_row, true);                                    \
    }                                                                          \
    END_TEST                                                                   \
    START_TEST(name##_drops_a_waiter_that_is_interrupted)                      \
    {                                                                          \
        while_it_waits(&name##_row, false);                                    \
        while_it_waits(&name##_row, true);                                     \
    }                                                                          \
    END_TEST                                                                   \
    START_TEST(name##_goes_to_the_next_waiter_if_the_interruption_comes_first) \
    {                                                                          \
        in_the_turn_of_the_gift(&name##_row, false);                           \
        in_the_turn_of_the_gift(&name##_row, true);                            \
    }                                                                          \
    END_TEST                                                                   \
    START_TEST(name##_is_not_lost_if_the_interruption_comes_after_it)          \
    {                                                                          \
        behind_the_gift(&name##_row, false);                                   \
        behind_the_gift(&name##_row, true);                                    \
    }                                                                          \
    END_TEST

PRIMITIVES(TESTS)

#endif

Suite *suite_interrupted(void)
{
    Suite *suite = test_suite("interrupted");

#if PT_SYNC && PT_CANCEL && PT_TIMEOUTS
#define ADD(name, object, select, keeps, lone)                                       \
    test_add(suite, name##_is_unaffected_by_an_interruption_before_the_wait);        \
    test_add(suite, name##_drops_a_waiter_that_is_interrupted);                      \
    test_add(suite, name##_goes_to_the_next_waiter_if_the_interruption_comes_first); \
    test_add(suite, name##_is_not_lost_if_the_interruption_comes_after_it);
    PRIMITIVES(ADD)
#endif
    return suite;
}
#else

Suite *suite_interrupted(void)
{
    return test_suite("interrupted");
}

#endif
