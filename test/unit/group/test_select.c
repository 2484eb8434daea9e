/* test_select.c - wait for whichever comes first; exactly one comes true
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS && PT_JOINS

#if PT_SELECTS

static struct pt_event chime;
static struct pt_semaphore seats;
static struct pt_lock door;
static PT_CHANNEL(int) in, out;
static PT_QUEUE(int, 1) empty, full;

struct napper {
    struct pt pt;
};

static PT_ASYNC(napper, self)
{
    PT_PARK();
    PT_RETURN((pt_status)-77);
}
PT_END

static PT_TASK(napper) napper;

enum { BELL, SEATS, DOOR, IN, OUT, EMPTY, FULL, NAPPER, TIME, CASES };

/* Selects from every kind of case, `times` times. */
struct chooser {
    struct pt pt;
    int times;
    pt_time delay;
    int sent, received, pushed, popped;
    PT_SELECTION(CASES) choice;
};

static PT_ASYNC(chooser, self)
{
    for (; self->times; self->times--) {
        PT_SELECT(&self->choice, PT_CASE_EVENT(&chime), PT_CASE_ACQUIRE(&seats),
                  PT_CASE_LOCK(&door), PT_CASE_RECV(&in, &self->received),
                  PT_CASE_SEND(&out, &self->sent), PT_CASE_POP(&empty, &self->popped),
                  PT_CASE_PUSH(&full, &self->pushed), PT_CASE_JOIN(&napper.task),
                  PT_CASE_AFTER(self->delay));
        trace_add("%d:%d@%d ", PT_SELECTED(&self->choice), self->pt.status, test_ms(PT_NOW()));
    }
}
PT_END

static PT_TASK(chooser) chooser, holder; /* holder: never runs */

/* Open everything such that no case is true. */
static void open_channels(void)
{
    int number = 0;

    test_zero(chooser);
    test_zero(napper);
    test_open(&world);
    pt_event_init(&chime);
    pt_semaphore_init(&seats, 0, 9);
    pt_lock_init(&door);
    pt_lock_try(&door, &holder.task);
    pt_channel_init(&in.channel, PT_PREFER_NEITHER);
    pt_channel_init(&out.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&empty);
    PT_QUEUE_INIT(&full);
    ck_assert_int_eq(PT_TRY_PUSH(&full, &number), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &napper, napper), PT_OK);
    turn(0);
}

static void choose(int times, pt_time delay)
{
    ck_assert_int_eq(PT_START(&world.loop, &chooser, chooser, .times = times, .delay = delay,
                              .sent = 11, .pushed = 22, .received = -1, .popped = -1),
                     PT_OK);
    turn(0);
}

static void open_chooser(int times, int ms)
{
    open_channels();
    choose(times, (pt_time)ms * PT_MS(1));
}

/* Check that the task is in every queue (1) or in none (0). */
static void check_queues(int each)
{
    ck_assert_int_eq(wait_list_count(&chime.waiters), each);
    ck_assert_int_eq(pt_wait_queue_count_(&seats.waiters), each);
    ck_assert_int_eq(pt_wait_queue_count_(&door.waiters), each);
    ck_assert_int_eq(pt_channel_balance(&in.channel), -each);
    ck_assert_int_eq(pt_channel_balance(&out.channel), each);
    ck_assert_int_eq(pt_wait_queue_count_(&empty.queue.poppers), each);
    ck_assert_int_eq(pt_wait_queue_count_(&full.queue.pushers), each);
#if PT_JOINS
    if (pt_task_alive(&napper.task))
        ck_assert_int_eq(wait_list_count(&napper.task.joiners), each);
#endif
}

