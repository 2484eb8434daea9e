/* test_cases.c - cases of a select that are turned off, and as many as only the running program knows
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

/* --- a block adds the cases ------------------------------------------------------------------ */

enum { LINES = 40 };

static PT_CHANNEL(int) lines[LINES];

/* Receives from so many of the lines, until all are closed; or for 5 ms. */
struct listener {
    struct pt pt;
    int count, open, value;
    bool closed[LINES];
    PT_SELECTION(LINES + 1) choice;
};

static PT_ASYNC(listener, self)
{
    for (self->open = self->count; self->open;) {
        PT_SELECT_FROM(&self->choice) {
            for (int i = 0; i < self->count; i++)
                PT_CASE_IF(!self->closed[i], PT_CASE_RECV(&lines[i], &self->value));
            PT_CASE_UNTIL(test_at(5));
        }
        if (PT_SELECTED(&self->choice) == self->count) {
            trace_add("late@%d ", test_ms(PT_NOW()));
            PT_RETURN(PT_OK);
        }
        trace_add("%d:%d:%d ", PT_SELECTED(&self->choice), self->pt.status, self->value);
        if (self->pt.status == PT_ECLOSED) {
            self->closed[PT_SELECTED(&self->choice)] = true;
            self->open--;
        }
    }
}
PT_END

static void open_lines(void)
{
    open_cases();
    for (int i = 0; i < LINES; i++)
        pt_channel_init(&lines[i].channel, PT_PREFER_NEITHER);
}

static void check_lines(int count)
{
    for (int i = 0; i < LINES; i++)
        ck_assert_int_eq(pt_channel_balance(&lines[i].channel), i < count ? -1 : 0);
}

START_TEST(a_block_adds_as_many_cases_as_there_are)
{
    static PT_TASK(listener) listener;
    int number = 7;

    open_lines();
    test_zero(listener);
    PT_START(&world.loop, &listener, listener, .count = LINES);
    turn(0);
    check_lines(LINES);
    ck_assert_int_eq(PT_TRY_SEND(&lines[LINES - 1], &number), PT_OK);
    check_lines(0);
    turn(1);
    check_lines(LINES);
    pt_channel_close(&lines[3].channel);
    turn(2);
    ck_assert_int_eq(PT_TRY_SEND(&lines[0], &number), PT_OK);
    run_world("39:0:7 3:-9:7 0:0:7 late@5 ");
}
END_TEST

START_TEST(true_cases_that_a_block_adds_take_turns)
{
    static PT_TASK(listener) listener;

    open_lines();
    test_zero(listener);
    for (int i = 0; i < 3; i++)
        pt_channel_close(&lines[i].channel);
    PT_START(&world.loop, &listener, listener, .count = 3);
    turn(4);
    run_world("0:-9:0 1:-9:0 2:-9:0 ");
}
END_TEST

/* Selects in a loop over values, from a block that breaks. */
struct nested {
    struct pt pt;
    int value, other;
    PT_SELECTION(3) choice;
};

static PT_ASYNC(nested, self)
{
    PT_RECV_EACH(&lines[0], &self->value) {
        if (self->value < 9)
            PT_SELECT_FROM(&self->choice) {
                for (int i = 1; i < 9; i++) {
                    PT_CASE_RECV(&lines[i], &self->other);
                    if (i == self->value)
                        break;
                }
                if (signal.set)
                    break;
                PT_CASE_AFTER(PT_MS(1));
            }
        else
            trace_add("else ");
        trace_add("%d:%d@%d ", self->value, PT_SELECTED(&self->choice), test_ms(PT_NOW()));
    }
    trace_add("%d ", self->pt.status);
}
PT_END

START_TEST(a_block_of_cases_can_stand_in_a_loop_over_values_and_be_left_by_a_break)
{
    static PT_TASK(nested) nested;
    const int values[] = {1, 9, 2, 2};

    open_lines();
    test_zero(nested);
    PT_START(&world.loop, &nested, nested);
    turn(0);
    for (int i = 0; i < 4; i++) {
        if (i == 3)
            pt_event_set(&signal);
        ck_assert_int_eq(PT_TRY_SEND(&lines[0], &values[i]), PT_OK);
        turn(3 * i);
        ck_assert_int_eq(pt_channel_balance(&lines[2].channel), i < 2 ? 0 : -1);
        if (i == 3) /* its block was left before its time */
            ck_assert_int_eq(PT_TRY_SEND(&lines[2], &values[1]), PT_OK);
        turn(3 * i + 1);
    }
    pt_channel_close(&lines[0].channel);
    run_world("1:1@1 else 9:1@3 2:2@7 2:1@10 -9 ");
}
END_TEST

