/* test_late.c - transfers that a body leaves to a call: the other task selects, or is watched
 * SPDX-License-Identifier: MIT */
/* with the room coroutine: others of its own have some of its names */
#include "pt_test.h"

#if PT_PORT && PT_CHANNELS && PT_SELECTS && PT_AWAIT && PT_CLEANUP

enum { CROWD = 300 };

static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 2) queue;

/* --- tasks that wait by a select --------------------------------------------------------------- */

struct chooser {
    struct pt pt;
    PT_SELECTION(2) choice;
    int number, value;
};

static PT_ASYNC(chooser, self)
{
    PT_SELECT(&self->choice, PT_CASE_RECV(&channel, &self->value),
              PT_CASE_POP(&queue, &self->value));
    trace_add("%d:%d ", self->number, self->value);
}
PT_END

struct offerer {
    struct pt pt;
    PT_SELECTION(2) choice;
    int value, other;
};

static PT_ASYNC(offerer, self)
{
    PT_SELECT(&self->choice, PT_CASE_SEND(&channel, &self->value),
              PT_CASE_SEND(&channel, &self->other));
    trace_add("sent ");
}
PT_END

static PT_TASK(chooser) choosers[CROWD];

static void open_with(int count)
{
    test_zero(choosers);
    test_open(&world);
    pt_channel_init(&channel.channel, PT_PREFER_NEITHER);
    PT_QUEUE_INIT(&queue);
    for (int i = 0; i < count; i++)
        PT_START(&world.loop, &choosers[i], chooser, .number = i);
    turn(0);
}

/* --- values and their places are evaluated once ------------------------------------------------ */

struct sender {
    struct pt pt;
    int values[3], sent, looked;
};

static int *next_of(struct sender *self)
{
    self->looked++;
    return &self->values[self->sent++];
}

static PT_ASYNC(sender, self)
{
    for (self->sent = 0; self->sent < 3; self->sent++)
        self->values[self->sent] = 10 + self->sent;
    self->sent = 0;
    PT_SEND(&channel, next_of(self));
    PT_PUSH(&queue, next_of(self));
    PT_SEND(&channel, next_of(self));
    trace_add("looked %d ", self->looked);
}
PT_END

START_TEST(a_value_to_a_task_that_selects_is_evaluated_once)
{
    static PT_TASK(sender) sender;

    test_zero(sender);
    open_with(3);
    PT_START(&world.loop, &sender, sender, .looked = 0);
    run_world("looked 3 0:10 1:11 2:12 ");
}
END_TEST

struct receiver {
    struct pt pt;
    int values[2], got;
};

static PT_ASYNC(receiver, self)
{
    PT_RECV(&channel, &self->values[self->got++]);
    PT_RECV(&channel, &self->values[self->got++]);
    trace_add("got %d %d of %d ", self->values[0], self->values[1], self->got);
}
PT_END

START_TEST(a_value_from_a_task_that_selects_is_received_once)
{
    static PT_TASK(offerer) offerers[2];
    static PT_TASK(receiver) receiver;

    test_zero(offerers);
    test_zero(receiver);
    open_with(0);
    for (int i = 0; i < 2; i++)
        PT_START(&world.loop, &offerers[i], offerer, .value = i + 1, .other = i + 5);
    turn(0);
    PT_START(&world.loop, &receiver, receiver, .got = 0);
    run_world("got 1 2 of 2 sent sent ");
}
END_TEST

/* --- what the step is like --------------------------------------------------------------------- */

struct giver {
    struct pt pt;
    int i;
    bool moved;
    uintptr_t at;
};

static PT_ASYNC(giver, self)
{
    for (self->i = 0; self->i < CROWD; self->i++) {
        PT_SEND(&channel, &self->i);
        { /* a local of this call */
            volatile char here = 0;

            self->moved |= self->i > 1 && self->at != (uintptr_t)&here;
            self->at = (uintptr_t)&here;
        }
    }
    trace_add("%s ", self->moved ? "deeper" : "level");
}
PT_END

START_TEST(values_to_tasks_that_select_take_one_step_and_no_stack)
{
    static PT_TASK(giver) giver;

    test_zero(giver);
    open_with(CROWD);
    PT_START(&world.loop, &giver, giver, .i = 0, .moved = false, .at = 0);
    turn(0);
    ck_assert_trace("level ");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    for (int i = 0; i < CROWD; i++)
        ck_assert_int_eq(choosers[i].frame.value, i);
    (void)trace_take();
    test_close(&world);
}
END_TEST

/* Without a loop there is nobody to resume it: the first call of the step does. */
START_TEST(a_generator_sends_to_tasks_that_select_without_stack_for_each)
{
    static struct giver giver;

    open_with(CROWD);
    PT_INIT(&giver, giver, .moved = false, .at = 0);
    ck_assert(!pt_next(&giver.pt));
    ck_assert_trace("level ");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    for (int i = 0; i < CROWD; i++)
        ck_assert_int_eq(choosers[i].frame.value, i);
    (void)trace_take();
    test_close(&world);
}
END_TEST

#if PT_DEBUG && PT_HOSTED /* a part overwrites less of its stack */
enum { BYTES = 16 };

/* Inlined, these functions would show the compiler that the local is lost, and it would reject the program. */
PT_NOINLINE void set_ones(volatile unsigned char *bytes)
{
    for (int i = 0; i < BYTES; i++)
        bytes[i] = 1;
}

