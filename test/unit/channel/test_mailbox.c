/* test_mailbox.c - messages to the tasks of a loop, without a limit; here in one thread
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS && PT_REMOTE

struct order {
    struct pt_mail mail;
    int number;
};

static struct pt_mailbox orders;
static struct order posted[8];

/* Receives a number of messages. */
struct clerk {
    struct pt pt;
    char name;
    int times;
    struct pt_mail *mail;
};

static int number_of(struct pt_mail *mail)
{
    return mail ? ((struct order *)(void *)mail)->number : -1;
}

static PT_ASYNC(clerk, self)
{
    for (; self->times; self->times--) {
        PT_RECV_MAIL(&orders, &self->mail);
        trace_add("%c:%d=%d@%d ", self->name, self->pt.status, number_of(self->mail),
                  test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(clerk) clerks[3];

static void open_orders(void)
{
    test_zero(clerks);
    test_open(&world);
    pt_mailbox_open(&orders, &world.loop);
}

static void start_clerk(int i, int times)
{
    ck_assert_int_eq(
        PT_START(&world.loop, &clerks[i], clerk, .name = (char)('a' + i), .times = times), PT_OK);
}

/* Post as any thread does. */
static pt_status post(int number)
{
    posted[number].number = number;
    return pt_mailbox_post(&orders, &posted[number].mail);
}

START_TEST(messages_arrive_in_the_order_in_which_they_were_posted)
{
    open_orders();
    ck_assert_ptr_null(pt_mailbox_try(&orders));
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(post(i), PT_OK);
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), 0);
    ck_assert_int_eq(post(6), PT_OK); /* after the messages that the mailbox has already sorted */
    for (int i = 1; i < 7; i++)
        ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), i);
    ck_assert_ptr_null(pt_mailbox_try(&orders));
    ck_assert_int_eq(post(0), PT_OK); /* a message that was received can be posted again */
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), 0);
    turn(0);
    test_close(&world);
}
END_TEST

START_TEST(tasks_that_wait_for_messages_get_them_in_order_in_the_next_turn)
{
    open_orders();
    start_clerk(0, 1);
    start_clerk(1, 2);
    turn(0);
    ck_assert(!pt_loop_posted(&world.loop));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(post(i), PT_OK);
    ck_assert(pt_loop_posted(&world.loop));
    turn(1);
    run_world("a:0=0@1 b:0=1@1 b:0=2@1 ");
}
END_TEST

START_TEST(no_task_overtakes_another_at_a_mailbox)
{
    open_orders();
    start_clerk(0, 2);
    turn(0);
    start_clerk(1, 1);
    ck_assert_int_eq(post(0), PT_OK);
    turn(1); /* a gets it; then b waits ahead of a */
    ck_assert_int_eq(post(1), PT_OK);
    ck_assert_int_eq(post(2), PT_OK);
    run_world("a:0=0@1 b:0=1@1 a:0=2@1 ");
}
END_TEST

START_TEST(a_closed_mailbox_refuses_messages_and_ends_all_waits)
{
    open_orders();
    start_clerk(0, 2);
    start_clerk(1, 1);
    turn(0);
    ck_assert_int_eq(post(0), PT_OK);
    pt_mailbox_close(&orders); /* posted messages are still delivered */
    ck_assert_int_eq(post(1), PT_ECLOSED);
    run_world("a:0=0@0 a:-9=0@0 b:-9=-1@0 ");
}
END_TEST

START_TEST(messages_posted_before_the_close_can_still_be_received)
{
    open_orders();
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(post(i), PT_OK);
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), 0);
    ck_assert_int_eq(post(3), PT_OK);
    pt_mailbox_close(&orders);
    start_clerk(0, 3);
    turn(0);
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), -1);
    run_world("a:0=1@0 a:0=2@0 a:0=3@0 ");
}
END_TEST

