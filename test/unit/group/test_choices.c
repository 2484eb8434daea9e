/* test_choices.c - a select chooses fairly, wakes once, and can try without waiting
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_SELECTS

static PT_CHANNEL(int) numbers;
static PT_QUEUE(int, 4) left, right;
static struct pt_event bell;

static void open_choices(void)
{
    test_open(&world);
    pt_channel_init(&numbers.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&left);
    PT_QUEUE_INIT(&right);
    pt_event_init(&bell);
}

/* Pops from two queues until both are empty; the last try finds nothing. */
struct sorter {
    struct pt pt;
    int number;
    PT_SELECTION(3) choice;
};

static PT_ASYNC(sorter, self)
{
    do {
        PT_SELECT_NOW(&self->choice, PT_CASE_POP(&left, &self->number),
                      PT_CASE_POP(&right, &self->number));
        if (self->pt.status == PT_OK)
            trace_add("%d:%d ", PT_SELECTED(&self->choice), self->number);
    } while (self->pt.status == PT_OK);
    trace_add("%d:%d ", PT_SELECTED(&self->choice) == PT_SELECT_NONE, self->pt.status);
}
PT_END

static void fill(int count, int first)
{
    for (int i = 0; i < count; i++) {
        int number = first + i, other = 10 * number;

        ck_assert_int_eq(PT_TRY_PUSH(&left, &number), PT_OK);
        ck_assert_int_eq(PT_TRY_PUSH(&right, &other), PT_OK);
    }
}

START_TEST(a_select_takes_cases_that_are_all_true_in_turn)
{
    static PT_TASK(sorter) sorter;

    test_zero(sorter);
    open_choices();
    fill(3, 1);
    PT_START(&world.loop, &sorter, sorter);
    run_world("0:1 1:10 0:2 1:20 0:3 1:30 1:-8 "); /* a zeroed selection begins with case 0 */
}
END_TEST

START_TEST(a_selection_in_used_memory_must_be_initialized)
{
    static PT_TASK(sorter) sorter;

    test_zero(sorter);
    sorter.frame.choice.select.count = 1; /* as if its first case had come true */
    pt_select_init(&sorter.frame.choice);
    open_choices();
    fill(1, 1);
    PT_START(&world.loop, &sorter, sorter, PT_KEEP);
    run_world("0:1 1:10 1:-8 ");
}
END_TEST

/* Waits with one selection for one case, then for three. */
struct widening {
    struct pt pt;
    int number;
    PT_SELECTION(3) choice;
};

static PT_ASYNC(widening, self)
{
    PT_SELECT(&self->choice, PT_CASE_EVENT(&bell));
    trace_add("%d@%d ", PT_SELECTED(&self->choice), test_ms(PT_NOW()));
    pt_event_clear(&bell);
    PT_SELECT(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_AFTER(PT_MS(9)),
              PT_CASE_RECV(&numbers, &self->number));
    trace_add("%d:%d@%d ", PT_SELECTED(&self->choice), self->number, test_ms(PT_NOW()));
    PT_SELECT(&self->choice, PT_CASE_AFTER(PT_MS(9)), PT_CASE_RECV(&numbers, &self->number));
    trace_add("%d:%d@%d ", PT_SELECTED(&self->choice), self->pt.status, test_ms(PT_NOW()));
}
PT_END

START_TEST(a_selection_can_have_more_cases_than_at_its_first_use)
{
    static PT_TASK(widening) widening;
    int number = 7;

    test_zero(widening);
    open_choices();
    PT_START(&world.loop, &widening, widening);
    turn(0);
    pt_event_set(&bell);
    turn(1);
    ck_assert_int_eq(pt_channel_balance(&numbers.channel), -1);
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK);
    turn(2);
    pt_channel_close(&numbers.channel); /* of a closed channel, and no sender: it is true at once */
    run_world("0@1 2:7@2 1:-9@2 ");
}
END_TEST

START_TEST(a_closed_channel_without_tasks_is_true_at_once)
{
    static PT_TASK(widening) widening;

    test_zero(widening);
    open_choices();
    pt_channel_close(&numbers.channel);
    pt_event_set(&bell);
    PT_START(&world.loop, &widening, widening);
    turn(0);
    run_world("0@0 2:0@0 1:-9@0 ");
}
END_TEST

