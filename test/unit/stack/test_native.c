/* test_native.c - a task whose body is an ordinary function: the loop cannot tell the difference
 * SPDX-License-Identifier: MIT */
#include "test_native.h"

#if TEST_NATIVE

struct stepper {
    struct pt pt;
    char name;
    int left;
};

static PT_ASYNC(stepper, self)
{
    for (; self->left > 0; self->left--) {
        trace_add("%c%d ", self->name, self->left);
        PT_YIELD();
    }
    PT_RETURN(7);
}
PT_END

static PT_TASK(stepper) stepper;

static pt_status step_natively(struct pt_native *self)
{
    for (int left = 3; left > 0; left--) {
        trace_add("n%d ", left);
        ck_assert_int_eq(pt_native_yield(self), PT_OK);
    }
    return 8;
}

START_TEST(native_and_stackless_tasks_run_in_turn)
{
    open_natives();
    test_zero(stepper);
    PT_START(&world.loop, &stepper, stepper, .name = 'a', .left = 3);
    start(0, step_natively);
    start(1, step_natively);
    run_world("a3 n3 n3 a2 n2 n2 a1 n1 n1 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), 8);
}
END_TEST

static pt_status sleep_natively(struct pt_native *self)
{
    pt_time start = pt_native_now(self);

    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(pt_native_wait(self, PT_MS(i)), PT_OK);
        trace_add("%d@%d ", i, now_of(self));
    }
    ck_assert_int_eq(pt_native_wait(self, PT_DELAY_MAX + 1), PT_ERANGE);
    ck_assert_int_eq(pt_native_wait_deadline(self, start), PT_OK); /* past */
    trace_add("past@%d ", now_of(self));
    ck_assert_int_eq(pt_native_wait_deadline(self, start + PT_MS(9)), PT_OK);
    trace_add("until@%d ", now_of(self));
    return PT_OK;
}

START_TEST(a_native_body_sleeps_and_keeps_its_locals)
{
    open_natives();
    start(0, sleep_natively);
    run_world("1@1 2@3 3@6 past@6 until@9 ");
}
END_TEST

static pt_status tick_natively(struct pt_native *self)
{
    struct pt_ticker ticker;

    pt_ticker_start(&ticker, pt_native_now(self), PT_MS(2), PT_TICKS_SKIP);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pt_native_wait_tick(self, &ticker), PT_OK);
        trace_add("%u@%d ", ticker.missed, now_of(self));
        ck_assert_int_eq(pt_native_wait(self, PT_MS(i ? 1 : 5)), PT_OK);
    }
    return PT_OK;
}

START_TEST(a_native_body_waits_for_ticks)
{
    open_natives();
    start(0, tick_natively);
    run_world("0@2 1@7 0@8 ");
}
END_TEST

static struct pt_ticker tuned;

static pt_status tick_natively_by_another(struct pt_native *self)
{
    pt_ticker_start(&tuned, pt_native_now(self), PT_MS(5), PT_TICKS_SKIP);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pt_native_wait_tick(self, &tuned), PT_OK);
        trace_add("%u@%d ", tuned.missed, now_of(self));
    }
    return PT_OK;
}

static pt_status tune_natively(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_wait(self, PT_MS(2)), PT_OK);
    pt_ticker_start(&tuned, pt_native_now(self), PT_MS(20), PT_TICKS_SKIP);
    return PT_OK;
}

START_TEST(a_native_body_waits_on_if_its_ticker_is_given_a_longer_period)
{
    open_natives();
    start(0, tick_natively_by_another);
    start(1, tune_natively);
    run_world("0@22 0@42 ");
}
END_TEST

static pt_status park_natively(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_park(self), PT_OK);
    trace_add("woken@%d ", now_of(self));
    pt_wake(self->task);
    ck_assert_int_eq(pt_native_park(self), PT_OK); /* the wake came before the park */
    trace_add("again@%d ", now_of(self));
    return PT_OK;
}

