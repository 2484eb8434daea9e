/* test_channel.c - a value goes directly from one task to another; both meet at the channel
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS

static PT_CHANNEL(int) numbers;

/* Runs a string of steps: s sends the next number, r receives one, c closes, w waits 1 ms, y
 * yields. After s and r it traces the number and the balance. */
struct talker {
    struct pt pt;
    char name;
    const char *steps;
    int number;
};

static PT_ASYNC(talker, self)
{
    for (; *self->steps; self->steps++) {
        if (*self->steps == 's') {
            self->number++;
            PT_SEND(&numbers, &self->number);
            trace_add("%c>%d", self->name, self->number);
        } else if (*self->steps == 'r') {
            PT_RECV(&numbers, &self->number);
            trace_add("%c<%d", self->name, self->number);
        } else if (*self->steps == 'w') {
            PT_WAIT(PT_MS(1));
            continue;
        } else if (*self->steps == 'c') {
            pt_channel_close(&numbers.channel);
            continue;
        } else {
            trace_add("%cy ", self->name);
            PT_YIELD();
            continue;
        }
        if (self->pt.status != PT_OK)
            trace_add("!%d", self->pt.status);
        trace_add("(%d) ", pt_channel_balance(&numbers.channel));
    }
}
PT_END

static PT_TASK(talker) talkers[5];

static void open_talkers(enum pt_preference preference)
{
    test_zero(talkers);
    test_open(&world);
    pt_channel_init(&numbers.channel, preference);
}

/* Names are letters, starting with a; the numbers of each talker start at its own ten. */
static void talk(int i, const char *steps)
{
    ck_assert_int_eq(PT_START(&world.loop, &talkers[i], talker, .name = (char)('a' + i),
                              .steps = steps, .number = 10 * i),
                     PT_OK);
}

static void check_balance(int balance)
{
    ck_assert_int_eq(pt_channel_balance(&numbers.channel), balance);
}

START_TEST(the_sender_and_receiver_of_the_article_meet_with_the_right_balance)
{
    open_talkers(PT_PREFER_RECEIVER);
    check_balance(0);
    talk(0, "s");
    turn(0);
    check_balance(1); /* the sender waits */
    talk(1, "r");
    turn(0);
    check_balance(0);
    run_world("b<1(0) a>1(0) "); /* the sender is ready, and the receiver has the value */
    open_talkers(PT_PREFER_RECEIVER);
    talk(1, "r");
    turn(0);
    check_balance(-1); /* the receiver waits */
    talk(0, "s");
    turn(0);
    check_balance(0);
    run_world("b<1(0) a>1(0) "); /* the receiver is resumed at once, before the sender */
}
END_TEST

START_TEST(the_balance_counts_waiting_senders_and_is_negative_for_receivers)
{
    open_talkers(PT_PREFER_NEITHER);
    for (int i = 0; i < 3; i++) {
        talk(i, "s");
        turn(0);
        check_balance(i + 1);
    }
    talk(3, "rrrrr");
    turn(0);
    check_balance(-1);
    talk(4, "ss");
    turn(0);
    check_balance(1);
    run_world("d<1(2) d<11(1) d<21(0) a>1(-1) b>11(-1) c>21(-1) e>41(0) d<41(1) d<42(0) e>42(0) ");
}
END_TEST

START_TEST(waiting_senders_send_in_the_order_in_which_they_came)
{
    open_talkers(PT_PREFER_NEITHER);
    talk(0, "ss");
    talk(1, "s");
    talk(2, "s");
    talk(3, "rrrr");
    run_world("d<1(2) d<11(1) d<21(0) a>1(-1) a>2(0) b>11(0) c>21(0) d<2(0) ");
}
END_TEST

START_TEST(waiting_receivers_receive_in_the_order_in_which_they_came)
{
    open_talkers(PT_PREFER_NEITHER);
    talk(0, "r");
    talk(1, "r");
    talk(2, "r");
    talk(3, "sss");
    run_world("d>31(-2) d>32(-1) d>33(0) a<31(0) b<32(0) c<33(0) ");
}
END_TEST