START_TEST(a_mailbox_of_a_loop_that_is_shut_keeps_what_is_posted_and_wakes_nobody)
{
    open_orders();
    start_clerk(0, 1);
    turn(0);
    pt_loop_shut(&world.loop);
    ck_assert_int_eq(post(0), PT_OK);
    ck_assert_int_eq(post(1), PT_OK);
    turn(1);
    ck_assert_trace("");
    pt_mailbox_close(&orders);
    ck_assert_int_eq(post(2), PT_ECLOSED);
    turn(2);
    ck_assert_trace("a:0=0@2 ");
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), 1);
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), -1);
    test_close(&world);
}
END_TEST

START_TEST(a_message_posted_during_the_close_arrives_in_the_next_turn)
{
    open_orders();
    posted[0].number = 0; /* a post with the close between its two steps */
    ck_assert(pt_inbox_push_(&orders.inbox, &posted[0].mail.link));
    pt_mailbox_close(&orders);
    ck_assert_int_eq(pt_remote_nudge_(&orders.arrival), PT_OK);
    ck_assert(pt_loop_posted(&world.loop));
    turn(0);
    ck_assert(!pt_loop_posted(&world.loop)); /* the loop no longer refers to the mailbox */
    ck_assert_int_eq(number_of(pt_mailbox_try(&orders)), 0);
    test_close(&world);
}
END_TEST

START_TEST(a_message_posted_during_the_close_goes_to_a_waiting_task)
{
    open_orders();
    start_clerk(0, 2);
    turn(0);
    posted[0].number = 0;
    ck_assert(pt_inbox_push_(&orders.inbox, &posted[0].mail.link));
    pt_mailbox_close(&orders);
    ck_assert_int_eq(pt_remote_nudge_(&orders.arrival), PT_OK);
    run_world("a:0=0@0 a:-9=0@0 ");
}
END_TEST

/* Receives each message until the mailbox is closed. */
struct addressee {
    struct pt pt;
    struct pt_mail *mail;
};

static PT_ASYNC(addressee, self)
{
    PT_RECV_MAIL_EACH(&orders, &self->mail) {
        trace_add("[%d] ", number_of(self->mail));
        if (number_of(self->mail) == 1)
            PT_WAIT(PT_MS(1));
    }
    trace_add("end:%d@%d ", self->pt.status, test_ms(PT_NOW()));
}
PT_END

START_TEST(each_message_is_received_until_the_mailbox_is_closed)
{
    static PT_TASK(addressee) addressee;

    test_zero(addressee);
    open_orders();
    PT_START(&world.loop, &addressee, addressee);
    turn(0);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(post(i), PT_OK);
    turn(0);
    ck_assert_int_eq(post(3), PT_OK);
    turn(0);
    pt_mailbox_close(&orders);
    run_world("[0] [1] [2] [3] end:-9@1 ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_message_skips_a_waiter_that_was_canceled_before_the_turn)
{
    open_orders();
    start_clerk(0, 1);
    turn(0);
    ck_assert_int_eq(post(0), PT_OK);
    pt_cancel(&clerks[0].task, PT_ECANCELED);
    turn(1);
    start_clerk(1, 1);
    run_world("b:0=0@1 ");
}
END_TEST
#endif

#endif

Suite *suite_mailbox(void)
{
    Suite *suite = test_suite("mailbox");

#if PT_CHANNELS && PT_REMOTE
    test_add(suite, messages_arrive_in_the_order_in_which_they_were_posted);
    test_add(suite, tasks_that_wait_for_messages_get_them_in_order_in_the_next_turn);
    test_add(suite, no_task_overtakes_another_at_a_mailbox);
    test_add(suite, a_closed_mailbox_refuses_messages_and_ends_all_waits);
    test_add(suite, messages_posted_before_the_close_can_still_be_received);
    test_add(suite, a_mailbox_of_a_loop_that_is_shut_keeps_what_is_posted_and_wakes_nobody);
    test_add(suite, a_message_posted_during_the_close_arrives_in_the_next_turn);
    test_add(suite, a_message_posted_during_the_close_goes_to_a_waiting_task);
    test_add(suite, each_message_is_received_until_the_mailbox_is_closed);
#if PT_CANCEL
    test_add(suite, a_message_skips_a_waiter_that_was_canceled_before_the_turn);
#endif
#endif
    return suite;
}
#else

Suite *suite_mailbox(void)
{
    return test_suite("mailbox");
}

#endif
