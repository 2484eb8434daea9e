/* test_broadcast.c - one sender, many readers: the latest value, or every value
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SYNC

static PT_LATEST(int) air;
static PT_BROADCAST(int, 4) prices;

/* Waits for the latest value `times` times; takes `ms` for each. */
struct reader {
    struct pt pt;
    char name;
    int times, ms;
    unsigned seen;
};

static PT_ASYNC(reader, self)
{
    for (; self->times; self->times--) {
        PT_WAIT_LATEST(&air, &self->seen);
        trace_add("%c:%d=%d@%d ", self->name, self->pt.status, air.value, test_ms(PT_NOW()));
        if (self->ms)
            PT_WAIT((pt_time)self->ms * PT_MS(1));
    }
}
PT_END

/* Waits for every value, `times` times. */
struct client {
    struct pt pt;
    char name;
    int times, ms, price;
    struct pt_subscriber subscriber;
};

static PT_ASYNC(client, self)
{
    pt_subscribe(&prices, &self->subscriber);
    for (; self->times; self->times--) {
        PT_WAIT_BROADCAST(&prices, &self->subscriber, &self->price);
        trace_add("%c:%d=%d", self->name, self->pt.status, self->price);
        if (self->subscriber.missed)
            trace_add("(%u)", self->subscriber.missed);
        trace_add(" ");
        if (self->ms)
            PT_WAIT((pt_time)self->ms * PT_MS(1));
    }
}
PT_END

static PT_TASK(reader) readers[2];
static PT_TASK(client) clients[2];

static void open_news(void)
{
    test_zero(readers);
    test_zero(clients);
    test_zero(air); /* like static storage */
    test_zero(prices);
    test_open(&world);
}

static void start_reader(int i, int times, int ms)
{
    ck_assert_int_eq(PT_START(&world.loop, &readers[i], reader, .name = (char)('a' + i),
                              .times = times, .ms = ms),
                     PT_OK);
}

static void start_client(int i, int times, int ms)
{
    ck_assert_int_eq(PT_START(&world.loop, &clients[i], client, .name = (char)('x' + i),
                              .times = times, .ms = ms),
                     PT_OK);
}

START_TEST(readers_see_each_value_unless_they_are_too_slow)
{
    open_news();
    start_reader(0, 3, 0);
    start_reader(1, 2, 5);
    turn(0);
    for (int i = 1; i <= 3; i++) {
        pt_latest_set(&air, i);
        turn(i);
    }
    run_world("a:0=1@1 b:0=1@1 a:0=2@2 a:0=3@3 b:0=3@6 "); /* b missed the 2 */
}
END_TEST

START_TEST(a_value_that_was_not_seen_is_read_at_once)
{
    open_news();
    pt_latest_set(&air, 7);
    pt_latest_set(&air, 8);
    start_reader(0, 2, 0);
    turn(0);
    ck_assert_trace("a:0=8@0 "); /* once */
    pt_latest_set(&air, 8);      /* the same value counts as new, too */
    run_world("a:0=8@0 ");
}
END_TEST

START_TEST(a_waiting_reader_sees_the_last_value_before_its_turn)
{
    open_news();
    start_reader(0, 1, 0);
    turn(0);
    pt_latest_set(&air, 1);
    pt_latest_set(&air, 2);
    run_world("a:0=2@0 ");
}
END_TEST

START_TEST(every_subscriber_gets_every_value_in_order)
{
    open_news();
    start_client(0, 3, 0);
    start_client(1, 3, 2);
    turn(0);
    for (int i = 1; i <= 3; i++)
        pt_broadcast_send(&prices, 10 * i);
    run_world("x:0=10 x:0=20 x:0=30 y:0=10 y:0=20 y:0=30 ");
}
END_TEST

START_TEST(a_subscriber_gets_what_is_sent_after_it_subscribed)
{
    open_news();
    pt_broadcast_send(&prices, 1);
    start_client(0, 1, 0);
    turn(0);
    ck_assert_trace("");
    pt_broadcast_send(&prices, 2);
    run_world("x:0=2 ");
}
END_TEST

START_TEST(a_slow_subscriber_learns_how_many_values_it_missed)
{
    open_news();
    start_client(0, 6, 0);
    turn(0);
    for (int i = 1; i <= 4; i++) /* as many as the broadcast keeps */
        pt_broadcast_send(&prices, i);
    turn(0);
    ck_assert_trace("x:0=1 x:0=2 x:0=3 x:0=4 ");
    for (int i = 5; i <= 11; i++)
        pt_broadcast_send(&prices, i);
    run_world("x:-11=8(3) x:0=9 ");
}
END_TEST

START_TEST(the_sequence_numbers_of_a_broadcast_wrap)
{
    open_news();
    air.sent.count = prices.sent.count = (unsigned)-2;
    start_client(0, 4, 0);
    start_reader(0, 4, 0);
    turn(0); /* a sees the current value */
    for (int i = 1; i <= 4; i++) {
        pt_broadcast_send(&prices, i);
        pt_latest_set(&air, i);
        turn(i);
    }
    ck_assert_uint_eq(prices.sent.count, 2);
    run_world("a:0=0@0 x:0=1 a:0=1@1 x:0=2 a:0=2@2 x:0=3 a:0=3@3 x:0=4 ");
}
END_TEST

START_TEST(a_new_reader_sees_a_value_after_the_sequence_number_wrapped)
{
    open_news();
    air.sent.count = (unsigned)-1;
    pt_latest_set(&air, 7);
    start_reader(0, 1, 0);
    run_world("a:0=7@0 ");
}
END_TEST

#endif

Suite *suite_broadcast(void)
{
    Suite *suite = test_suite("broadcast");

#if PT_SYNC
    test_add(suite, readers_see_each_value_unless_they_are_too_slow);
    test_add(suite, a_value_that_was_not_seen_is_read_at_once);
    test_add(suite, a_waiting_reader_sees_the_last_value_before_its_turn);
    test_add(suite, every_subscriber_gets_every_value_in_order);
    test_add(suite, a_subscriber_gets_what_is_sent_after_it_subscribed);
    test_add(suite, a_slow_subscriber_learns_how_many_values_it_missed);
    test_add(suite, the_sequence_numbers_of_a_broadcast_wrap);
    test_add(suite, a_new_reader_sees_a_value_after_the_sequence_number_wrapped);
#endif
    return suite;
}
#else

Suite *suite_broadcast(void)
{
    return test_suite("broadcast");
}

#endif