/* Check which of the two goes first when they meet, and whether another ready task goes before
 * both. */
static void check_meeting(enum pt_preference preference, bool sender_waits, const char *trace)
{
    open_talkers(preference);
    talk(sender_waits ? 0 : 1, sender_waits ? "s" : "r");
    turn(0);
    talk(sender_waits ? 1 : 0, sender_waits ? "ry" : "sy");
    run_world(trace);
}

START_TEST(without_a_preference_the_second_to_come_continues_at_once)
{
    check_meeting(PT_PREFER_NEITHER, true, "b<1(0) by a>1(0) ");
    check_meeting(PT_PREFER_NEITHER, false, "a>1(0) ay b<1(0) ");
}
END_TEST

START_TEST(a_preferred_receiver_goes_first)
{
    check_meeting(PT_PREFER_RECEIVER, true, "b<1(0) by a>1(0) ");
    check_meeting(PT_PREFER_RECEIVER, false, "b<1(0) a>1(0) ay ");
}
END_TEST

START_TEST(a_preferred_sender_goes_first)
{
    check_meeting(PT_PREFER_SENDER, true, "a>1(0) b<1(0) by ");
    check_meeting(PT_PREFER_SENDER, false, "a>1(0) ay b<1(0) ");
}
END_TEST

START_TEST(a_close_ends_the_waits_of_all_senders_and_receivers)
{
    open_talkers(PT_PREFER_NEITHER);
    talk(0, "s");
    talk(1, "ss");
    turn(0);
    pt_channel_close(&numbers.channel);
    ck_assert(numbers.channel.closed);
    check_balance(0);
    run_world("a>1!-9(0) b>11!-9(0) b>12!-9(0) ");
    open_talkers(PT_PREFER_RECEIVER);
    talk(0, "r");
    talk(1, "rr");
    turn(0);
    pt_channel_close(&numbers.channel);
    check_balance(0);
    run_world("a<0!-9(0) b<10!-9(0) b<10!-9(0) "); /* their numbers are unchanged */
}
END_TEST

START_TEST(a_closed_channel_returns_at_once)
{
    int number = 7;

    open_talkers(PT_PREFER_SENDER);
    pt_channel_close(&numbers.channel);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_ECLOSED);
    ck_assert_int_eq(PT_TRY_RECV(&numbers, &number), PT_ECLOSED);
    ck_assert_int_eq(number, 7);
    talk(0, "sr");
    turn(0);
    run_world("a>1!-9(0) a<1!-9(0) ");
}
END_TEST

START_TEST(a_value_is_sent_or_received_at_once_if_a_task_waits_for_it)
{
    int number = 7;

    open_talkers(PT_PREFER_RECEIVER);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_EAGAIN);
    ck_assert_int_eq(PT_TRY_RECV(&numbers, &number), PT_EAGAIN);
    talk(0, "rs");
    turn(0);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_EAGAIN);
    turn(1);
    ck_assert_int_eq(PT_TRY_RECV(&numbers, &number), PT_OK);
    ck_assert_int_eq(number, 8);
    ck_assert_int_eq(PT_TRY_RECV(&numbers, &number), PT_EAGAIN);
    turn(2);
    run_world("a<7(0) a>8(0) ");
}
END_TEST

/* Receives until the channel is closed; skips some values, and ends early at a 9. */
struct listener {
    struct pt pt;
    int number;
};

