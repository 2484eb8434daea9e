/* test_queue.c - values in the order in which they came, up to a limit
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS

#if PT_CHANNELS

static PT_QUEUE(int, 3) line;

/* Pushes the numbers `from` to `to` as fast as it can. */
struct pusher {
    struct pt pt;
    char name;
    int from, to;
};

static PT_ASYNC(pusher, self)
{
    for (; self->from <= self->to; self->from++) {
        PT_PUSH(&line, &self->from);
        trace_add("%c>%d", self->name, self->from);
        if (self->pt.status != PT_OK)
            trace_add("!%d", self->pt.status);
        trace_add("(%u)@%d ", line.queue.count, test_ms(PT_NOW()));
    }
}
PT_END

/* Pops a number of values and pauses after each. */
struct popper {
    struct pt pt;
    char name;
    int times, ms, number;
};

static PT_ASYNC(popper, self)
{
    for (; self->times; self->times--) {
        PT_POP(&line, &self->number);
        trace_add("%c<%d", self->name, self->number);
        if (self->pt.status != PT_OK)
            trace_add("!%d", self->pt.status);
        trace_add("(%u)@%d ", line.queue.count, test_ms(PT_NOW()));
        if (self->ms)
            PT_WAIT((pt_time)self->ms * PT_MS(1));
    }
}
PT_END

static PT_TASK(pusher) pushers[3];
static PT_TASK(popper) poppers[3];

static void open_line(void)
{
    test_zero(pushers);
    test_zero(poppers);
    test_open(&world);
    PT_QUEUE_INIT(&line);
}

static void push(int i, int from, int to)
{
    ck_assert_int_eq(
        PT_START(&world.loop, &pushers[i], pusher, .name = (char)('a' + i), .from = from, .to = to),
        PT_OK);
}

static void pop(int i, int times, int ms)
{
    ck_assert_int_eq(PT_START(&world.loop, &poppers[i], popper, .name = (char)('x' + i),
                              .times = times, .ms = ms),
                     PT_OK);
}

START_TEST(a_fast_producer_waits_for_a_slow_consumer)
{
    open_line();
    push(0, 1, 6);
    pop(0, 6, 1);
    run_world("a>1(1)@0 a>2(2)@0 a>3(3)@0 x<1(3)@0 a>4(3)@0 x<2(3)@1 a>5(3)@1 x<3(3)@2 a>6(3)@2 "
              "x<4(2)@3 x<5(1)@4 x<6(0)@5 ");
}
END_TEST

START_TEST(a_task_that_waits_for_a_value_gets_it_directly)
{
    open_line();
    pop(0, 1, 0);
    pop(1, 1, 0);
    turn(0);
    push(0, 1, 3);
    turn(0); /* the first two were never in the queue */
    ck_assert_trace("a>1(0)@0 a>2(0)@0 a>3(1)@0 ");
    run_world("x<1(1)@0 y<2(1)@0 ");
}
END_TEST

START_TEST(a_task_that_waits_for_a_place_pushes_before_later_tasks)
{
    int number = 0;

    open_line();
    push(0, 1, 4); /* the 4 must wait */
    push(1, 5, 5);
    push(2, 6, 6);
    turn(0);
    ck_assert_trace("a>1(1)@0 a>2(2)@0 a>3(3)@0 ");
    ck_assert_int_eq(pt_wait_queue_count_(&line.queue.pushers), 3);
    for (int i = 1; i <= 6; i++) {
        ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_OK);
        ck_assert_int_eq(number, i);
        ck_assert_uint_eq(line.queue.count, i < 4 ? 3u : (unsigned)(6 - i));
    }
    run_world("a>4(0)@0 b>5(0)@0 c>6(0)@0 ");
}
END_TEST

START_TEST(the_places_of_a_queue_wrap_around)
{
    int number = 0, came = 0;

    open_line();
    for (int i = 0; i < 20; i++) { /* one or two more each time: the queue fills and empties */
        number = i;
        ck_assert_int_eq(PT_TRY_PUSH(&line, &number), PT_OK);
        if (i % 3 != 2)
            continue;
        while (PT_TRY_POP(&line, &number) == PT_OK)
            ck_assert_int_eq(number, came++);
        ck_assert_int_eq(came, i + 1);
        ck_assert_int_eq(PT_TRY_PUSH(&line, &number), PT_OK); /* now the start is off by one */
        ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_OK);
    }
    test_close(&world);
}
END_TEST

START_TEST(a_full_or_empty_queue_fails_with_a_code)
{
    int number = 7;

    open_line();
    ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_EAGAIN);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PT_TRY_PUSH(&line, &number), PT_OK);
    ck_assert_int_eq(PT_TRY_PUSH(&line, &number), PT_EAGAIN);
    ck_assert_uint_eq(line.queue.count, 3);
    test_close(&world);
}
END_TEST

START_TEST(the_remaining_values_of_a_closed_queue_are_popped)
{
    int number = 7;

    open_line();
    push(0, 1, 4);
    turn(0);
    pt_queue_close(&line.queue);
    ck_assert(line.queue.closed);
    ck_assert_int_eq(PT_TRY_PUSH(&line, &number), PT_ECLOSED);
    pop(0, 4, 0);
    run_world("a>1(1)@0 a>2(2)@0 a>3(3)@0 a>4!-9(3)@0 x<1(2)@0 x<2(1)@0 x<3(0)@0 x<3!-9(0)@0 ");
    ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_ECLOSED);
    ck_assert_int_eq(number, 7);
}
END_TEST

