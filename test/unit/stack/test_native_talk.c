/* test_native_talk.c - native and stackless tasks talk to each other, by each primitive
 * SPDX-License-Identifier: MIT */
/* alone: others of its room have some of its names */
#include "test_native.h"

#if TEST_NATIVE

static PT_CHANNEL(int) numbers;
static PT_QUEUE(int, 2) queue;
static struct pt_event event;
static struct pt_lock lock;
static struct pt_semaphore semaphore;
static struct pt_condition condition;
static struct pt_flags flags;
static struct pt_barrier barrier;
static struct pt_rwlock guard;
static PT_LATEST(int) latest;
static PT_BROADCAST(int, 2) broadcast;

static void open_talk(void)
{
    open_natives();
    pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
    PT_QUEUE_INIT(&queue);
    pt_event_init(&event);
    pt_lock_init(&lock);
    pt_semaphore_init(&semaphore, 1, 1);
    pt_condition_init(&condition);
    pt_flags_init(&flags);
    pt_barrier_init(&barrier, 3);
    pt_rwlock_init(&guard);
    memset(&latest, 0, sizeof latest);
    memset(&broadcast, 0, sizeof broadcast);
}

/* Trace the code of an operation and the time. */
static void told(const struct pt_native *self, const char *what, pt_status status)
{
    trace_add("%s", what);
    if (status != PT_OK)
        trace_add(" %s", pt_status_name(status));
    trace_add("@%d ", now_of(self));
}

/* --- channels --- */

struct listener {
    struct pt pt;
    int number;
};

static PT_ASYNC(listener, self)
{
    PT_RECV_EACH(&numbers, &self->number)
        trace_add("got %d (%d) ", self->number, pt_channel_balance(&numbers.channel));
    trace_add("closed ");
}
PT_END

static const int one = 1;

static pt_status speak(struct pt_native *self)
{
    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(pt_native_send(self, &numbers, &i), PT_OK);
        trace_add("sent %d (%d) ", i, pt_channel_balance(&numbers.channel));
        if (i == 2)
            ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    }
    pt_channel_close(&numbers.channel);
    return PT_OK;
}

static pt_status speak_late(struct pt_native *self)
{
    pt_native_wait(self, PT_MS(9));
    return pt_native_send(self, &numbers, &one);
}

START_TEST(a_native_task_sends_to_a_stackless_task)
{
    static PT_TASK(listener) listener;

    test_zero(listener);
    open_talk();
    start(0, speak);
    start(1, speak_late);
    PT_START(&world.loop, &listener, listener);
    run_world("got 1 (0) sent 1 (-1) got 2 (0) sent 2 (-1) got 3 (0) sent 3 (-1) closed ");
    ck_assert_int_eq(pt_task_status(&natives[1].task), PT_ECLOSED);
}
END_TEST

struct speaker {
    struct pt pt;
    int number;
};

static PT_ASYNC(speaker, self)
{
    for (; self->number < 13; self->number++) {
        PT_SEND(&numbers, &self->number);
        trace_add("sent %d ", self->number);
    }
    pt_channel_close(&numbers.channel);
}
PT_END

static pt_status listen(struct pt_native *self)
{
    int number = 0;

    while (pt_native_recv(self, &numbers, &number) == PT_OK)
        trace_add("got %d ", number);
    return pt_native_recv(self, &numbers, &number);
}