#if PT_TIMED_PARKS
static pt_status park_natively_for_a_time(struct pt_native *self)
{
    pt_time start = pt_native_now(self);

    ck_assert_int_eq(pt_native_park_for(self, PT_DELAY_NEVER), PT_ERANGE);
    ck_assert_int_eq(pt_native_park_for(self, PT_MS(9)), PT_OK);
    trace_add("woken@%d ", now_of(self));
    ck_assert_int_eq(pt_native_park_for(self, PT_MS(2)), PT_ETIMEDOUT);
    trace_add("late@%d ", now_of(self));
    pt_wake(self->task);
    ck_assert_int_eq(pt_native_park_deadline(self, start + PT_MS(9)), PT_OK);
    ck_assert_int_eq(pt_native_park_deadline(self, start + PT_MS(9)), PT_ETIMEDOUT);
    trace_add("late@%d ", now_of(self));
#if PT_TIME_BITS < 64
    ck_assert_int_eq(pt_native_park_deadline(self, INT64_MAX), PT_ERANGE);
#endif
    return PT_OK;
}

START_TEST(a_native_body_parks_for_a_time)
{
    open_natives();
    start(0, park_natively_for_a_time);
    turn(0);
    pt_wake(&natives[0].task);
    turn(1);
    run_world("woken@1 late@3 late@9 ");
}
END_TEST

static pt_status park_natively_in_a_block(struct pt_native *self)
{
    struct pt_scope limit;

    test_zero(limit);
    pt_native_timeout(self, &limit, PT_MS(5));
    while (pt_native_park_for(self, PT_MS(2)) == PT_ETIMEDOUT && !pt_timed_out(&limit))
        trace_add("late@%d ", now_of(self));
    ck_assert_int_eq(pt_native_park_for(self, PT_MS(2)), PT_ETIMEDOUT); /* at once */
    trace_add("ended@%d ", now_of(self));
    ck_assert(pt_native_timeout_end(self, &limit));
    ck_assert_int_eq(pt_native_park_for(self, PT_MS(2)), PT_ETIMEDOUT);
    trace_add("late@%d ", now_of(self));
    return PT_OK;
}

START_TEST(a_native_body_that_parks_for_a_time_can_tell_the_end_of_its_block)
{
    open_natives();
    start(0, park_natively_in_a_block);
    run_world("late@2 late@4 ended@5 late@7 ");
}
END_TEST
#endif

START_TEST(a_native_body_parks_and_can_be_woken_and_paused)
{
    open_natives();
    start(0, park_natively);
    turn(0);
    pt_pause(&natives[0].task);
    pt_wake(&natives[0].task);
    turn(1);
    ck_assert_trace("");
    pt_resume(&natives[0].task);
    turn(2);
    run_world("woken@2 again@2 ");
}
END_TEST

/* --- awaiting, spawning, joining --- */

static pt_status call_stackless(struct pt_native *self)
{
    struct stepper line; /* a local: it lives as long as the call */

    ck_assert_int_eq(pt_native_call(self, &line, stepper, .name = 'l', .left = 2), 7);
    trace_add("left %d ", line.left);
    return 9;
}

static pt_status call_native(struct pt_native *self)
{
    struct pt_native inner;

    ck_assert_int_eq(pt_native_call(self, &inner, ON(1, call_stackless)), 9);
    return 10;
}

struct caller {
    struct pt pt;
    struct pt_native call;
};

static PT_ASYNC(caller, self)
{
    PT_WAIT_COMPLETE(&self->call, ON(0, call_native));
    trace_add("call %d ", self->pt.status);
}
PT_END

START_TEST(stackless_and_native_functions_await_each_other)
{
    static PT_TASK(caller) caller;

    open_natives();
    PT_START(&world.loop, &caller, caller);
    run_world("l2 l1 left 0 call 10 ");
}
END_TEST

struct joiner {
    struct pt pt;
};

static PT_ASYNC(joiner, self)
{
    PT_JOIN(&natives[0].task);
    trace_add("stackless joins %d ", self->pt.status);
}
PT_END

