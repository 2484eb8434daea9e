/* test_channel_ends.c - channels with canceled waiters, with groups, and between loops
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS && (PT_CANCEL || PT_NESTING)

static PT_CHANNEL(int) figures;

/* Sends `times` times, or forever. */
struct sender {
    struct pt pt;
    int number, times;
};

static PT_ASYNC(sender, self)
{
    for (; self->times; self->times--) {
        self->number++;
        PT_SEND(&figures, &self->number);
    }
}
PT_END

struct receiver {
    struct pt pt;
    int number, times;
};

static PT_ASYNC(receiver, self)
{
    for (; self->times; self->times--) {
        PT_RECV(&figures, &self->number);
        if (self->pt.status != PT_OK)
            break;
        trace_add("<%d@%d ", self->number, test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(sender) sender;
static PT_TASK(receiver) receiver, other;

static void open_channel(enum pt_preference preference)
{
    test_zero(sender);
    test_zero(receiver);
    test_zero(other);
    test_open(&world);
    pt_channel_init(&figures.channel, preference);
}

static void start_sender(int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &sender, sender, .number = 0, .times = times), PT_OK);
}

#if PT_CANCEL
static void start_receiver(int times)
{
    ck_assert_int_eq(PT_START(&world.loop, &receiver, receiver, .times = times), PT_OK);
}

START_TEST(a_task_that_sends_or_receives_forever_can_be_canceled)
{
    for (int preference = PT_PREFER_NEITHER; preference <= PT_PREFER_SENDER; preference++)
        for (int cancels_sender = 0; cancels_sender < 2; cancels_sender++) {
            open_channel((enum pt_preference)preference);
            if (cancels_sender)
                start_receiver(-1);
            start_sender(-1);
            if (!cancels_sender)
                start_receiver(-1);
            turn(0);
            turn(1);
            turn(2);
            pt_cancel(cancels_sender ? &sender.task : &receiver.task, PT_ECANCELED);
            turn(3);
            turn(4);
            turn(5);
            ck_assert(pt_task_done(cancels_sender ? &sender.task : &receiver.task));
            pt_channel_close(&figures.channel);
            sender.frame.times = 1;
            ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
            trace_take();
            test_close(&world);
        }
}
END_TEST

START_TEST(a_task_that_let_the_preferred_go_first_keeps_its_value_despite_a_cancel)
{
    open_channel(PT_PREFER_SENDER);
    start_sender(1);
    turn(0);
    start_receiver(1);
    turn(0); /* the receiver has the 1 and lets the sender go first */
    ck_assert_trace("");
    pt_cancel(&receiver.task, PT_ECANCELED);
    run_world("<1@0 ");
}
END_TEST
#endif

#if PT_GROUPS
struct office {
    struct pt pt;
    struct pt_group group;
    PT_TASK(receiver) receivers[3];
    int i;
};

static PT_ASYNC(office, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        for (self->i = 0; self->i < 3; self->i++)
            PT_SPAWN_IN(&self->group, &self->receivers[self->i], receiver, .times = 1);
    }
    trace_add("%d@%d ", pt_channel_balance(&figures.channel), test_ms(PT_NOW()));
}
PT_END

static PT_TASK(office) office;

static void open_office(void)
{
    test_zero(office);
    open_channel(PT_PREFER_NEITHER);
    ck_assert_int_eq(PT_START(&world.loop, &office, office), PT_OK);
    turn(0);
    turn(0);
    ck_assert_int_eq(pt_channel_balance(&figures.channel), -3);
}

START_TEST(the_first_receiver_of_a_group_ends_the_waits_of_the_others)
{
    int number = 7;

    open_office();
    ck_assert_int_eq(PT_TRY_SEND(&figures, &number), PT_OK);
    turn(1);
    run_world("<7@1 0@1 ");
}
END_TEST

START_TEST(a_canceled_group_leaves_the_channel_and_its_values_to_others)
{
    open_office();
    start_receiver(1);
    turn(1);
    pt_group_cancel(&office.frame.group, PT_ECANCELED);
    ck_assert_int_eq(pt_channel_balance(&figures.channel), -1);
    start_sender(1);
    run_world("0@1 <1@1 ");
}
END_TEST

START_TEST(a_member_of_a_canceled_group_keeps_a_value_that_it_was_given)
{
    int number = 7;

    open_office();
    ck_assert_int_eq(PT_TRY_SEND(&figures, &number), PT_OK);
    pt_group_cancel(&office.frame.group, PT_ECANCELED);
    turn(1);
    run_world("<7@1 0@1 ");
}
END_TEST
#endif

#if PT_NESTING
START_TEST(a_value_that_goes_to_another_loop_wakes_that_loop)
{
    static PT_TASK(pt_loop_async) host;
    static struct pt_loop inner;

    test_zero(host);
    open_channel(PT_PREFER_RECEIVER);
    pt_loop_open(&inner, &world.clock.port);
    ck_assert_int_eq(PT_START(&inner, &receiver, receiver, .times = 2), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &host, pt_loop_async, .loop = &inner), PT_OK);
    turn(0);
    ck_assert_int_eq(pt_channel_balance(&figures.channel), -1);
    ck_assert(pt_loop_idle(&world.loop));
    start_sender(2);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace("<1@0 <2@0 ");
    pt_loop_close(&inner);
    test_close(&world);
}
END_TEST
#endif

#if PT_AWAIT && PT_CANCEL && PT_TIMEOUTS
/* Receives in an awaited function, in a block with a timeout. */
struct caller {
    struct pt pt;
    struct pt_scope limit;
    struct receiver receiver;
};

static PT_ASYNC(caller, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(3)) {
        PT_WAIT_COMPLETE(&self->receiver, receiver, .times = 1);
        trace_add("back@%d ", test_ms(PT_NOW()));
        PT_WAIT(PT_MS(9));
    }
    trace_add("%d@%d ", pt_timed_out(&self->limit), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_value_that_came_in_time_is_returned_to_the_caller)
{
    static PT_TASK(caller) caller;
    int number = 7;

    test_zero(caller);
    open_channel(PT_PREFER_NEITHER);
    PT_START(&world.loop, &caller, caller);
    turn(0);
    ck_assert_int_eq(PT_TRY_SEND(&figures, &number), PT_OK);
    turn(3); /* the value was given in time: it counts, although the turn is late */
    run_world("<7@3 back@3 1@3 ");
}
END_TEST
#endif

#endif

Suite *suite_channel_ends(void)
{
    Suite *suite = test_suite("channel_ends");

#if PT_CHANNELS && (PT_CANCEL || PT_NESTING)
#if PT_CANCEL
    test_add(suite, a_task_that_sends_or_receives_forever_can_be_canceled);
    test_add(suite, a_task_that_let_the_preferred_go_first_keeps_its_value_despite_a_cancel);
#endif
#if PT_GROUPS
    test_add(suite, the_first_receiver_of_a_group_ends_the_waits_of_the_others);
    test_add(suite, a_canceled_group_leaves_the_channel_and_its_values_to_others);
    test_add(suite, a_member_of_a_canceled_group_keeps_a_value_that_it_was_given);
#endif
#if PT_NESTING
    test_add(suite, a_value_that_goes_to_another_loop_wakes_that_loop);
#endif
#if PT_AWAIT && PT_CANCEL && PT_TIMEOUTS
    test_add(suite, a_value_that_came_in_time_is_returned_to_the_caller);
#endif
#endif
    return suite;
}
#else

Suite *suite_channel_ends(void)
{
    return test_suite("channel_ends");
}

#endif
