/* test_native_next.c - which native task is next without the loop, and where each returns to
 * SPDX-License-Identifier: MIT */
#include "test_native.h"

#if TEST_NATIVE

/* Traces each letter of its argument and yields after each. */
static pt_status spell(struct pt_native *self)
{
    for (const char *word = (const char *)self->argument; *word; word++) {
        trace_add("%c ", *word);
        if (pt_native_yield(self) != PT_OK)
            trace_add("canceled ");
    }
    return PT_OK;
}

static char letters[STACKS][8] = {"abc", "pqrst", "xyz"};

static void open_spellers(void)
{
    open_natives();
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PT_START(&world.loop, &natives[i], ON(i, spell), .argument = letters[i]),
                         PT_OK);
}

/* Turn from a deeper frame, where the frames of another turn were. */
static void turn_from_below(void)
{
    volatile char room[2000];

    memset((void *)(uintptr_t)room, 0x5a, sizeof room);
    turn(0);
    ck_assert_int_eq(room[7] + room[1999], 2 * 0x5a);
}

START_TEST(a_native_task_returns_to_the_turn_that_resumed_it)
{
    open_spellers();
    turn(0);
    turn(0);
    turn_from_below();
    turn(0);
    turn_from_below(); /* the first task has ended */
    turn(0);
    turn_from_below();
    ck_assert_trace("a p x b q y c r z s t ");
    ck_assert_int_eq(pt_task_status(&natives[1].task), PT_OK);
    test_close(&world);
}
END_TEST

static pt_status pause_the_second_and_cancel_the_third(struct pt_native *self)
{
    pt_pause(&natives[1].task);
    pt_cancel(&natives[2].task, PT_ECANCELED);
    ck_assert_int_eq(pt_native_yield(self), PT_OK);
    pt_resume(&natives[1].task);
    return PT_OK;
}

START_TEST(a_native_task_does_not_switch_to_a_paused_or_canceled_one)
{
    open_spellers();
    turn(0);
    start(3, pause_the_second_and_cancel_the_third);
    turn(0);
    ck_assert_trace("a p x b q y ");
    run_world("c canceled z canceled r s t "); /* each yield returns the code */
}
END_TEST

#if PT_CHANNELS

static PT_CHANNEL(int) numbers;

/* A stackless task that runs when it is woken. */
struct walker {
    struct pt pt;
    int left;
};

static PT_ASYNC(walker, self)
{
    for (; self->left > 0; self->left--) {
        PT_PARK();
        trace_add("w ");
    }
}
PT_END

static PT_TASK(walker) walker;

/* Wakes the walker before every third value, or every fifth. */
static pt_status send_forty(struct pt_native *self)
{
    int period = self == &natives[0].frame ? 3 : 5;

    for (int i = 0; i < 40; i++) {
        trace_add("s%d ", i);
        if (i % period == 2)
            pt_wake(&walker.task);
        ck_assert_int_eq(pt_native_send(self, &numbers, &i), PT_OK);
    }
    return PT_OK;
}

static pt_status recv_forty(struct pt_native *self)
{
    int number;

    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(pt_native_recv(self, &numbers, &number), PT_OK);
        trace_add("r%d ", number);
    }
    return PT_OK;
}

START_TEST(native_tasks_that_begin_a_batch_run_in_the_order_of_turns)
{
    char by_turns[2048];

    for (int run = 0; run < 2; run++) {
        open_natives();
        test_zero(walker);
        pt_channel_init(&numbers.channel, PT_PREFER_NEITHER);
        for (int i = 0; i < 4; i++)
            start(i, i % 2 ? recv_forty : send_forty);
        PT_START(&world.loop, &walker, walker, .left = 8);
        if (run) {
            run_world(by_turns);
        } else {
            while (pt_loop_live(&world.loop))
                pt_loop_turn(&world.loop, TEST_START);
            strcpy(by_turns, trace_take());
            test_close(&world);
        }
    }
}
END_TEST

#if PT_REMOTE
static int sent, sent_at_post;

static void note_post(struct pt_remote *self, unsigned times)
{
    (void)self;
    (void)times;
    sent_at_post = sent;
}

static pt_status send_and_post(struct pt_native *self)
{
    struct pt_remote remote;

    pt_remote_open(&remote, self->loop, note_post, NULL);
    for (sent = 0; sent < 1000; sent++) {
        if (sent == 100)
            ck_assert_int_eq(pt_remote_post(&remote), PT_OK);
        ck_assert_int_eq(pt_native_send(self, &numbers, &sent), PT_OK);
    }
    pt_remote_close(&remote);
    return PT_OK;
}

static pt_status recv_thousand(struct pt_native *self)
{
    int number;

    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(pt_native_recv(self, &numbers, &number), PT_OK);
    return PT_OK;
}