static pt_status spawn_and_join(struct pt_native *self)
{
    static PT_TASK(joiner) joiner;
    PT_TASK(pt_native) unborn;

    test_zero(unborn);
    ck_assert_int_eq(pt_native_spawn(self, &joiner, joiner), PT_OK);
    ck_assert_int_eq(pt_native_spawn(self, &stepper, stepper, .name = 's', .left = 2), PT_OK);
#if !PT_DEBUG
    ck_assert_int_eq(pt_native_spawn(self, &stepper, stepper), PT_EBUSY);
#endif
    ck_assert_int_eq(pt_native_spawn(self, &natives[1], ON(1, step_natively)), PT_OK);
    ck_assert_int_eq(pt_native_join(self, &unborn.task), PT_EINVAL);
    ck_assert_int_eq(pt_native_join(self, self->task), PT_EDEADLK);
    ck_assert_int_eq(pt_native_join(self, &stepper.task), 7);
    ck_assert_int_eq(pt_native_join(self, &natives[1].task), 8);
    ck_assert_int_eq(pt_native_join(self, &natives[1].task), 8); /* already done: returns at once */
    return 11;
}

START_TEST(native_and_stackless_tasks_spawn_and_join_each_other)
{
    open_natives();
    test_zero(stepper);
    start(0, spawn_and_join);
    run_world("s2 n3 s1 n2 n1 stackless joins 11 ");
    test_open(&world);
    start(0, spawn_and_join); /* the storage and the stack are used again */
    run_world("s2 n3 s1 n2 n1 stackless joins 11 ");
}
END_TEST

static PT_POOL(stepper, 1) pool;

static pt_status spawn_from_pools(struct pt_native *self)
{
    ck_assert_int_eq(pt_native_spawn_from(self, &pool, stepper, .name = 'p', .left = 2), PT_OK);
    ck_assert_int_eq(pt_native_spawn_from(self, &pool, stepper, .left = 2), PT_ENOMEM);
    ck_assert_int_eq(pt_native_spawn_when_free(self, &pool, stepper, .name = 'q', .left = 1),
                     PT_OK);
    trace_add("free ");
    ck_assert_int_eq(pt_native_spawn_new(self, stepper, .name = 'h', .left = 1), PT_OK);
    return pt_native_spawn_when_free(self, &pool, stepper, .name = 'r', .left = 1);
}

START_TEST(a_native_body_spawns_from_pools_and_the_heap_and_waits_for_room)
{
    memset(&pool, 0, sizeof pool);
    open_natives();
    start(0, spawn_from_pools);
    run_world("p2 p1 free q1 h1 r1 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_OK);
}
END_TEST

static pt_status want_room(struct pt_native *self)
{
    return pt_native_spawn_when_free(self, &pool, stepper, .name = 'r', .left = 1);
}

START_TEST(a_native_body_that_is_canceled_while_it_waits_for_room_takes_none)
{
    memset(&pool, 0, sizeof pool);
    open_natives();
    PT_START_FROM(&world.loop, &pool, stepper, .name = 'p', .left = 3);
    start(0, want_room);
    start(1, want_room);
    turn(0);
    pt_cancel(&natives[0].task, PT_ECANCELED);
    run_world("p3 p2 p1 r1 ");
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_ECANCELED);
    ck_assert_int_eq(pt_task_status(&natives[1].task), PT_OK);
    ck_assert_int_eq(pool.pool.used, 0);
}
END_TEST

static pt_status want_more_room(struct pt_native *self)
{
    pt_status status = pt_native_spawn_when_free(self, &pool, stepper, .name = 'r', .left = 2);

    trace_add("%d %d ", status, pool.taken != NULL);
    return status;
}