PT_NOINLINE unsigned lost_ones(volatile unsigned char *bytes)
{
    unsigned lost = 0;

    for (int i = 0; i < BYTES; i++)
        lost += bytes[i] != 1;
    return lost;
}

/* The body is resumed after each transfer, also if it has not waited: so a lost local shows. */
struct forgetful {
    struct pt pt;
    int i;
    unsigned lost;
};

static PT_ASYNC(forgetful, self)
{
    for (self->i = 0; self->i < 2; self->i++) {
        volatile unsigned char local[BYTES];

        set_ones(local);
        PT_PUSH(&queue, &self->i);
        self->lost += lost_ones(local);
    }
}
PT_END

START_TEST(a_local_that_a_transfer_would_lose_is_lost_although_there_is_room)
{
    static PT_TASK(forgetful) forgetful;

    test_zero(forgetful);
    open_with(0);
    PT_START(&world.loop, &forgetful, forgetful, .lost = 0);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_uint_ge(forgetful.frame.lost, BYTES);
    test_close(&world);
}
END_TEST
#endif

#if PT_INSPECT && PT_TIMEOUTS
/* --- an observer ------------------------------------------------------------------------------- */

static void told_resumes(struct pt_observer *self, struct pt_task *task)
{
    (void)self;
    trace_add("<%s ", pt_task_name(task));
}

static void told_returned(struct pt_observer *self, struct pt_task *task, enum pt_opcode op)
{
    (void)self;
    (void)task;
    trace_add("%s> ", pt_op_name(op));
}

static struct pt_observer observer;

/* Its cleanup sends. */
struct leaver {
    struct pt pt;
    struct pt_scope limit;
    int value;
};

static PT_ASYNC(leaver, self)
{
    self->value = 5;
    PT_WITH_TIMEOUT(&self->limit, PT_MS(10)) {
        PT_SEND(&channel, &self->value);
        PT_RETURN(PT_OK);
    }
    PT_FINALLY
    self->value = 6;
    PT_SEND(&channel, &self->value);
}
PT_END

START_TEST(an_observer_sees_one_step_in_which_values_are_sent)
{
    static PT_TASK(leaver) leaver;

    test_zero(leaver);
    open_with(2);
    observer.resumes = told_resumes;
    observer.returned = told_returned;
    pt_loop_observe(&world.loop, &observer);
    PT_START(&world.loop, &leaver, leaver);
    run_world("<leaver DONE> <chooser 0:5 DONE> <chooser 1:6 DONE> ");
}
END_TEST
#endif

/* --- preferences ------------------------------------------------------------------------------- */

struct eager {
    struct pt pt;
    int value;
};

static PT_ASYNC(eager, self)
{
    PT_SEND(&channel, &self->value);
    trace_add("goes on ");
}
PT_END

START_TEST(a_select_that_comes_second_goes_on_at_once_whatever_the_channel_prefers)
{
    static PT_TASK(receiver) receiver;
    static PT_TASK(offerer) offerer;

    test_zero(receiver);
    test_zero(offerer);
    open_with(0);
    channel.channel.preference = PT_PREFER_RECEIVER;
    PT_START(&world.loop, &receiver, receiver, .got = 0);
    turn(0);
    PT_START(&world.loop, &offerer, offerer, .value = 7);
    turn(0);
    ck_assert_trace("sent ");
    pt_channel_close(&channel.channel);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    (void)trace_take();
    test_close(&world);
}
END_TEST

START_TEST(a_receiver_that_is_preferred_runs_first_also_if_it_selects)
{
    static PT_TASK(eager) eager;

    for (int selects = 0; selects <= 1; selects++) {
        static PT_TASK(receiver) receiver;

        test_zero(eager);
        test_zero(receiver);
        open_with(selects);
        channel.channel.preference = PT_PREFER_RECEIVER;
        if (!selects)
            PT_START(&world.loop, &receiver, receiver, .got = 0);
        turn(0);
        PT_START(&world.loop, &eager, eager, .value = 7);
        turn(0);
        ck_assert_trace("");
        turn(0);
        ck_assert_trace(selects ? "0:7 goes on " : "goes on ");
        if (!selects) {
            PT_IF_(PT_CANCEL, pt_cancel(&receiver.task, PT_ECANCELED));
        }
        pt_channel_close(&channel.channel);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
        (void)trace_take();
        test_close(&world);
    }
}
END_TEST

#endif

Suite *suite_late(void)
{
    Suite *suite = test_suite("late");

#if PT_PORT && PT_CHANNELS && PT_SELECTS && PT_AWAIT && PT_CLEANUP
    test_add(suite, a_value_to_a_task_that_selects_is_evaluated_once);
    test_add(suite, a_value_from_a_task_that_selects_is_received_once);
    test_add(suite, values_to_tasks_that_select_take_one_step_and_no_stack);
    test_add(suite, a_generator_sends_to_tasks_that_select_without_stack_for_each);
#if PT_DEBUG && PT_HOSTED
    test_add(suite, a_local_that_a_transfer_would_lose_is_lost_although_there_is_room);
#endif
#if PT_INSPECT && PT_TIMEOUTS
    test_add(suite, an_observer_sees_one_step_in_which_values_are_sent);
#endif
    test_add(suite, a_select_that_comes_second_goes_on_at_once_whatever_the_channel_prefers);
    test_add(suite, a_receiver_that_is_preferred_runs_first_also_if_it_selects);
#endif
    return suite;
}