START_TEST(a_post_waits_for_one_batch_of_native_tasks)
{
    open_natives();
    pt_channel_init(&numbers.channel, PT_PREFER_NEITHER);
    start(0, send_and_post);
    start(1, recv_thousand);
    run_world("");
    ck_assert_int_ge(sent_at_post, 100);
    ck_assert_int_le(sent_at_post, 104);
}
END_TEST
#endif

static pt_status recv_and_sleep(struct pt_native *self)
{
    int number = 0;

    ck_assert_int_eq(pt_native_recv(self, &numbers, &number), PT_OK);
    trace_add("got %d ", number);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(9)), PT_ECANCELED);
    trace_add("canceled@%d ", now_of(self));
    return PT_OK;
}

static pt_status send_and_cancel(struct pt_native *self)
{
    int number = 42;

    ck_assert_int_eq(pt_native_send(self, &numbers, &number), PT_OK);
    ck_assert_int_eq(pt_native_wait(self, PT_MS(5)), PT_OK);
    pt_cancel(&natives[0].task, PT_ECANCELED);
    return PT_OK;
}

START_TEST(a_value_given_to_a_native_task_does_not_protect_its_next_wait)
{
    open_natives();
    pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
    start(0, recv_and_sleep);
    start(1, send_and_cancel);
    run_world("got 42 canceled@5 ");
}
END_TEST

#endif

#if PT_HAS_DIRECT_
static PT_POOL(pt_native, 2) pooled;

/* Yields until the other one has begun, and looks for it in the node that the ready queue has. */
static pt_status look_at_the_other(struct pt_native *self)
{
    int other = self->task == &pooled.items[0].task;

    ck_assert_int_eq(pt_native_yield(self), PT_OK);
    ck_assert_int_eq(pt_native_yield(self), PT_OK);
    if (pt_task_alive(&pooled.items[other].task))
        ck_assert_ptr_eq(pt_native_of_(self, &pooled.items[other].task.node),
                         &pooled.items[other].frame);
    trace_add("%d ", other);
    return PT_OK;
}

START_TEST(a_native_task_of_a_pool_is_known_in_the_ready_queue)
{
    open_natives();
    memset(&pooled, 0, sizeof pooled);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(PT_START_FROM(&world.loop, &pooled, ON(i, look_at_the_other)), PT_OK);
    run_world("1 0 ");
}
END_TEST
#endif

/* A body that resumes another native frame, its argument, by hand and traces its opcodes. */
static pt_status drive(struct pt_native *self)
{
    struct pt_native *inner = (struct pt_native *)self->argument;

    ck_assert_int_eq(pt_native_yield(self), PT_OK); /* another task is next in the queue */
    PT_INIT(inner, ON(2, spell), .argument = letters[0]);
    for (int i = 0; i < 3; i++) {
        pt_op op = PT_FN(pt_native)(&inner->pt, self->task);

        trace_add("%s ", pt_op_name((enum pt_opcode)op.code));
    }
    ck_assert_int_eq(PT_FN(pt_native)(&inner->pt, self->task).code, PT_OP_DONE);
    return PT_OK;
}

/* Awaits a driver, or a speller in the frame that a driver would resume: as far behind the task. */
struct twins {
    struct pt pt;
    bool drives;
    struct pt_native driver, other;
};

static PT_ASYNC(twins, self)
{
    if (self->drives)
        PT_WAIT_COMPLETE(&self->driver, ON(0, drive), .argument = &self->other);
    else
        PT_WAIT_COMPLETE(&self->other, ON(1, spell), .argument = letters[2]);
}
PT_END

START_TEST(a_native_frame_resumed_by_hand_returns_its_opcodes_to_its_caller)
{
    static PT_TASK(twins) tasks[2];

    open_natives();
    test_zero(tasks);
    ck_assert_int_eq(PT_START(&world.loop, &tasks[0], twins, .drives = true), PT_OK);
    ck_assert_int_eq(PT_START(&world.loop, &tasks[1], twins, .drives = false), PT_OK);
    run_world("x a YIELD b YIELD c YIELD y z ");
}
END_TEST

#endif

Suite *suite_native_next(void)
{
    Suite *suite = test_suite("native_next");

#if TEST_NATIVE
    test_add(suite, a_native_task_returns_to_the_turn_that_resumed_it);
    test_add(suite, a_native_task_does_not_switch_to_a_paused_or_canceled_one);
#if PT_CHANNELS
    test_add(suite, native_tasks_that_begin_a_batch_run_in_the_order_of_turns);
#if PT_REMOTE
    test_add(suite, a_post_waits_for_one_batch_of_native_tasks);
#endif
    test_add(suite, a_value_given_to_a_native_task_does_not_protect_its_next_wait);
#endif
#if PT_HAS_DIRECT_
    test_add(suite, a_native_task_of_a_pool_is_known_in_the_ready_queue);
#endif
    test_add(suite, a_native_frame_resumed_by_hand_returns_its_opcodes_to_its_caller);
#endif
    return suite;
}