START_TEST(a_native_body_whose_wait_for_room_was_ended_has_not_taken_what_others_took)
{
    memset(&pool, 0, sizeof pool);
    open_natives();
    PT_START_FROM(&world.loop, &pool, stepper, .name = 'p', .left = 1);
    start(0, want_more_room);
    start(1, want_more_room);
    for (int i = 0; i < 3 && !pt_task_done(&natives[0].task); i++)
        turn(0);
    pt_cancel(&natives[1].task, PT_ECANCELED);
    run_world("p1 0 1 r2 -1 0 r1 ");
}
END_TEST

#if PT_LOOP_HAS_STORAGE_

static int asked; /* how many fields were evaluated */

static pt_status want_in_vain(struct pt_native *self)
{
    for (int i = 0; i < 2; i++) /* the first waits for an item */
        ck_assert_int_eq(pt_native_spawn_when_free(self, &pool, stepper, .left = ++asked),
                         PT_ENOMEM);
    return pt_native_spawn_from(self, &pool, stepper, .left = ++asked);
}

START_TEST(no_field_of_a_native_spawn_is_evaluated_if_its_loop_has_no_room)
{
    static PT_TASK(stepper) others[15];

    memset(&pool, 0, sizeof pool);
    asked = 0;
    open_natives();
    test_zero(others);
    ck_assert_int_eq(PT_START_FROM(&world.loop, &pool, stepper, .name = 'p', .left = 1), PT_OK);
    start(0, want_in_vain);
    for (int i = 0; i < 14; i++)
        ck_assert_int_eq(PT_START(&world.loop, &others[i], stepper, .name = '.', .left = 5), PT_OK);
    test_memory.fail_from = test_memory.calls + 1;
    test_memory.fail_to = INT_MAX;
    while (pool.pool.used)
        turn(0);
    ck_assert_int_eq(PT_START(&world.loop, &others[14], stepper, .name = '.', .left = 5), PT_OK);
    ck_assert_uint_eq(pt_loop_live(&world.loop), 16);
    turn(0);
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_ENOMEM);
    ck_assert_int_eq(asked, 0);
    ck_assert_uint_eq(pool.pool.used, 0);
    ck_assert_uint_eq(pool.pool.granted, 0);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    test_close(&world);
    trace_take();
}
END_TEST

#endif

/* --- recursion --- */

static int fib(struct pt_native *self, int n)
{
    if (n < 2) {
        ck_assert_int_eq(pt_native_yield(self), PT_OK);
        return n;
    }
    return fib(self, n - 1) + fib(self, n - 2);
}

static pt_status recurse(struct pt_native *self)
{
    *(int *)self->argument = fib(self, 15);
    return PT_OK;
}

START_TEST(a_native_body_yields_at_any_depth_of_its_calls)
{
    int results[2];

    open_natives();
    for (int i = 0; i < 2; i++)
        PT_START(&world.loop, &natives[i], ON(i, recurse), .argument = &results[i]);
    run_world("");
    ck_assert_int_eq(results[0], 610);
    ck_assert_int_eq(results[1], 610);
}
END_TEST

/* --- switching to the next task --- */

#if PT_HAS_DIRECT_
static pt_status tell_resumer(struct pt_native *self)
{
    for (int i = 0; i < 2; i++) {
        for (int other = 0; other < 3; other++)
            if (self->fiber.parent == &natives[other].frame.resumer.fiber)
                trace_add("%d by %d ", self == &natives[1].frame, other);
        pt_native_yield(self);
    }
    return PT_OK;
}

START_TEST(a_native_task_switches_to_the_next_one_without_the_loop)
{
    open_natives();
    start(0, tell_resumer);
    start(1, tell_resumer);
    run_world("0 by 0 1 by 1 0 by 0 1 by 0 "); /* first by the loop, then by the task before */
}
END_TEST
#endif

static pt_status say_name(struct pt_native *self)
{
    for (int i = 0; i < 2; i++) {
        trace_add("%s ", (const char *)self->argument);
        pt_native_yield(self);
    }
    return PT_OK;
}

