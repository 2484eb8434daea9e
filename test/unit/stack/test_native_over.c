/* test_native_over.c - what operations of native tasks do in a block that is over, or a task that is canceled
 * SPDX-License-Identifier: MIT */
/* with the room remote: others of its own have some of its names */
#include "test_native.h"

#if TEST_NATIVE && PT_REMOTE

static PT_QUEUE(int, 2) queue;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static struct pt_mail letter;
static struct pt_event event;
static struct pt_lock lock;
static struct pt_semaphore semaphore;
static struct pt_flags flags;
static struct pt_barrier barrier;
static struct pt_rwlock guard;

/* --- functions that are awaited ---------------------------------------------------------------- */

/* Takes a number, which need not be there yet; and the same through another function. */
struct taker {
    struct pt pt;
    int number;
};

static PT_ASYNC(taker, self)
{
    PT_POP(&queue, &self->number);
}
PT_END

struct through {
    struct pt pt;
    struct taker taker;
    bool ended;
};

static PT_ASYNC(through, self)
{
    PT_WAIT_COMPLETE(&self->taker, taker);
    PT_FINALLY
    self->ended = true;
}
PT_END

struct fails {
    struct pt pt;
};

static PT_ASYNC(fails, self)
{
    PT_RETURN(PT_ENOMEM);
}
PT_END

static pt_status take_natively(struct pt_native *self)
{
    return pt_native_pop(self, &queue, (int *)self->argument);
}

/* --- the operations ---------------------------------------------------------------------------- */

/* Each does one operation, and says by *DONE whether it has had its effect. READY: it need not wait. */
typedef pt_status operation(struct pt_native *self, bool ready, bool *done);

static void fill(bool ready)
{
    const int seven = 7;

    if (ready)
        ck_assert_int_eq(PT_TRY_PUSH(&queue, &seven), PT_OK);
}

static bool empty(void)
{
    int number;

    return PT_TRY_POP(&queue, &number) != PT_OK;
}

static pt_status call(struct pt_native *self, bool ready, bool *done)
{
    struct taker frame;
    pt_status status;

    fill(ready);
    frame.number = 0;
    status = pt_native_call(self, &frame, taker);
    *done = frame.number == 7;
    return status;
}

static pt_status call_through(struct pt_native *self, bool ready, bool *done)
{
    struct through frame;
    pt_status status;

    fill(ready);
    frame.taker.number = 0;
    frame.ended = false;
    status = pt_native_call(self, &frame, through);
    ck_assert(frame.ended);
    *done = frame.taker.number == 7;
    return status;
}

static pt_status call_native(struct pt_native *self, bool ready, bool *done)
{
    int number = 0;
    pt_status status;

    fill(ready);
    status = pt_native_call(self, &natives[1].frame, ON(1, take_natively), .argument = &number);
    *done = number == 7;
    return status;
}

static pt_status pop(struct pt_native *self, bool ready, bool *done)
{
    int number = 0;
    pt_status status;

    fill(ready);
    status = pt_native_pop(self, &queue, &number);
    *done = number == 7;
    return status;
}

static pt_status push(struct pt_native *self, bool ready, bool *done)
{
    static const int eight = 8;
    int number = 0;
    pt_status status;

    fill(true);
    if (!ready)
        fill(true);
    status = pt_native_push(self, &queue, &eight);
    while (PT_TRY_POP(&queue, &number) == PT_OK)
        *done = number == 8;
    return status;
}

static pt_status get(struct pt_native *self, bool ready, bool *done)
{
    const int seven = 7;
    int number = 0;
    pt_status status;

    if (ready)
        ck_assert(PT_RING_PUT(&ring, &seven) == PT_OK);
    status = pt_native_get(self, &ring, &number);
    *done = number == 7;
    return status;
}

static pt_status recv_mail(struct pt_native *self, bool ready, bool *done)
{
    struct pt_mail *mail = NULL;
    pt_status status;

    if (ready)
        ck_assert_int_eq(pt_mailbox_post(&mailbox, &letter), PT_OK);
    status = pt_native_recv_mail(self, &mailbox, &mail);
    *done = mail == &letter;
    return status;
}

static pt_status wait_event(struct pt_native *self, bool ready, bool *done)
{
    pt_event_init(&event);
    if (ready)
        pt_event_set(&event);
    *done = ready;
    return pt_native_wait_event(self, &event);
}

static pt_status acquire(struct pt_native *self, bool ready, bool *done)
{
    pt_status status;

    pt_semaphore_init(&semaphore, ready, 1);
    status = pt_native_acquire(self, &semaphore);
    *done = ready && pt_semaphore_try(&semaphore) != PT_OK;
    return status;
}

static pt_status take_lock(struct pt_native *self, bool ready, bool *done)
{
    pt_status status;

    pt_lock_init(&lock);
    if (!ready)
        ck_assert_int_eq(pt_lock_try(&lock, &natives[2].task), PT_OK);
    status = pt_native_lock(self, &lock);
    *done = pt_native_holds(self, &lock);
    return status;
}

static pt_status lock_exclusive(struct pt_native *self, bool ready, bool *done)
{
    pt_status status;

    pt_rwlock_init(&guard);
    if (!ready)
        ck_assert_int_eq(pt_rwlock_try_shared(&guard, &natives[2].task), PT_OK);
    status = pt_native_lock_exclusive(self, &guard);
    *done = pt_rwlock_try_shared(&guard, &natives[2].task) != PT_OK;
    return status;
}