/* Adds some cases too many. */
struct crowded {
    struct pt pt;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(crowded, self)
{
    PT_SELECT_FROM(&self->choice) {
        for (int i = 0; i < 9; i++)
            PT_CASE_EVENT(&signal);
    }
    trace_add("%d:%d ", PT_SELECTED(&self->choice) == PT_SELECT_NONE, self->pt.status);
    PT_SELECT(&self->choice, PT_CASE_EVENT(&signal), PT_CASE_AFTER(0));
    trace_add("%d:%d ", PT_SELECTED(&self->choice), self->pt.status);
}
PT_END

START_TEST(a_case_that_finds_no_room_fails_the_select)
{
    static PT_TASK(crowded) crowded;

    if (PT_DEBUG)
        return; /* it stops: test/misuse/select_crowded.c */
    open_cases();
    test_zero(crowded);
    pt_event_set(&signal);
    PT_START(&world.loop, &crowded, crowded);
    run_world("1:-5 0:0 ");
}
END_TEST

/* --- more kinds of cases --------------------------------------------------------------------- */

static struct pt_flags flags;
static PT_LATEST(int) latest;
static PT_BROADCAST(int, 2) broadcast;

/* Selects from flags, twice, and from values that are sent to many. */
struct reader {
    struct pt pt;
    int value;
    unsigned seen;
    struct pt_subscriber subscriber;
    struct pt_flags_wanted any, both;
    PT_SELECTION(5) choice;
};

static PT_ASYNC(reader, self)
{
    pt_subscribe(&broadcast, &self->subscriber);
    do {
        PT_SELECT(&self->choice,
                  PT_CASE_FLAGS(&flags, &self->any, 3, PT_FLAGS_ANY | PT_FLAGS_CLEAR),
                  PT_CASE_FLAGS(&flags, &self->both, 6, PT_FLAGS_ALL),
                  PT_CASE_BROADCAST(&latest, self->seen),
                  PT_CASE_BROADCAST(&broadcast, self->subscriber.next), PT_CASE_EVENT(&signal));
        trace_add("%d", PT_SELECTED(&self->choice));
        if (PT_SELECTED(&self->choice) < 2)
            trace_add(":%u,%u", self->any.found, self->both.found);
        if (PT_SELECTED(&self->choice) == 2) {
            PT_WAIT_LATEST(&latest, &self->seen);
            trace_add(":%d", latest.value);
        }
        if (PT_SELECTED(&self->choice) == 3) {
            PT_WAIT_BROADCAST(&broadcast, &self->subscriber, &self->value);
            trace_add(":%d", self->value);
        }
        trace_add(" ");
    } while (PT_SELECTED(&self->choice) != 4);
}
PT_END

static void check_flags(int each)
{
    ck_assert_int_eq(pt_wait_queue_count_(&flags.waiters), 2 * each);
    ck_assert_int_eq(wait_list_count(&latest.sent.waiters), each);
    ck_assert_int_eq(wait_list_count(&broadcast.sent.waiters), each);
}

START_TEST(flags_and_values_for_many_can_be_cases)
{
    static PT_TASK(reader) reader;

    open_cases();
    test_zero(reader);
    test_zero(latest);
    test_zero(broadcast);
    pt_flags_init(&flags);
    PT_START(&world.loop, &reader, reader);
    turn(0);
    check_flags(1);
    pt_flags_set(&flags, 7); /* both cases: the first one is taken, and clears its bits */
    check_flags(0);
    ck_assert_uint_eq(flags.bits, 4);
    turn(1);
    check_flags(1);
    pt_flags_set(&flags, 2); /* that ends the first one, too */
    ck_assert_uint_eq(flags.bits, 4);
    turn(2);
    pt_flags_clear(&flags, 4);
    pt_latest_set(&latest, 5);
    pt_broadcast_send(&broadcast, 6); /* stays */
    check_flags(0);
    turn(3);
    check_flags(1);
    pt_latest_set(&latest, 8);
    pt_flags_set(&flags, 2); /* stays: one case came true already */
    ck_assert_uint_eq(flags.bits, 2);
    turn(4);
    pt_event_set(&signal);
    run_world("0:3,0 0:2,0 2:5 3:6 2:8 0:2,0 4 ");
    check_flags(0);
}
END_TEST

#if PT_REMOTE
static PT_RING(char, 4) byte_ring;
static struct pt_mailbox mailbox;

/* Selects from a ring and a mailbox until both are closed. */
struct inbound {
    struct pt pt;
    char item;
    struct pt_mail *mail;
    bool no_item, no_mail;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(inbound, self)
{
    while (!self->no_item || !self->no_mail) {
        PT_SELECT(&self->choice,
                  PT_CASE_IF(!self->no_item, PT_CASE_RING_GET(&byte_ring, &self->item)),
                  PT_CASE_IF(!self->no_mail, PT_CASE_RECV_MAIL(&mailbox, &self->mail)));
        trace_add("%d:%d ", PT_SELECTED(&self->choice), self->pt.status);
        if (PT_SELECTED(&self->choice) == 0 && self->pt.status == PT_OK)
            trace_add("%c ", self->item);
        if (self->pt.status == PT_ECLOSED) {
            self->no_item |= PT_SELECTED(&self->choice) == 0;
            self->no_mail |= PT_SELECTED(&self->choice) == 1;
        }
    }
}
PT_END

START_TEST(a_ring_and_a_mailbox_can_be_cases)
{
    static PT_TASK(inbound) inbound;
    static struct pt_mail mail[3];
    const char *bytes = "abc";

    open_cases();
    test_zero(inbound);
    PT_RING_OPEN(&byte_ring, &world.loop);
    pt_mailbox_open(&mailbox, &world.loop);
    ck_assert_int_eq(PT_RING_PUT(&byte_ring, &bytes[0]), PT_OK); /* true from the start */
    ck_assert_int_eq(pt_mailbox_post(&mailbox, &mail[0]), PT_OK);
    PT_START(&world.loop, &inbound, inbound);
    turn(0);
    ck_assert_ptr_eq(inbound.frame.mail, &mail[0]);
    ck_assert_int_eq(pt_wait_queue_count_(&byte_ring.ring.waiters), 1);
    ck_assert_int_eq(pt_wait_queue_count_(&mailbox.waiters), 1);
    ck_assert_int_eq(PT_RING_PUT(&byte_ring, &bytes[1]), PT_OK); /* while it waits */
    turn(1);
    ck_assert_int_eq(pt_mailbox_post(&mailbox, &mail[1]), PT_OK);
    turn(2);
    ck_assert_ptr_eq(inbound.frame.mail, &mail[1]);
    ck_assert_int_eq(PT_RING_PUT(&byte_ring, &bytes[2]), PT_OK); /* both: nothing is lost */
    ck_assert_int_eq(pt_mailbox_post(&mailbox, &mail[2]), PT_OK);
    turn(3);
    ck_assert_ptr_eq(inbound.frame.mail, &mail[2]);
    pt_ring_close(&byte_ring.ring);
    turn(4);
    pt_mailbox_close(&mailbox);
    run_world("0:0 a 1:0 0:0 b 1:0 0:0 c 1:0 0:-9 1:-9 ");
}
END_TEST
#endif

#endif

Suite *suite_cases(void)
{
    Suite *suite = test_suite("cases");

#if PT_SELECTS
    test_add(suite, a_case_that_is_off_never_comes_true_and_the_others_keep_their_numbers);
    test_add(suite, a_case_is_on_or_off_at_each_select_and_a_closed_channel_does_not_make_it_spin);
    test_add(suite, a_select_of_which_all_cases_are_off_waits_until_it_is_interrupted);
    test_add(suite, a_block_adds_as_many_cases_as_there_are);
    test_add(suite, true_cases_that_a_block_adds_take_turns);
    test_add(suite, a_block_of_cases_can_stand_in_a_loop_over_values_and_be_left_by_a_break);
    test_add(suite, a_case_that_finds_no_room_fails_the_select);
    test_add(suite, flags_and_values_for_many_can_be_cases);
#if PT_REMOTE
    test_add(suite, a_ring_and_a_mailbox_can_be_cases);
#endif
#endif
    return suite;
}
#else

Suite *suite_cases(void)
{
    return test_suite("cases");
}

#endif