static PT_ASYNC(listener, self)
{
    PT_RECV_EACH(&numbers, &self->number) {
        if (self->number == 2)
            continue;
        if (self->number == 9)
            break;
        PT_WAIT(PT_MS(1));
        trace_add("[%d]@%d ", self->number, test_ms(PT_NOW()));
    }
    trace_add("end:%d@%d ", self->pt.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(listener) listener;

static void listen(void)
{
    test_zero(listener);
    ck_assert_int_eq(PT_START(&world.loop, &listener, listener), PT_OK);
}

START_TEST(each_value_is_received_until_the_channel_is_closed)
{
    static const char *const traces[] = {
        "a>1(0) [1]@1 a>2(-1) a>3(0) [3]@2 end:-9@2 ", /* no preference */
        "a>1(0) [1]@1 a>2(-1) a>3(0) [3]@2 end:-9@2 ", /* the receiver first */
        "a>1(0) [1]@1 a>2(0) a>3(0) [3]@2 end:-9@2 ",  /* the sender first */
    };

    for (int preference = PT_PREFER_NEITHER; preference <= PT_PREFER_SENDER; preference++) {
        open_talkers((enum pt_preference)preference);
        listen();
        talk(0, "sssc");
        run_world(traces[preference]);
    }
}
END_TEST

START_TEST(a_loop_over_a_channel_can_skip_values_and_end_early)
{
    int nine = 9;

    open_talkers(PT_PREFER_SENDER);
    listen();
    turn(0);
    talk(0, "ss");
    turn(0);
    turn(0);
    ck_assert_trace("a>1(0) ");
    turn(1);
    turn(1);
    turn(1);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &nine), PT_OK);
    turn(2);
    run_world("[1]@1 a>2(0) end:0@2 ");
}
END_TEST

/* Sends odd numbers to a channel and yields even ones. */
struct numerator {
    struct pt pt;
    int number;
};

static PT_ASYNC(numerator, self)
{
    for (self->number = 1; self->number <= 4; self->number++)
        if (self->number % 2)
            PT_SEND(&numbers, &self->number);
        else
            PT_YIELD();
}
PT_END

START_TEST(a_generator_does_not_yield_when_it_meets_the_preferred_side)
{
    struct numerator numerator;

    open_talkers(PT_PREFER_RECEIVER);
    talk(0, "rr");
    talk(1, "r");
    turn(0);
    PT_INIT(&numerator, numerator);
    ck_assert(pt_next(&numerator.pt));
    ck_assert_int_eq(numerator.number, 2);
    ck_assert(pt_next(&numerator.pt));
    ck_assert_int_eq(numerator.number, 4);
    ck_assert(!pt_next(&numerator.pt));
    turn(0);
    turn(0);
    ck_assert_trace("a<1(0) b<3(-1) ");
    pt_channel_close(&numbers.channel);
    run_world("a<1!-9(0) ");
}
END_TEST

#if PT_PAUSE
START_TEST(a_paused_task_keeps_its_place_in_the_channel)
{
    int number = 7;

    open_talkers(PT_PREFER_NEITHER);
    talk(0, "r");
    talk(1, "r");
    turn(0);
    pt_pause(&talkers[0].task);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK); /* goes to a, although it is paused */
    number++;
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK);
    turn(1);
    turn(1);
    ck_assert_trace("b<8(0) ");
    pt_resume(&talkers[0].task);
    run_world("a<7(0) ");
}
END_TEST
#endif

#endif

Suite *suite_channel(void)
{
    Suite *suite = test_suite("channel");

#if PT_CHANNELS
    test_add(suite, the_sender_and_receiver_of_the_article_meet_with_the_right_balance);
    test_add(suite, the_balance_counts_waiting_senders_and_is_negative_for_receivers);
    test_add(suite, waiting_senders_send_in_the_order_in_which_they_came);
    test_add(suite, waiting_receivers_receive_in_the_order_in_which_they_came);
    test_add(suite, without_a_preference_the_second_to_come_continues_at_once);
    test_add(suite, a_preferred_receiver_goes_first);
    test_add(suite, a_preferred_sender_goes_first);
    test_add(suite, a_close_ends_the_waits_of_all_senders_and_receivers);
    test_add(suite, a_closed_channel_returns_at_once);
    test_add(suite, a_value_is_sent_or_received_at_once_if_a_task_waits_for_it);
    test_add(suite, each_value_is_received_until_the_channel_is_closed);
    test_add(suite, a_loop_over_a_channel_can_skip_values_and_end_early);
    test_add(suite, a_generator_does_not_yield_when_it_meets_the_preferred_side);
#if PT_PAUSE
    test_add(suite, a_paused_task_keeps_its_place_in_the_channel);
#endif
#endif
    return suite;
}
#else

Suite *suite_channel(void)
{
    return test_suite("channel");
}

#endif