/* Make one case true from outside. */
static void fulfil(int which)
{
    int number = 33;

    if (which == BELL)
        pt_event_trigger(&chime);
    else if (which == SEATS)
        ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
    else if (which == DOOR)
        ck_assert_int_eq(pt_lock_release(&door, door.owner), PT_OK);
    else if (which == IN)
        ck_assert_int_eq(PT_TRY_SEND(&in, &number), PT_OK);
    else if (which == OUT)
        ck_assert_int_eq(PT_TRY_RECV(&out, &number), PT_OK);
    else if (which == EMPTY)
        ck_assert_int_eq(PT_TRY_PUSH(&empty, &number), PT_OK);
    else if (which == FULL)
        ck_assert_int_eq(PT_TRY_POP(&full, &number), PT_OK);
    else if (which == NAPPER)
        pt_wake(&napper.task);
    if (which == OUT)
        ck_assert_int_eq(number, 11);
}

static void end_chooser(void)
{
    int number = 0;

    check_queues(0);
    pt_wake(&napper.task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_uint_eq(seats.count, 0);
    ck_assert_uint_eq(empty.queue.count, 0);
    while (PT_TRY_POP(&full, &number) == PT_OK)
        trace_add("full:%d ", number);
}

START_TEST(each_kind_of_case_comes_true_alone)
{
    static const char *const traces[] = {
        "0:0@1 full:0 ", "1:0@1 full:0 ", "2:0@1 full:0 ",  "3:0@1 full:0 ",
        "4:0@1 full:0 ", "5:0@1 full:0 ", "6:0@1 full:22 ", "7:-77@1 full:0 ",
    };

    for (int which = BELL; which < TIME; which++) {
        open_chooser(1, 9);
        check_queues(1);
        fulfil(which);
        turn(1);
        turn(1); /* a join takes another turn */
        end_chooser();
        ck_assert_trace(traces[which]);
        ck_assert_int_eq(chooser.frame.received, which == IN ? 33 : -1);
        ck_assert_int_eq(chooser.frame.popped, which == EMPTY ? 33 : -1);
        ck_assert(door.owner == (which == DOOR ? &chooser.task : &holder.task));
        test_close(&world);
    }
}
END_TEST

START_TEST(each_kind_of_case_can_be_true_from_the_start)
{
    static const char *const traces[] = {
        "0:0@0 full:0 ", "1:0@0 full:0 ",  "2:0@0 full:0 ",   NULL, NULL,
        "5:0@0 full:0 ", "6:0@0 full:22 ", "7:-77@0 full:0 ",
    };

    for (int which = BELL; which < TIME; which++) {
        if (which == IN || which == OUT)
            continue; /* these need a second task: test_choices.c */
        open_channels();
        fulfil(which);
        if (which == BELL)
            pt_event_set(&chime);
        turn(0);
        choose(1, PT_MS(9));
        ck_assert(pt_task_done(&chooser.task));
        end_chooser();
        ck_assert_trace(traces[which]);
        test_close(&world);
    }
}
END_TEST

START_TEST(the_time_comes_true_if_nothing_else_does)
{
    open_chooser(2, 3);
    turn(2);
    ck_assert_trace("");
    turn(3);
    check_queues(1); /* the second time */
    turn(6);
    end_chooser();
    ck_assert_trace("8:0@3 8:0@6 full:0 ");
    test_close(&world);
}
END_TEST

START_TEST(a_case_that_comes_true_before_the_time_disarms_the_timer)
{
    open_chooser(1, 3);
    turn(2);
    fulfil(SEATS);
    ck_assert(pt_timers_first_(&world.loop.timers) == NULL);
    turn(3); /* the time is over now, too, but too late */
    end_chooser();
    ck_assert_trace("1:0@3 full:0 ");
    test_close(&world);
}
END_TEST

START_TEST(of_two_cases_in_one_turn_only_the_first_is_taken)
{
    open_chooser(1, 9);
    fulfil(IN);
    ck_assert_int_eq(PT_TRY_PUSH(&empty, &chooser.frame.sent), PT_OK); /* stays in the queue */
    ck_assert_uint_eq(empty.queue.count, 1);
    ck_assert_int_eq(pt_semaphore_release(&seats), PT_OK);
    turn(1);
    ck_assert_int_eq(PT_TRY_POP(&empty, &chooser.frame.popped), PT_OK);
    ck_assert_int_eq(pt_semaphore_try(&seats), PT_OK);
    end_chooser();
    ck_assert_trace("3:0@1 full:0 ");
    test_close(&world);
}
END_TEST

START_TEST(a_case_on_a_closed_object_comes_true_with_its_code)
{
    open_chooser(4, 9);
    pt_channel_close(&in.channel);
    turn(1);
    ck_assert_int_eq(PT_SELECTED(&chooser.frame.choice),
                     IN); /* the select runs again with the same result */
    end_chooser();
    ck_assert_trace("3:-9@1 3:-9@1 3:-9@1 3:-9@1 full:0 ");
    test_close(&world);
}
END_TEST

START_TEST(a_delay_that_is_too_long_comes_true_at_once_with_its_code)
{
    if (PT_DEBUG)
        return; /* it stops: test/misuse/delay_long.c */
    open_channels();
    choose(1, PT_DELAY_NEVER);
    end_chooser();
    ck_assert_trace("8:-5@0 full:0 ");
    test_close(&world);
}
END_TEST

#if PT_REMOTE
struct ringer {
    struct pt pt;
};

static PT_ASYNC(ringer, self)
{
    (void)self;
    PT_WAIT(PT_MS(3));
    pt_event_set(&chime);
}
PT_END

START_TEST(in_the_turn_of_its_time_a_select_hears_a_post_and_no_task)
{
    static PT_TASK(ringer) ringer;
    struct pt_remote post;

    for (int posts = 0; posts < 2; posts++) {
        test_zero(ringer);
        open_channels();
        PT_START(&world.loop, &ringer, ringer); /* it runs before the task that selects */
        choose(1, PT_MS(3));
        pt_remote_open(&post, &world.loop, pt_remote_set, &chime);
        if (posts)
            ck_assert_int_eq(pt_remote_post(&post), PT_OK);
        turn(3);
        pt_remote_close(&post);
        end_chooser();
        ck_assert_trace(posts ? "0:0@3 full:0 " : "8:0@3 full:0 ");
        test_close(&world);
    }
}
END_TEST
#endif

#if PT_PAUSE
START_TEST(a_paused_task_keeps_the_result_of_its_select)
{
    open_chooser(1, 3);
    pt_pause(&chooser.task);
    turn(1);
    fulfil(IN);
    check_queues(0);
    turn(2);
    turn(5);
    ck_assert_trace("");
    pt_resume(&chooser.task);
    turn(6);
    end_chooser();
    ck_assert_trace("3:0@6 full:0 ");
    test_close(&world);
}
END_TEST
#endif

#endif

Suite *suite_select(void)
{
    Suite *suite = test_suite("select");

#if PT_SELECTS
    test_add(suite, each_kind_of_case_comes_true_alone);
    test_add(suite, each_kind_of_case_can_be_true_from_the_start);
    test_add(suite, the_time_comes_true_if_nothing_else_does);
    test_add(suite, a_case_that_comes_true_before_the_time_disarms_the_timer);
    test_add(suite, of_two_cases_in_one_turn_only_the_first_is_taken);
    test_add(suite, a_case_on_a_closed_object_comes_true_with_its_code);
    test_add(suite, a_delay_that_is_too_long_comes_true_at_once_with_its_code);
#if PT_REMOTE
    test_add(suite, in_the_turn_of_its_time_a_select_hears_a_post_and_no_task);
#endif
#if PT_PAUSE
    test_add(suite, a_paused_task_keeps_the_result_of_its_select);
#endif
#endif
    return suite;
}
#else

Suite *suite_select(void)
{
    return test_suite("select");
}

#endif