START_TEST(a_select_that_does_not_wait_leaves_no_queue_entry)
{
    static PT_TASK(sorter) sorter;

    test_zero(sorter);
    open_choices();
    PT_START(&world.loop, &sorter, sorter);
    run_world("1:-8 ");
    ck_assert_int_eq(pt_wait_queue_count_(&left.queue.poppers), 0);
    ck_assert_int_eq(pt_wait_queue_count_(&right.queue.poppers), 0);
}
END_TEST

/* Selects to send or to receive on one channel. */
struct peer {
    struct pt pt;
    char name;
    int out, in, resumes;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(peer, self)
{
    PT_SELECT(&self->choice, PT_CASE_SEND(&numbers, &self->out), PT_CASE_RECV(&numbers, &self->in));
    self->resumes++;
    trace_add("%c:%d,%d ", self->name, PT_SELECTED(&self->choice), self->in);
}
PT_END

START_TEST(selects_on_one_channel_pair_up)
{
    static PT_TASK(peer) peers[4];

    test_zero(peers);
    open_choices();
    for (int i = 0; i < 4; i++)
        PT_START(&world.loop, &peers[i], peer, .name = (char)('a' + i), .out = i + 1, .in = 0);
    /* no task meets itself; b finds a waiting, and d finds c */
    run_world("b:0,0 d:0,0 a:1,2 c:1,4 ");
    ck_assert_int_eq(pt_channel_balance(&numbers.channel), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(peers[i].frame.resumes, 1);
}
END_TEST

/* Counts how often it is resumed while several tasks select from the same targets. */
struct racer {
    struct pt pt;
    int steps, number;
    PT_SELECTION(3) choice;
};

static PT_ASYNC(racer, self)
{
    for (;;) {
        PT_SELECT(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_POP(&left, &self->number),
                  PT_CASE_RECV(&numbers, &self->number));
        self->steps++;
        if (PT_SELECTED(&self->choice) == 0)
            PT_RETURN(PT_OK);
    }
}
PT_END

START_TEST(a_selecting_task_is_resumed_once_for_each_true_case_and_never_polls)
{
    static PT_TASK(racer) racers[2];
    int number = 0;

    test_zero(racers);
    open_choices();
    PT_START(&world.loop, &racers[0], racer);
    PT_START(&world.loop, &racers[1], racer);
    for (int i = 1; i <= 100; i++) {
        turn(i);
        ck_assert(pt_loop_idle(&world.loop)); /* the racers do not wake each other */
        ck_assert_int_eq(PT_TRY_PUSH(&left, &number), PT_OK);
        ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK);
    }
    turn(101);
    ck_assert_int_eq(racers[0].frame.steps + racers[1].frame.steps, 200);
    ck_assert_int_eq(racers[0].frame.steps, racers[1].frame.steps);
    pt_event_set(&bell);
    run_world("");
}
END_TEST

/* Selects from the same targets twice. */
struct twice {
    struct pt pt;
    int a, b;
    PT_SELECTION(6) choice;
};

static PT_ASYNC(twice, self)
{
    PT_SELECT(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_EVENT(&bell),
              PT_CASE_RECV(&numbers, &self->a), PT_CASE_RECV(&numbers, &self->b),
              PT_CASE_POP(&left, &self->a), PT_CASE_POP(&left, &self->b));
    trace_add("%d:%d:%d,%d ", PT_SELECTED(&self->choice), self->pt.status, self->a, self->b);
}
PT_END

START_TEST(a_select_with_the_same_target_twice_takes_it_once)
{
    static PT_TASK(twice) twice;
    int number = 5;

    for (int how = 0; how < 4; how++) {
        static const char *const traces[] = {"0:0:0,0 ", "2:0:5,0 ", "4:0:5,0 ", "2:-9:0,0 "};

        test_zero(twice);
        open_choices();
        PT_START(&world.loop, &twice, twice);
        turn(0);
        ck_assert_int_eq(wait_list_count(&bell.waiters), 2);
        if (how == 0)
            pt_event_trigger(&bell);
        else if (how == 1)
            ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK);
        else if (how == 2)
            ck_assert_int_eq(PT_TRY_PUSH(&left, &number), PT_OK);
        else
            pt_channel_close(&numbers.channel);
        ck_assert_int_eq(wait_list_count(&bell.waiters), 0);
        ck_assert_int_eq(pt_channel_balance(&numbers.channel), 0);
        ck_assert_int_eq(pt_wait_queue_count_(&left.queue.poppers), 0);
        run_world(traces[how]);
    }
}
END_TEST