START_TEST(each_of_many_native_tasks_runs_in_its_turn) /* more than the prefetched stacks */
{
    enum { MANY = 12 };
    static const char names[MANY][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    static char more[MANY][STACK_BYTES];
    static PT_TASK(pt_native) many[MANY];

    open_natives();
    test_zero(many);
    for (int i = 0; i < MANY; i++)
        PT_START(&world.loop, &many[i], pt_native, .function = say_name, .stack = more[i],
                 .bytes = STACK_BYTES, .argument = (void *)(uintptr_t)names[i]);
    run_world("a b c d e f g h i j k l a b c d e f g h i j k l ");
}
END_TEST

#if PT_INSPECT
static void tell_resumed(struct pt_observer *observer, struct pt_task *task)
{
    (void)observer;
    trace_add("> %s ", task == &natives[0].task ? "first" : "second");
}

static void tell_returned(struct pt_observer *observer, struct pt_task *task, enum pt_opcode op)
{
    (void)observer;
    (void)task;
    trace_add("%s ", pt_op_name(op));
}

START_TEST(an_observer_sees_each_step_of_native_tasks)
{
    struct pt_observer observer;
    char say[] = "goes";

    open_natives();
    test_zero(observer);
    observer.resumes = tell_resumed;
    observer.returned = tell_returned;
    pt_loop_observe(&world.loop, &observer);
    for (int i = 0; i < 2; i++)
        PT_START(&world.loop, &natives[i], ON(i, say_name), .argument = say);
    run_world("> first goes YIELD > second goes YIELD > first goes YIELD > second goes YIELD "
              "> first DONE > second DONE ");
}
END_TEST
#endif

static pt_status yield_often(struct pt_native *self)
{
    for (int i = 0; i < 250000; i++)
        pt_native_yield(self);
    return PT_OK;
}

/* Checks that the depth of the loop's stack is the same each time it runs. */
struct depth {
    struct pt pt;
    uintptr_t at;
    int left;
};

static PT_ASYNC(depth, self)
{
    for (; self->left > 0; self->left--) {
        {
            char here = 0;

            if (self->at && self->at != (uintptr_t)&here)
                trace_add("deeper ");
            self->at = (uintptr_t)&here;
        }
        PT_YIELD();
    }
}
PT_END

START_TEST(a_million_switches_of_native_tasks_leave_all_stacks_at_their_depth)
{
    static PT_TASK(depth) depth;
    enum { ONCE = 4096 }; /* what a sanitizer's runtime sometimes needs */
    size_t used[4];

    open_natives();
    test_zero(depth);
    memset(stacks, 0, sizeof stacks);
    PT_START(&world.loop, &depth, depth, .left = 200000);
    for (int i = 0; i < 4; i++)
        start(i, yield_often);
    turn(0);
    turn(0);
    turn(0);
    for (int i = 0; i < 4; i++)
        used[i] = pt_stack_used(stacks[i], sizeof stacks[i]);
    for (int i = 0; i < 249990; i++)
        turn(0);
    for (int i = 0; i < 4; i++)
        ck_assert(pt_stack_used(stacks[i], sizeof stacks[i]) < used[i] + ONCE);
    run_world("");
}
END_TEST

/* --- inspection --- */

#if PT_INSPECT
static void print_to_trace(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

static pt_status sleep_ten(struct pt_native *self)
{
    return pt_native_wait(self, PT_MS(10));
}

START_TEST(a_dump_shows_the_names_that_the_user_gave_to_native_tasks)
{
    open_natives();
    start(0, sleep_ten);
    start(1, sleep_ten);
    pt_task_rename(&natives[1].task, "sleep_ten");
    turn(0);
    pt_dump(&world.loop, print_to_trace, NULL);
    ck_assert_trace("pt_native: sleeps, 10 ms\n    at suspension 1\n"
                    "sleep_ten: sleeps, 10 ms\n    at suspension 1\n");
    run_world("");
}
END_TEST
#endif

/* --- generators --- */

struct tree {
    struct tree *left, *right;
    int value;
};

static void walk(struct pt_native *self, struct tree *tree)
{
    if (!tree)
        return;
    walk(self, tree->left);
    *(int *)self->argument = tree->value;
    if (pt_native_yield(self) == PT_OK)
        walk(self, tree->right);
}

static pt_status walk_tree(struct pt_native *self)
{
    struct tree left = {NULL, NULL, 1}, right = {NULL, NULL, 3}, top = {&left, &right, 2};

    walk(self, &top);
    trace_add("end ");
    return 12;
}

START_TEST(a_native_body_can_be_a_generator)
{
    struct pt_native generator;
    int value;

    PT_INIT(&generator, ON(0, walk_tree), .argument = &value);
    while (pt_next(&generator.pt))
        trace_add("%d ", value);
    ck_assert_trace("1 2 3 end ");
    ck_assert_int_eq(generator.pt.status, 12);
    ck_assert(!pt_next(&generator.pt));
}
END_TEST

static pt_status echo(struct pt_native *self)
{
    pt_status status;

    while ((status = pt_native_yield(self)) == PT_OK)
        trace_add("%s ", (const char *)self->argument);
    trace_add("closing ");
    ck_assert_int_eq(pt_native_yield(self), PT_ECANCELED); /* again, without suspending */
    pt_native_cleanup(self);
    ck_assert_int_eq(pt_native_yield(self), PT_OK); /* nor does the cleanup suspend */
    trace_add("closed ");
    return status;
}

static char one[] = "one", two[] = "two";

START_TEST(a_native_generator_receives_values_and_is_closed)
{
    struct pt_native generator;

    PT_INIT(&generator, ON(0, echo));
    ck_assert(pt_next(&generator.pt));
    ck_assert(pt_send(&generator, .argument = one));
    ck_assert(pt_send(&generator, .argument = two));
    ck_assert_int_eq(pt_close(&generator.pt), PT_ECANCELED);
    ck_assert_trace("one two closing closed ");
    ck_assert_int_eq(pt_close(&generator.pt), PT_ECANCELED);
}
END_TEST

START_TEST(closing_a_native_generator_before_its_start_runs_nothing)
{
    struct pt_native generator;

    PT_INIT(&generator, ON(0, echo));
    ck_assert_int_eq(pt_close(&generator.pt), PT_ECANCELED);
    ck_assert_trace("");
}
END_TEST

#if PT_SUBGENERATORS
struct twice {
    struct pt pt;
    char name;
};

static PT_ASYNC(twice, self)
{
    PT_YIELD();
    PT_YIELD();

    PT_FINALLY
    trace_add("%c-ends ", self->name);
}
PT_END

static void trace_code(pt_status code)
{
    trace_add("%c ", code == PT_OK ? '0' : code == PT_ECANCELED ? 'C' : '?');
}

static pt_status yield_twice(struct pt_native *self)
{
    struct twice inner;

    trace_code(pt_native_call(self, &inner, twice, .name = 'a'));
    pt_native_cleanup(self);
    trace_code(pt_native_call(self, &inner, twice, .name = 'b'));
    pt_native_cleanup_end(self);
    trace_code(pt_native_yield(self));
    return PT_OK;
}

START_TEST(a_native_generator_yields_from_another_one_and_is_closed)
{
    static const char *const traces[6] = {"",
                                          "a-ends C b-ends 0 C ",
                                          "a-ends C b-ends 0 C ",
                                          "a-ends 0 b-ends 0 0 ", /* closed in its cleanup */
                                          "a-ends 0 b-ends 0 0 ",
                                          "a-ends 0 b-ends 0 C "};
    struct pt_native generator;

    for (int values = 0; values < 6; values++) {
        PT_INIT(&generator, ON(0, yield_twice));
        for (int i = 0; i < values; i++)
            ck_assert(pt_next(&generator.pt));
        pt_close(&generator.pt);
        ck_assert_trace(traces[values]);
    }
}
END_TEST

struct counter {
    struct pt pt;
    int count;
};

static PT_ASYNC(counter, self)
{
    for (; self->count < 3; self->count++)
        PT_YIELD();

    PT_FINALLY
    trace_add("%d ", self->count);
}
PT_END

static pt_status go_on_in_spite(struct pt_native *self)
{
    struct counter inner;

    trace_code(pt_native_yield(self));
    trace_code(pt_native_call(self, &inner, counter, .count = 0));
    trace_code(pt_native_call(self, &inner, counter, .count = 1));
    return PT_OK;
}

START_TEST(what_a_closed_native_generator_goes_on_to_await_is_closed_too)
{
    struct pt_native generator;

    PT_INIT(&generator, ON(0, go_on_in_spite));
    ck_assert(pt_next(&generator.pt));
    pt_close(&generator.pt);
    ck_assert_trace("C 0 C 1 C ");
}
END_TEST

struct around {
    struct pt pt;
    struct pt_native inner;
};

static PT_ASYNC(around, self)
{
    PT_YIELD_FROM(&self->inner, ON(0, echo));
}
PT_END

START_TEST(a_generator_yields_from_a_native_one_and_closes_it)
{
    struct around a;

    PT_INIT(&a, around);
    ck_assert(pt_next(&a.pt));
    ck_assert(pt_send(&a, .inner.argument = one));
    ck_assert_int_eq(pt_close(&a.pt), PT_ECANCELED);
    ck_assert_trace("one closing closed ");
}
END_TEST
#endif

Suite *suite_native(void)
{
    Suite *suite = test_suite("native");

    test_add(suite, native_and_stackless_tasks_run_in_turn);
    test_add(suite, a_native_body_sleeps_and_keeps_its_locals);
    test_add(suite, a_native_body_waits_for_ticks);
    test_add(suite, a_native_body_waits_on_if_its_ticker_is_given_a_longer_period);
    test_add(suite, a_native_body_parks_and_can_be_woken_and_paused);
#if PT_TIMED_PARKS
    test_add(suite, a_native_body_parks_for_a_time);
    test_add(suite, a_native_body_that_parks_for_a_time_can_tell_the_end_of_its_block);
#endif
    test_add(suite, stackless_and_native_functions_await_each_other);
    test_add(suite, native_and_stackless_tasks_spawn_and_join_each_other);
    test_add(suite, a_native_body_spawns_from_pools_and_the_heap_and_waits_for_room);
    test_add(suite, a_native_body_that_is_canceled_while_it_waits_for_room_takes_none);
    test_add(suite, a_native_body_whose_wait_for_room_was_ended_has_not_taken_what_others_took);
#if PT_LOOP_HAS_STORAGE_
    test_add(suite, no_field_of_a_native_spawn_is_evaluated_if_its_loop_has_no_room);
#endif
    test_add(suite, a_native_body_yields_at_any_depth_of_its_calls);
#if PT_HAS_DIRECT_
    test_add(suite, a_native_task_switches_to_the_next_one_without_the_loop);
#endif
    test_add(suite, each_of_many_native_tasks_runs_in_its_turn);
#if PT_INSPECT
    test_add(suite, an_observer_sees_each_step_of_native_tasks);
#endif
    test_add(suite, a_million_switches_of_native_tasks_leave_all_stacks_at_their_depth);
#if PT_INSPECT
    test_add(suite, a_dump_shows_the_names_that_the_user_gave_to_native_tasks);
#endif
    test_add(suite, a_native_body_can_be_a_generator);
    test_add(suite, a_native_generator_receives_values_and_is_closed);
    test_add(suite, closing_a_native_generator_before_its_start_runs_nothing);
#if PT_SUBGENERATORS
    test_add(suite, a_native_generator_yields_from_another_one_and_is_closed);
    test_add(suite, what_a_closed_native_generator_goes_on_to_await_is_closed_too);
    test_add(suite, a_generator_yields_from_a_native_one_and_closes_it);
#endif
    return suite;
}

#else

Suite *suite_native(void)
{
    return test_suite("native");
}

#endif