START_TEST(a_close_ends_the_waits_of_all_that_pop)
{
    open_line();
    pop(0, 1, 0);
    pop(1, 2, 0);
    turn(0);
    pt_queue_close(&line.queue);
    run_world("x<0!-9(0)@0 y<0!-9(0)@0 y<0!-9(0)@0 ");
}
END_TEST

START_TEST(a_stack_pops_the_last_value_first)
{
    int number = 0;

    open_line();
    line.queue.lifo = true;
    push(0, 1, 5);
    turn(0);
    for (int i = 0; i < 3; i++) { /* a waiting pusher takes each place that becomes free */
        static const int expected[] = {3, 4, 5};

        ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_OK);
        ck_assert_int_eq(number, expected[i]);
        turn(i);
    }
    ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_OK);
    ck_assert_int_eq(number, 2);
    ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_OK);
    ck_assert_int_eq(number, 1);
    ck_assert_int_eq(PT_TRY_POP(&line, &number), PT_EAGAIN);
    run_world("a>1(1)@0 a>2(2)@0 a>3(3)@0 a>4(3)@0 a>5(3)@1 ");
}
END_TEST

/* A queue without places: the macros need only a pointer to the type of its values. */
static struct {
    struct pt_queue_ queue;
    int *items;
} nothing;

struct giver {
    struct pt pt;
    int number;
};

static PT_ASYNC(giver, self)
{
    for (; self->number < 3; self->number++) {
        PT_PUSH(&nothing, &self->number);
        trace_add(">%d ", self->number);
    }
    pt_queue_close(&nothing.queue);
}
PT_END

struct taker {
    struct pt pt;
    int number;
};

static PT_ASYNC(taker, self)
{
    PT_POP_EACH(&nothing, &self->number) {
        trace_add("<%d ", self->number);
    }
    trace_add("end:%d ", self->pt.status);
}
PT_END

START_TEST(a_queue_without_places_transfers_values_directly)
{
    static PT_TASK(giver) giver;
    static PT_TASK(taker) taker;

    test_zero(giver);
    test_zero(taker);
    open_line();
    pt_queue_init(&nothing.queue, NULL, 0);
    PT_START(&world.loop, &giver, giver, .number = 1);
    PT_START(&world.loop, &taker, taker);
    run_world("<1 >1 >2 <2 end:-9 ");
}
END_TEST

/* Pops until the queue is closed and empty, with a pause after each value. */
struct eater {
    struct pt pt;
    int number;
};

static PT_ASYNC(eater, self)
{
    PT_POP_EACH(&line, &self->number) {
        trace_add("[%d] ", self->number);
        if (self->number == 4)
            PT_WAIT(PT_MS(1));
        if (self->number == 5)
            pt_queue_close(&line.queue);
    }
    trace_add("end:%d@%d ", self->pt.status, test_ms(PT_NOW()));
}
PT_END

START_TEST(each_value_is_popped_until_the_queue_is_closed_and_empty)
{
    static PT_TASK(eater) eater;

    test_zero(eater);
    open_line();
    PT_START(&world.loop, &eater, eater);
    push(0, 3, 7);
    run_world("a>3(0)@0 a>4(1)@0 a>5(2)@0 a>6(3)@0 [3] [4] a>7(3)@0 [5] [6] [7] end:-9@1 ");
}
END_TEST

/* Pops until the queue is empty. */
struct drain {
    struct pt pt;
    int number;
};

static PT_ASYNC(drain, self)
{
    PT_POP_EACH(&line, &self->number)
        PT_YIELD();
}
PT_END

static void leave_a_mess(void)
{
    volatile unsigned char stack[1000];

    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = 0xff;
}

START_TEST(a_generator_pops_from_a_closed_queue_whatever_its_stack_held)
{
    void (*volatile mess)(void) = leave_a_mess; /* not inlined: both use the same stack */
    bool (*volatile next)(struct pt *) = pt_next;
    struct drain drain;

    open_line();
    for (int i = 1; i <= 3; i++)
        ck_assert_int_eq(PT_TRY_PUSH(&line, &i), PT_OK);
    pt_queue_close(&line.queue);
    PT_INIT(&drain, drain, .number = 0);
    for (int i = 1; i <= 3; i++) {
        mess();
        ck_assert(next(&drain.pt));
        ck_assert_int_eq(drain.number, i);
    }
    mess();
    ck_assert(!next(&drain.pt));
    ck_assert_int_eq(drain.pt.status, PT_OK);
    test_close(&world);
}
END_TEST

#endif

Suite *suite_queue(void)
{
    Suite *suite = test_suite("queue");

#if PT_CHANNELS
    test_add(suite, a_fast_producer_waits_for_a_slow_consumer);
    test_add(suite, a_task_that_waits_for_a_value_gets_it_directly);
    test_add(suite, a_task_that_waits_for_a_place_pushes_before_later_tasks);
    test_add(suite, the_places_of_a_queue_wrap_around);
    test_add(suite, a_full_or_empty_queue_fails_with_a_code);
    test_add(suite, the_remaining_values_of_a_closed_queue_are_popped);
    test_add(suite, a_close_ends_the_waits_of_all_that_pop);
    test_add(suite, a_stack_pops_the_last_value_first);
    test_add(suite, a_queue_without_places_transfers_values_directly);
    test_add(suite, each_value_is_popped_until_the_queue_is_closed_and_empty);
    test_add(suite, a_generator_pops_from_a_closed_queue_whatever_its_stack_held);
#endif
    return suite;
}
#else

Suite *suite_queue(void)
{
    return test_suite("queue");
}

#endif