/* Serves an event that is always set, 1 ms each time, and beats every 5 ms. */
struct heart {
    struct pt pt;
    bool waits;
    int served;
    pt_time beat;
    PT_SELECTION(2) choice;
};

static PT_ASYNC(heart, self)
{
    for (self->beat = test_at(5); test_ms(PT_NOW()) < 20;) {
        if (self->waits)
            PT_SELECT(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_UNTIL(self->beat));
        else
            PT_SELECT_NOW(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_UNTIL(self->beat));
        if (PT_SELECTED(&self->choice) == 1) {
            trace_add("%d:%d ", test_ms(PT_NOW()), self->served);
            self->beat += PT_MS(5);
        } else {
            self->served++;
            PT_WAIT(PT_MS(1));
        }
    }
}
PT_END

START_TEST(a_case_that_is_always_true_does_not_hide_a_deadline)
{
    for (int waits = 0; waits < 2; waits++) {
        static PT_TASK(heart) heart;

        test_zero(heart);
        open_choices();
        pt_event_set(&bell);
        PT_START(&world.loop, &heart, heart, .waits = waits);
        run_world("5:5 10:10 15:15 ");
    }
}
END_TEST

/* Selects from two times: a delay and a deadline. */
struct timer {
    struct pt pt;
    int delay, deadline;
    PT_SELECTION(3) choice;
};

static PT_ASYNC(timer, self)
{
    PT_SELECT(&self->choice, PT_CASE_AFTER((pt_time)self->delay * PT_MS(1)),
              PT_CASE_UNTIL(test_at(self->deadline)), PT_CASE_EVENT(&bell));
    trace_add("%d@%d ", PT_SELECTED(&self->choice), test_ms(PT_NOW()));
}
PT_END

START_TEST(of_several_times_in_a_select_the_earliest_comes_true)
{
    static const struct {
        int delay, deadline;
        const char *trace;
    } rows[] = {{3, 5, "0@5 "}, {1, 5, "0@3 "}, {5, 5, "1@5 "}, {9, 5, "1@5 "},
                {9, 1, "1@2 "}, {0, 1, "0@2 "}, {9, 2, "1@2 "}, {0, 9, "0@2 "}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static PT_TASK(timer) timer;

        test_zero(timer);
        open_choices();
        turn(2); /* a deadline of 1 is past, and one of 2 has come */
        PT_START(&world.loop, &timer, timer, .delay = rows[i].delay, .deadline = rows[i].deadline);
        run_world(rows[i].trace);
    }
}
END_TEST

#if PT_CANCEL && PT_TIMEOUTS
/* Selects in a block with a timeout. */
struct hurried {
    struct pt pt;
    struct pt_scope limit;
    int number;
    PT_SELECTION(3) choice;
};

static PT_ASYNC(hurried, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(5)) {
        PT_SELECT(&self->choice, PT_CASE_RECV(&numbers, &self->number), PT_CASE_EVENT(&bell),
                  PT_CASE_AFTER(PT_MS(8)));
        trace_add("%d ", PT_SELECTED(&self->choice));
        PT_WAIT(PT_MS(9));
    }
    trace_add("%d:%d@%d ", PT_SELECTED(&self->choice), self->pt.status, test_ms(PT_NOW()));
}
PT_END

static PT_TASK(hurried) hurried;

static void open_hurried(void)
{
    test_zero(hurried);
    open_choices();
    PT_START(&world.loop, &hurried, hurried);
    turn(0);
}