static pt_status wait_flags(struct pt_native *self, bool ready, bool *done)
{
    struct pt_flags_wanted wanted;

    pt_flags_init(&flags);
    if (ready)
        pt_flags_set(&flags, 2);
    wanted.found = 0;
    *done = ready;
    return pt_native_wait_flags(self, &flags, &wanted, 2, PT_FLAGS_ALL);
}

static pt_status wait_barrier(struct pt_native *self, bool ready, bool *done)
{
    pt_barrier_init(&barrier, ready ? 1 : 2);
    *done = ready;
    return pt_native_wait_barrier(self, &barrier);
}

static pt_status join(struct pt_native *self, bool ready, bool *done)
{
    *done = ready;
    return pt_native_join(self, ready ? &natives[3].task : &natives[2].task);
}

static pt_status choose(struct pt_native *self, bool ready, bool *done)
{
    PT_SELECTION(2) choice;
    int number = 0;

    fill(ready);
    pt_event_init(&event);
    pt_select_init(&choice);
    pt_native_select(self, &choice, PT_CASE_EVENT(&event), PT_CASE_POP(&queue, &number));
    *done = number == 7;
    ck_assert_int_eq(PT_SELECTED(&choice), ready ? 1 : PT_SELECT_NONE);
    return self->pt.status;
}

static operation *const operations[] = {
    call,    call_through, call_native, pop,          push, get,    recv_mail,      wait_event,
    acquire, take_lock,    wait_flags,  wait_barrier, join, choose, lock_exclusive,
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* In a body in which every operation that waits returns CODE. */
static void do_all(struct pt_native *self, pt_status code)
{
    struct fails fails_frame;

    for (int i = 0; i < 2 * OPERATIONS; i++) {
        bool ready = i % 2, done = false;
        pt_status status = operations[i / 2](self, ready, &done);

        ck_assert_msg(status == (ready ? (pt_status)PT_OK : code) && done == ready,
                      "operation %d, ready %d: %s, done %d", i / 2, ready, pt_status_name(status),
                      done);
        ck_assert(empty());
    }
    ck_assert_int_eq(pt_native_call(self, &fails_frame, fails), PT_ENOMEM);
    pt_cancel(&natives[2].task, PT_ECANCELED);
    trace_add("%s ", pt_status_name(code));
}

/* --- what ends them ---------------------------------------------------------------------------- */

static pt_status for_ever(struct pt_native *self)
{
    return pt_native_park(self);
}

static pt_status nothing(struct pt_native *self)
{
    (void)self;
    return PT_OK;
}

static void open_over(void)
{
    open_natives();
    PT_QUEUE_INIT(&queue);
    PT_RING_OPEN(&ring, &world.loop);
    pt_mailbox_open(&mailbox, &world.loop);
    start(2, for_ever);
    start(3, nothing);
}

static void run_over(pt_native_function *body, const char *expected)
{
    open_over();
    start(0, body);
    run_world(expected);
    pt_ring_close(&ring.ring);
    pt_mailbox_close(&mailbox);
}

static pt_status time_out(struct pt_native *self)
{
    struct pt_scope limit;

    ck_assert_int_eq(pt_native_timeout(self, &limit, PT_MS(1)), PT_OK);
    ck_assert_int_eq(pt_native_park(self), PT_ETIMEDOUT);
    do_all(self, PT_ETIMEDOUT);
    ck_assert(pt_native_timeout_end(self, &limit));
    return pt_native_wait(self, PT_MS(1));
}

START_TEST(in_a_native_block_whose_time_is_over_an_operation_that_need_not_wait_returns_its_code)
{
    run_over(time_out, "PT_ETIMEDOUT ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
}
END_TEST

static pt_status be_decided(struct pt_native *self)
{
    struct pt_group group;

    ck_assert_int_eq(pt_native_group(self, &group, PT_GROUP_FIRST), PT_OK);
    ck_assert_int_eq(pt_native_spawn_in(self, &group, &natives[4], ON(4, nothing)), PT_OK);
    ck_assert_int_eq(pt_native_park(self), PT_ECANCELED);
    do_all(self, PT_ECANCELED);
    ck_assert_int_eq(pt_native_group_end(self, &group), PT_OK);
    return pt_native_wait(self, PT_MS(1));
}

START_TEST(in_a_native_group_that_has_decided_an_operation_that_need_not_wait_returns_its_code)
{
    run_over(be_decided, "PT_ECANCELED ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
}
END_TEST

static pt_status be_canceled(struct pt_native *self)
{
    pt_cancel(self->task, -100);
    do_all(self, -100);
    return pt_native_park(self);
}

START_TEST(in_a_canceled_native_task_an_operation_that_need_not_wait_returns_its_code)
{
    run_over(be_canceled, "PT_STATUS_UNKNOWN ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), -100);
}
END_TEST

Suite *suite_native_over(void)
{
    Suite *suite = test_suite("native_over");

    test_add(suite,
             in_a_native_block_whose_time_is_over_an_operation_that_need_not_wait_returns_its_code);
    test_add(suite,
             in_a_native_group_that_has_decided_an_operation_that_need_not_wait_returns_its_code);
    test_add(suite, in_a_canceled_native_task_an_operation_that_need_not_wait_returns_its_code);
    return suite;
}

#else

Suite *suite_native_over(void)
{
    return test_suite("native_over");
}

#endif