START_TEST(two_native_tasks_receive_in_turn_what_a_stackless_task_sends)
{
    static PT_TASK(speaker) speaker;

    test_zero(speaker);
    open_talk();
    start(0, listen);
    start(1, listen);
    PT_START(&world.loop, &speaker, speaker, .number = 10);
    run_world("got 10 sent 10 got 11 sent 11 got 12 sent 12 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_ECLOSED);
}
END_TEST

static pt_status push_many(struct pt_native *self)
{
    for (int i = 1; i <= 4; i++) {
        ck_assert_int_eq(pt_native_push(self, &queue, &i), PT_OK);
        trace_add("+%d ", i);
    }
    pt_queue_close(&queue.queue);
    return PT_OK;
}

static pt_status pop_all(struct pt_native *self)
{
    pt_status status;
    int number = 0;

    while ((status = pt_native_pop(self, &queue, &number)) == PT_OK)
        trace_add("-%d ", number);
    return status;
}

START_TEST(native_tasks_push_to_a_full_queue_and_pop_until_it_is_closed_and_empty)
{
    open_talk();
    start(0, push_many);
    start(1, pop_all);
    run_world("+1 +2 -1 -2 -3 +3 +4 -4 ");
    ck_assert_int_eq(pt_task_status(&natives[1].task), PT_ECLOSED);
}
END_TEST

/* --- events, locks --- */

static pt_status use_all(struct pt_native *self)
{
    struct pt_flags_wanted wanted;

    told(self, "event", pt_native_wait_event(self, &event));
    told(self, "again", pt_native_wait_event(self, &event)); /* it is still set */
    told(self, "unit", pt_native_acquire(self, &semaphore));
    told(self, "second", pt_native_acquire(self, &semaphore));
    told(self, "flags", pt_native_wait_flags(self, &flags, &wanted, 6, PT_FLAGS_ALL));
    ck_assert_uint_eq(wanted.found, 6);
    told(self, "barrier", pt_native_wait_barrier(self, &barrier));
    return PT_OK;
}

/* Each millisecond it gives what the others wait for. */
struct giver {
    struct pt pt;
};

static PT_ASYNC(giver, self)
{
    PT_WAIT(PT_MS(1));
    pt_event_set(&event);
    PT_WAIT(PT_MS(1));
    pt_semaphore_release(&semaphore);
    PT_WAIT(PT_MS(1));
    pt_flags_set(&flags, 2);
    PT_WAIT(PT_MS(1));
    pt_flags_set(&flags, 4);
    PT_WAIT(PT_MS(1));
    PT_WAIT_BARRIER(&barrier);
    trace_add("all@%d ", test_ms(PT_NOW()));
}
PT_END

static pt_status come_to_barrier(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_wait(self, PT_MS(7)), PT_OK);
    told(self, "last", pt_native_wait_barrier(self, &barrier));
    return PT_OK;
}

START_TEST(a_native_task_waits_for_an_event_units_flags_and_a_barrier)
{
    static PT_TASK(giver) giver;

    test_zero(giver);
    open_talk();
    start(0, use_all);
    start(1, come_to_barrier);
    PT_START(&world.loop, &giver, giver);
    run_world("event@1 again@1 unit@1 second@2 flags@4 last@7 barrier@7 all@7 ");
}
END_TEST

static int balance;

static pt_status change_in_lock(struct pt_native *self)
{
    int before;

    ck_assert_int_eq(pt_native_lock(self, &lock), PT_OK);
    ck_assert(pt_native_holds(self, &lock));
    ck_assert_int_eq(pt_native_lock(self, &lock), PT_EDEADLK);
    before = balance;
    pt_native_wait(self, PT_MS(1));
    balance = before + 1;
    ck_assert_int_eq(pt_native_unlock(self, &lock), PT_OK);
#if !PT_DEBUG
    ck_assert_int_eq(pt_native_unlock(self, &lock), PT_EPERM);
#endif
    told(self, "changed", PT_OK);
    return PT_OK;
}

struct changer {
    struct pt pt;
    int before;
};

static PT_ASYNC(changer, self)
{
    PT_LOCK(&lock);
    self->before = balance;
    PT_WAIT(PT_MS(1));
    balance = self->before + 1;
    PT_UNLOCK(&lock);
    trace_add("stackless@%d ", test_ms(PT_NOW()));
}
PT_END

START_TEST(native_and_stackless_tasks_hold_a_lock_in_turn)
{
    static PT_TASK(changer) changer;

    balance = 0;
    test_zero(changer);
    open_talk();
    start(0, change_in_lock);
    PT_START(&world.loop, &changer, changer);
    start(1, change_in_lock);
    run_world("changed@1 stackless@2 changed@3 ");
    ck_assert_int_eq(balance, 3);
}
END_TEST