START_TEST(an_interrupted_select_has_selected_nothing)
{
    open_hurried();
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(wait_list_count(&bell.waiters), 0);
    ck_assert_int_eq(PT_SELECTED(&hurried.frame.choice), PT_SELECT_NONE);
    ck_assert_trace("255:-7@5 ");
    test_close(&world);
}
END_TEST

/* Selects; its cleanup traces the result. */
struct tidy {
    struct pt pt;
    int number;
    char way; /* w: also from a time */
    PT_SELECTION(3) choice;
};

static PT_ASYNC(tidy, self)
{
    if (self->way == 'w')
        PT_SELECT(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_RECV(&numbers, &self->number),
                  PT_CASE_AFTER(PT_MS(8)));
    else
        PT_SELECT(&self->choice, PT_CASE_EVENT(&bell), PT_CASE_RECV(&numbers, &self->number));
    trace_add("on ");
    PT_WAIT(PT_MS(1));
    PT_FINALLY
    trace_add("%d@%d ", PT_SELECTED(&self->choice), test_ms(PT_NOW()));
}
PT_END

/* An event or a value comes to a select, and a cancel in the same turn, before or after it. */
static const char *tidied(char way, bool event, bool first)
{
    static PT_TASK(tidy) tidy;
    int number = 7;

    test_zero(tidy);
    open_choices();
    PT_START(&world.loop, &tidy, tidy, .way = way);
    turn(0);
    if (first)
        pt_cancel(&tidy.task, PT_ECANCELED);
    if (event)
        pt_event_set(&bell);
    else
        ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), first ? PT_EAGAIN : PT_OK);
    pt_cancel(&tidy.task, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_int_eq(pt_task_status(&tidy.task), PT_ECANCELED);
    test_close(&world);
    return trace_take();
}

START_TEST(an_event_and_a_cancel_in_one_turn_select_nothing)
{
    for (int timed = 0; timed < 2; timed++)
        for (int first = 0; first < 2; first++)
            ck_assert_str_eq(tidied(timed ? 'w' : '-', true, first), "255@0 ");
}
END_TEST

START_TEST(a_select_that_was_given_a_value_keeps_it_when_a_cancel_follows)
{
    for (int timed = 0; timed < 2; timed++) {
        ck_assert_str_eq(tidied(timed ? 'w' : '-', false, false), "on 1@0 ");
        ck_assert_str_eq(tidied(timed ? 'w' : '-', false, true), "255@0 ");
    }
}
END_TEST

START_TEST(a_select_that_comes_true_at_the_tick_of_the_timeout_counts)
{
    int number = 7;

    open_hurried();
    ck_assert_int_eq(PT_TRY_SEND(&numbers, &number), PT_OK);
    turn(5);
    run_world("0 0:-7@5 ");
    ck_assert_int_eq(hurried.frame.number, 7);
}
END_TEST
#endif

#endif

Suite *suite_choices(void)
{
    Suite *suite = test_suite("choices");

#if PT_SELECTS
    test_add(suite, a_select_takes_cases_that_are_all_true_in_turn);
    test_add(suite, a_selection_in_used_memory_must_be_initialized);
    test_add(suite, a_selection_can_have_more_cases_than_at_its_first_use);
    test_add(suite, a_closed_channel_without_tasks_is_true_at_once);
    test_add(suite, a_select_that_does_not_wait_leaves_no_queue_entry);
    test_add(suite, selects_on_one_channel_pair_up);
    test_add(suite, a_selecting_task_is_resumed_once_for_each_true_case_and_never_polls);
    test_add(suite, a_select_with_the_same_target_twice_takes_it_once);
    test_add(suite, a_case_that_is_always_true_does_not_hide_a_deadline);
    test_add(suite, of_several_times_in_a_select_the_earliest_comes_true);
#if PT_CANCEL && PT_TIMEOUTS
    test_add(suite, an_interrupted_select_has_selected_nothing);
    test_add(suite, an_event_and_a_cancel_in_one_turn_select_nothing);
    test_add(suite, a_select_that_was_given_a_value_keeps_it_when_a_cancel_follows);
    test_add(suite, a_select_that_comes_true_at_the_tick_of_the_timeout_counts);
#endif
#endif
    return suite;
}
#else

Suite *suite_choices(void)
{
    return test_suite("choices");
}

#endif
