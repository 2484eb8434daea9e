/* test_cases.c - cases of a select that are turned off
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SELECTS

static PT_CHANNEL(int) inlet, outlet;
static struct pt_event signal;
static int evaluated;

static void open_cases(void)
{
    test_open(&world);
    pt_channel_init(&inlet.channel, PT_PREFER_NEITHER);
    pt_channel_init(&outlet.channel, PT_PREFER_NEITHER);
    pt_event_init(&signal);
    evaluated = 0;
}

static struct pt_event *signal_evaluated(void)
{
    evaluated++;
    return &signal;
}

/* Selects from an event, if it wants to, and a time. */
struct wanting {
    struct pt pt;
    bool wants;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(wanting, self)
{
    PT_SELECT(&self->choice, PT_CASE_IF(self->wants, PT_CASE_EVENT(signal_evaluated())),
              PT_CASE_AFTER(PT_MS(3)));
    trace_add("%d:%d@%d ", PT_SELECTED(&self->choice), self->pt.status, test_ms(PT_NOW()));
    PT_SELECT_NOW(&self->choice, PT_CASE_IF(self->wants, PT_CASE_EVENT(signal_evaluated())));
    trace_add("%d:%d ", PT_SELECTED(&self->choice) == PT_SELECT_NONE, self->pt.status);
}
PT_END

START_TEST(a_case_that_is_off_never_comes_true_and_the_others_keep_their_numbers)
{
    static PT_TASK(wanting) wanting;

    for (int wants = 0; wants < 2; wants++) {
        open_cases();
        test_zero(wanting);
        PT_START(&world.loop, &wanting, wanting, .wants = wants);
        turn(0);
        ck_assert_int_eq(wait_list_count(&signal.waiters), wants);
        pt_event_set(&signal);
        run_world(wants ? "0:0@0 0:0 " : "1:0@3 1:-8 ");
        ck_assert_int_eq(evaluated, 2 * wants); /* nor are its arguments evaluated */
    }
}
END_TEST

/* Copies what comes in to the outlet, up to four values at a time, until the inlet is closed. */
struct pump {
    struct pt pt;
    int values[4], first, count, rounds;
    bool closed;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(pump, self)
{
    while (!self->closed || self->count) {
        self->rounds++;
        PT_SELECT(&self->choice,
                  PT_CASE_IF(!self->closed && self->count < 4,
                             PT_CASE_RECV(&inlet, &self->values[(self->first + self->count) % 4])),
                  PT_CASE_IF(self->count, PT_CASE_SEND(&outlet, &self->values[self->first])));
        if (PT_SELECTED(&self->choice) == 1) {
            self->first = (self->first + 1) % 4;
            self->count--;
        } else if (self->pt.status == PT_OK) {
            self->count++;
        } else {
            self->closed = true;
        }
    }
}
PT_END

START_TEST(a_case_is_on_or_off_at_each_select_and_a_closed_channel_does_not_make_it_spin)
{
    static PT_TASK(pump) pump;
    int number = 0;

    open_cases();
    test_zero(pump);
    PT_START(&world.loop, &pump, pump);
    turn(0);
    ck_assert_int_eq(PT_TRY_RECV(&outlet, &number), PT_EAGAIN); /* it has nothing to send */
    for (int i = 1; i <= 4; i++) {
        ck_assert_int_eq(PT_TRY_SEND(&inlet, &i), PT_OK);
        turn(i);
    }
    ck_assert_int_eq(PT_TRY_SEND(&inlet, &number), PT_EAGAIN); /* it is full */
    ck_assert_int_eq(PT_TRY_RECV(&outlet, &number), PT_OK);
    turn(5);
    pt_channel_close(&inlet.channel);
    for (int i = 6; i < 9; i++) {
        turn(i);
        ck_assert_int_eq(PT_TRY_RECV(&outlet, &number), PT_OK);
        trace_add("%d ", number);
    }
    run_world("2 3 4 ");
    ck_assert_int_eq(pump.frame.rounds, 9);
}
END_TEST

/* Selects from nothing. */
struct hopeless {
    struct pt pt;
    PT_SELECTION(1) choice;
};

static PT_ASYNC(hopeless, self)
{
    PT_SELECT(&self->choice, PT_CASE_IF(false, PT_CASE_EVENT(&signal)));
}
PT_END

START_TEST(a_select_of_which_all_cases_are_off_waits_until_it_is_interrupted)
{
    static PT_TASK(hopeless) hopeless;

    if (PT_DEBUG)
        return; /* it stops: test/misuse/select_hopeless.c */
    open_cases();
    test_zero(hopeless);
    PT_START(&world.loop, &hopeless, hopeless);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    ck_assert(pt_task_alive(&hopeless.task));
#if PT_CANCEL
    pt_cancel(&hopeless.task, PT_ECANCELED);
    run_world("");
    ck_assert_int_eq(hopeless.frame.pt.status, PT_ECANCELED);
#endif
}
END_TEST

#endif

Suite *suite_cases(void)
{
    Suite *suite = test_suite("cases");

#if PT_SELECTS
    test_add(suite, a_case_that_is_off_never_comes_true_and_the_others_keep_their_numbers);
    test_add(suite, a_case_is_on_or_off_at_each_select_and_a_closed_channel_does_not_make_it_spin);
    test_add(suite, a_select_of_which_all_cases_are_off_waits_until_it_is_interrupted);
#endif
    return suite;
}
#else

Suite *suite_cases(void)
{
    return test_suite("cases");
}

#endif