static pt_status wait_for_balance(struct pt_native *self)
{
    if (!PT_DEBUG)
        ck_assert_int_eq(pt_native_wait_condition(self, &condition, &lock), PT_EPERM);
    pt_native_lock(self, &lock);
    while (balance < 2)
        ck_assert_int_eq(pt_native_wait_condition(self, &condition, &lock), PT_OK);
    told(self, "enough", PT_OK);
    return pt_native_unlock(self, &lock);
}

static pt_status raise_balance(struct pt_native *self)
{
    for (int i = 0; i < 2; i++) {
        pt_native_wait(self, PT_MS(1));
        pt_native_lock(self, &lock);
        balance++;
        pt_condition_notify(&condition);
        pt_native_unlock(self, &lock);
    }
    return PT_OK;
}

START_TEST(a_native_task_waits_for_a_condition_in_a_loop)
{
    balance = 0;
    open_talk();
    start(0, wait_for_balance);
    start(1, raise_balance);
    run_world("enough@2 ");
}
END_TEST

static pt_status wait_with_timeout(struct pt_native *self)
{
    struct pt_scope limit;

    pt_native_lock(self, &lock);
    pt_native_timeout(self, &limit, PT_MS(2));
    told(self, "lock", pt_native_wait_condition(self, &condition, &lock));
    ck_assert(pt_native_timeout_end(self, &limit) && pt_native_holds(self, &lock));
    pt_native_unlock(self, &lock);
    pt_native_lock_exclusive(self, &guard);
    pt_native_timeout(self, &limit, PT_MS(2));
    told(self, "rwlock", pt_native_wait_condition(self, &condition, &guard));
    ck_assert(pt_native_timeout_end(self, &limit) && guard.writer == self->task);
    return pt_native_unlock_exclusive(self, &guard);
}

static pt_status hold_both(struct pt_native *self)
{
    pt_native_wait(self, PT_MS(1));
    pt_native_lock(self, &lock);
    pt_native_wait(self, PT_MS(3));
    pt_native_unlock(self, &lock);
    pt_native_wait(self, PT_MS(1));
    pt_native_lock_exclusive(self, &guard);
    pt_native_wait(self, PT_MS(3));
    return pt_native_unlock_exclusive(self, &guard);
}

START_TEST(a_native_task_holds_its_lock_again_when_a_timeout_ends_its_wait_for_a_condition)
{
    open_talk();
    start(0, wait_with_timeout);
    start(1, hold_both);
    run_world("lock PT_ETIMEDOUT@4 rwlock PT_ETIMEDOUT@8 ");
    ck_assert_ptr_null(lock.owner);
    ck_assert_ptr_null(guard.writer);
}
END_TEST

static pt_status read_guarded(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_lock_shared(self, &guard), PT_OK);
    told(self, "reads", PT_OK);
    pt_native_wait(self, PT_MS(2));
    return pt_rwlock_release_shared(&guard);
}

static pt_status write_guarded(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_lock_exclusive(self, &guard), PT_OK);
    ck_assert_int_eq(pt_native_lock_shared(self, &guard), PT_EDEADLK);
    told(self, "writes", PT_OK);
    pt_native_wait(self, PT_MS(2));
    return pt_native_unlock_exclusive(self, &guard);
}

START_TEST(native_tasks_read_together_and_write_alone)
{
    open_talk();
    start(0, read_guarded);
    start(1, read_guarded);
    start(2, write_guarded);
    start(3, read_guarded);
    run_world("reads@0 reads@0 writes@2 reads@4 ");
}
END_TEST

/* --- broadcasts --- */

static pt_status follow(struct pt_native *self)
{
    unsigned seen = 0;

    for (int i = 0; i < 2; i++) {
        told(self, "latest", pt_native_wait_latest(self, &latest, &seen));
        trace_add("=%d ", latest.value);
    }
    return PT_OK;
}

static pt_status subscribe(struct pt_native *self)
{
    struct pt_subscriber subscriber;
    int number = 0;

    pt_subscribe(&broadcast, &subscriber);
    for (int i = 0; i < 3; i++) {
        pt_status status = pt_native_wait_broadcast(self, &broadcast, &subscriber, &number);

        told(self, "broadcast", status);
        trace_add("=%d ", number);
        pt_native_wait(self, PT_MS(1));
    }
    return pt_native_wait_broadcast(self, &broadcast, &subscriber, &number);
}

static pt_status tell(struct pt_native *self)
{
    for (int i = 1; i <= 5; i++) {
        pt_latest_set(&latest, i);
        pt_broadcast_send(&broadcast, i);
        if (i < 2)
            pt_native_wait(self, PT_MS(1));
    }
    pt_native_wait(self, PT_MS(9));
    pt_cancel(&natives[1].task, PT_ECANCELED);
    return PT_OK;
}

START_TEST(native_tasks_get_the_latest_value_and_every_value)
{
    open_talk();
    start(0, follow);
    start(1, subscribe);
    start(2, tell);
    run_world("latest@0 =1 broadcast@0 =1 broadcast PT_EOVERRUN@1 =4 latest@1 =5 "
              "broadcast@2 =5 ");
    ck_assert_int_eq(pt_task_status(&natives[1].task), PT_ECANCELED);
}
END_TEST

#if PT_REMOTE

static PT_RING(int, 4) ring;
static struct pt_mailbox mailbox;
static struct letter {
    struct pt_mail mail;
    int number;
} letters[2];

static pt_status read_ring(struct pt_native *self)
{
    int item;

    while (pt_native_get(self, &ring, &item) == PT_OK)
        trace_add("item %d ", item);
    return PT_OK;
}

static pt_status read_mail(struct pt_native *self)
{
    struct pt_mail *mail;

    while (pt_native_recv_mail(self, &mailbox, &mail) == PT_OK)
        trace_add("letter %d ", ((struct letter *)(void *)mail)->number);
    return PT_OK;
}

START_TEST(native_tasks_read_rings_and_mailboxes)
{
    open_talk();
    PT_RING_OPEN(&ring, &world.loop);
    pt_mailbox_open(&mailbox, &world.loop);
    start(0, read_ring);
    start(1, read_mail);
    turn(0);
    for (int i = 0; i < 2; i++) {
        letters[i].number = i + 10;
        ck_assert_int_eq(PT_RING_PUT(&ring, &i), PT_OK);
        ck_assert_int_eq(pt_mailbox_post(&mailbox, &letters[i].mail), PT_OK);
    }
    turn(1);
    pt_ring_close(&ring.ring);
    pt_mailbox_close(&mailbox);
    run_world("item 0 item 1 letter 10 letter 11 ");
}
END_TEST

#endif

/* --- select --- */

static pt_status choose(struct pt_native *self)
{
    PT_SELECTION(4) choice;
    int number = 0;

    pt_select_init(&choice);
    pt_native_select_now(self, &choice, PT_CASE_EVENT(&event), PT_CASE_RECV(&numbers, &number));
    ck_assert_int_eq(self->pt.status, PT_EAGAIN);
    ck_assert_int_eq(PT_SELECTED(&choice), PT_SELECT_NONE);
    for (int i = 0; i < 5; i++) {
        pt_native_select(self, &choice, PT_CASE_RECV(&numbers, &number), PT_CASE_EVENT(&event),
                         PT_CASE_JOIN(&natives[1].task), PT_CASE_AFTER(PT_MS(2)));
        trace_add("%d ", PT_SELECTED(&choice));
        told(self, "", self->pt.status);
        if (PT_SELECTED(&choice) == 0 && self->pt.status == PT_OK)
            trace_add("=%d ", number);
        pt_event_clear(&event);
    }
    pt_event_set(&event);
    pt_native_select_now(self, &choice, PT_CASE_IF(number < 0, PT_CASE_EVENT(&event)));
    ck_assert_int_eq(PT_SELECTED(&choice), PT_SELECT_NONE);
    pt_native_select(self, &choice, PT_CASE_IF(number < 0, PT_CASE_RECV(&numbers, &number)),
                     PT_CASE_IF(number >= 0, PT_CASE_EVENT(&event)));
    ck_assert_int_eq(PT_SELECTED(&choice), 1);
    return PT_OK;
}

/* Selects from so many events and a time, which a block adds. */
static pt_status choose_from(struct pt_native *self)
{
    static struct pt_event events[3];
    struct pt_event *more[] = {&events[0], &event, &events[1], &events[2]};
    PT_SELECTION(4) choice;

    pt_select_init(&choice);
    pt_event_set(&events[2]);
    for (int count = 1; count <= 4; count++) {
        pt_native_select_from(self, &choice) {
            for (int i = 0; i < count; i++)
                PT_CASE_EVENT(more[i]);
            if (count < 4)
                PT_CASE_AFTER(PT_MS(2));
        }
        told(self, "", self->pt.status);
        trace_add("%d ", PT_SELECTED(&choice));
        pt_event_clear(&event);
    }
    return PT_OK;
}

static pt_status set_later(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_wait(self, PT_MS(3)), PT_OK);
    pt_event_trigger(&event);
    return PT_OK;
}

static pt_status offer(struct pt_native *self)
{
    int number = 42;

    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    ck_assert_int_eq(pt_native_send(self, &numbers, &number), PT_OK);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_event_set(&event);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(1)), PT_OK);
    pt_channel_close(&numbers.channel);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(9)), PT_OK);
    return 77;
}

START_TEST(a_native_task_selects_with_a_selection_on_its_stack)
{
    open_talk();
    start(0, choose);
    start(1, offer);
    run_world("0 @1 =42 1 @2 0  PT_ECLOSED@3 0  PT_ECLOSED@3 0  PT_ECLOSED@3 ");
    open_talk();
    start(0, choose);
    run_world("2  PT_EINVAL@0 2  PT_EINVAL@0 2  PT_EINVAL@0 2  PT_EINVAL@0 2  PT_EINVAL@0 ");
    open_talk();
    start(0, choose);
    start(1, come_to_barrier);
    pt_barrier_init(&barrier, 1);
    run_world("3 @2 3 @4 3 @6 last@7 2 @7 2 @7 ");
}
END_TEST

START_TEST(a_native_task_selects_from_cases_that_a_block_adds)
{
    open_talk();
    start(0, choose_from);
    start(1, set_later);
    run_world("@2 1 @3 1 @5 3 @5 3 ");
}
END_TEST

Suite *suite_native_talk(void)
{
    Suite *suite = test_suite("native_talk");

    test_add(suite, a_native_task_sends_to_a_stackless_task);
    test_add(suite, two_native_tasks_receive_in_turn_what_a_stackless_task_sends);
    test_add(suite, native_tasks_push_to_a_full_queue_and_pop_until_it_is_closed_and_empty);
    test_add(suite, a_native_task_waits_for_an_event_units_flags_and_a_barrier);
    test_add(suite, native_and_stackless_tasks_hold_a_lock_in_turn);
    test_add(suite, a_native_task_waits_for_a_condition_in_a_loop);
    test_add(suite,
             a_native_task_holds_its_lock_again_when_a_timeout_ends_its_wait_for_a_condition);
    test_add(suite, native_tasks_read_together_and_write_alone);
    test_add(suite, native_tasks_get_the_latest_value_and_every_value);
#if PT_REMOTE
    test_add(suite, native_tasks_read_rings_and_mailboxes);
#endif
    test_add(suite, a_native_task_selects_with_a_selection_on_its_stack);
    test_add(suite, a_native_task_selects_from_cases_that_a_block_adds);
    return suite;
}

#else

Suite *suite_native_talk(void)
{
    return test_suite("native_talk");
}

#endif
