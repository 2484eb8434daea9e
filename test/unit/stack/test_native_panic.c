/* test_native_panic.c - misuse of native bodies stops with a message
 * SPDX-License-Identifier: MIT
 *
 * The program stops on a stack that has no way back to the test. So each check runs in a process
 * that writes the message into a pipe and ends. */
#undef PT_DEBUG
#define PT_DEBUG 1
#define PT_OTHER_KNOBS 1
#define PT_PANIC(what, where, line) ((void)(line), test_die(what, where))

/* Never returns. */
#ifdef __GNUC__
__attribute__((noreturn))
#endif
static void
test_die(const char *what, const char *where);

#include "test_native.h"

#include <sys/wait.h>
#include <unistd.h>

static int panic_pipe[2];

static void test_die(const char *what, const char *where)
{
    size_t said =
        (size_t)(write(panic_pipe[1], where, strlen(where)) + write(panic_pipe[1], ": ", 2) +
                 write(panic_pipe[1], what, strlen(what)));

    _exit(said > 2 ? 7 : 8);
}

#if TEST_NATIVE

/* Run FUNCTION in a new process; it must stop with the message. */
static void check_panic(void (*function)(void), const char *message)
{
    char said[256] = "";
    int status = 0;
    pid_t child;

    ck_assert_int_eq(pipe(panic_pipe), 0);
    child = fork();
    if (!child) {
        function();
        _exit(0);
    }
    close(panic_pipe[1]);
    for (size_t length = 0; length < sizeof said - 1;) {
        ssize_t more = read(panic_pipe[0], said + length, sizeof said - 1 - length);

        if (more <= 0)
            break;
        length += (size_t)more;
    }
    close(panic_pipe[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_str_eq(said, message);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/* Run a task with this body to its end. */
static void run_body(pt_native_function *body)
{
    open_natives();
    start(0, body);
    pt_loop_run(&world.loop);
    test_close(&world);
}

static void next_body(pt_native_function *body)
{
    struct pt_native generator;

    PT_INIT(&generator, ON(0, body));
    pt_next(&generator.pt);
}

static pt_status leave_open(struct pt_native *self)
{
    struct pt_scope limit;

    return pt_native_timeout(self, &limit, PT_MS(1));
}

static void leaves_open(void)
{
    run_body(leave_open);
}

static void open_twice_now(struct pt_native *self)
{
    struct pt_scope limit;

    pt_native_timeout(self, &limit, PT_MS(1));
    pt_native_timeout(self, &limit, PT_MS(1));
}

static pt_status open_twice(struct pt_native *self)
{
    open_twice_now(self);
    return PT_OK;
}

static void opens_twice(void)
{
    run_body(open_twice);
}

static pt_status close_outer(struct pt_native *self)
{
    struct pt_scope outer, inner;

    pt_native_timeout(self, &outer, PT_MS(1));
    pt_native_timeout(self, &inner, PT_MS(1));
    pt_native_timeout_end(self, &outer);
    return PT_OK;
}

static void closes_outer(void)
{
    run_body(close_outer);
}

static pt_status wait_once(struct pt_native *self)
{
    return pt_native_wait(self, PT_MS(1));
}

/* Returns while a task on its stack sleeps. */
static pt_status leave_task(struct pt_native *self)
{
    PT_TASK(pt_native) left;

    memset(&left, 0, sizeof left);
    return pt_native_spawn(self, &left, ON(1, wait_once));
}

static void leaves_task(void)
{
    run_body(leave_task);
}

/* Joins it before: a cancel does not end a join in a cleanup. */
static pt_status join_task(struct pt_native *self)
{
    PT_TASK(pt_native) left;
    pt_status status;

    memset(&left, 0, sizeof left);
    pt_native_spawn(self, &left, ON(1, wait_once));
    pt_cancel(self->task, PT_ECANCELED);
    status = pt_native_join(self, &left.task);
    pt_native_cleanup(self);
    return pt_native_join(self, &left.task) == PT_OK ? status : (pt_status)PT_EINVAL;
}

#ifdef __GNUC__
/* Leaves a block open, as an exception that skips the end of a block would. Its frame reaches deeper than
 * the calls of an operation, also where nothing is inlined. */
__attribute__((noinline)) static pt_status open_only(struct pt_native *self)
{
    struct pt_scope lost[32];
    pt_status status = pt_native_timeout(self, &lost[0], PT_MS(1));

    return status == PT_OK ? pt_native_yield(self) : status;
}

static pt_status go_on_behind_it(struct pt_native *self)
{
    pt_status status = open_only(self);

    return status == PT_OK ? pt_native_yield(self) : status;
}

static void goes_on_behind_it(void)
{
    run_body(go_on_behind_it);
}

static pt_status call_without_loss(struct pt_native *self)
{
    struct pt_scope outer, inner;
    pt_status status;

    pt_native_timeout(self, &outer, PT_MS(2));
    pt_native_timeout(self, &inner, PT_MS(1));
    status = pt_native_yield(self);
    pt_native_timeout_end(self, &inner);
    pt_native_timeout_end(self, &outer);
    return status == PT_OK ? pt_native_yield(self) : status;
}

START_TEST(a_block_left_open_by_its_function_stops_the_program)
{
    check_panic(goes_on_behind_it, "pt_native_...: a function returned without closing its block");
    run_body(call_without_loss);
    ck_assert_int_eq(natives[0].frame.pt.status, PT_OK);
}
END_TEST
#endif

START_TEST(native_blocks_that_are_not_closed_in_order_stop_the_program)
{
    check_panic(leaves_open, "pt_native: a function returned without closing its block");
    check_panic(opens_twice, "pt_native_...: the scope is in use");
    check_panic(
        closes_outer,
        "PT_WITH_...: a block was left, or entered, by goto: leave it by break or PT_RETURN");
}
END_TEST

START_TEST(a_native_body_that_returns_while_a_task_on_its_stack_runs_stops_the_program)
{
    check_panic(leaves_task,
                "pt_native: a task on its stack still runs: join it before the function returns");
    run_body(join_task);
    ck_assert_int_eq(pt_task_status(&natives[0].task), PT_ECANCELED);
}
END_TEST

#ifdef __GNUC__
static pt_status wait_for_another(struct pt_native *self)
{
    (void)self;
    return pt_native_yield(&natives[1].frame);
}

static void waits_for_another(void)
{
    open_natives();
    start(0, wait_for_another);
    start(1, wait_for_another);
    pt_loop_run(&world.loop);
}

START_TEST(a_native_operation_outside_its_body_stops_the_program)
{
    check_panic(
        waits_for_another,
        "pt_native_...: called outside the body of its task, or more than its stack is in use");
}
END_TEST
#endif

#if PT_CLEANUP
enum { MOST_CLEANUPS = PT_CLEANING_MOST_ / 2 };

static int cleanups;

static pt_status clean_up_in_cleanups(struct pt_native *self)
{
    for (int i = 0; i < cleanups; i++)
        pt_native_cleanup(self);
    for (int i = 0; i < cleanups; i++)
        pt_native_cleanup_end(self);
    return PT_OK;
}

static void nests_too_deep(void)
{
    cleanups = MOST_CLEANUPS + 1;
    run_body(clean_up_in_cleanups);
}

static pt_status end_what_did_not_begin(struct pt_native *self)
{
    pt_native_cleanup(self);
    pt_native_cleanup_end(self);
    pt_native_cleanup_end(self);
    return PT_OK;
}

static void ends_twice(void)
{
    run_body(end_what_did_not_begin);
}

START_TEST(too_many_native_cleanups_and_an_end_without_one_stop_the_program)
{
    cleanups = MOST_CLEANUPS;
    run_body(clean_up_in_cleanups);
    check_panic(nests_too_deep, "pt_native_cleanup: too many nested cleanups");
    check_panic(ends_twice, "pt_native_cleanup_end: there is no cleanup to end");
}
END_TEST
#endif

static pt_status wait_alone(struct pt_native *self)
{
    return pt_native_wait(self, PT_MS(1));
}

static pt_status spawn_alone(struct pt_native *self)
{
    return pt_native_spawn(self, &natives[1], ON(1, wait_alone));
}

static pt_status limit_alone(struct pt_native *self)
{
    struct pt_scope limit;

    return pt_native_timeout(self, &limit, PT_MS(1));
}

static void waits_alone(void)
{
    next_body(wait_alone);
}

static void spawns_alone(void)
{
    test_zero(natives);
    next_body(spawn_alone);
}

static void limits_alone(void)
{
    next_body(limit_alone);
}

START_TEST(an_operation_that_needs_a_loop_stops_a_native_generator)
{
    check_panic(waits_alone, "WAIT: a generator has no loop to carry this opcode out");
    check_panic(spawns_alone, "pt_native_spawn: a generator has no loop to spawn in");
    check_panic(limits_alone, "PT_WITH_...: a generator has no loop that could end a block of it");
}
END_TEST

static void has_no_stack(void)
{
    struct pt_native generator;

    PT_INIT(&generator, pt_native, .function = wait_alone, .stack = NULL);
    pt_next(&generator.pt);
}

static void has_no_bytes(void)
{
    struct pt_native generator;

    PT_INIT(&generator, pt_native, .function = wait_alone, .stack = stacks[0], .bytes = 0);
    pt_next(&generator.pt);
}

static pt_status waits_twice(struct pt_native *self)
{
    pt_native_wait(self, PT_MS(1));
    return pt_native_wait(self, PT_MS(1));
}

static void share_a_stack(void)
{
    static PT_TASK(pt_native) tasks[2];

    open_natives();
    for (int i = 0; i < 2; i++)
        PT_START(&world.loop, &tasks[i], pt_native, .function = waits_twice, .stack = stacks[0],
                 .bytes = sizeof stacks[0]);
    pt_loop_run(&world.loop);
}

/* What is below its stack is the end of its neighbor's. */
static pt_status writes_over(struct pt_native *self)
{
    memset((char *)self->stack - 16, 7, 16);
    return pt_native_wait(self, PT_MS(1));
}

static void overflow_into_a_neighbor(void)
{
    open_natives();
    start(0, waits_twice);
    start(1, writes_over);
    pt_loop_run(&world.loop);
}

static void never(struct pt_fiber *self)
{
    (void)self;
}

static void fiber_without_bytes(void)
{
    struct pt_fiber root, fiber;

    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, stacks[0], 0, never, NULL);
}

START_TEST(a_native_body_without_a_stack_stops_the_program)
{
    check_panic(has_no_stack, "pt_native: it has no function, no stack, or one without room");
    check_panic(has_no_bytes, "pt_native: it has no function, no stack, or one without room");
    check_panic(fiber_without_bytes, "pt_fiber_init: its stack has no room");
}
END_TEST

START_TEST(a_native_stack_that_another_task_has_or_writes_over_stops_the_program)
{
    const char *message =
        "pt_native: another task has its stack, or has written over the end of its own";

    check_panic(share_a_stack, message);
    check_panic(overflow_into_a_neighbor, message);
}
END_TEST

Suite *suite_native_panic(void)
{
    Suite *suite = test_suite("native_panic");

    test_add(suite, native_blocks_that_are_not_closed_in_order_stop_the_program);
    test_add(suite, a_native_body_that_returns_while_a_task_on_its_stack_runs_stops_the_program);
#ifdef __GNUC__
    test_add(suite, a_block_left_open_by_its_function_stops_the_program);
    test_add(suite, a_native_operation_outside_its_body_stops_the_program);
#endif
#if PT_CLEANUP
    test_add(suite, too_many_native_cleanups_and_an_end_without_one_stop_the_program);
#endif
    test_add(suite, an_operation_that_needs_a_loop_stops_a_native_generator);
    test_add(suite, a_native_body_without_a_stack_stops_the_program);
    test_add(suite, a_native_stack_that_another_task_has_or_writes_over_stops_the_program);
    return suite;
}

#else

Suite *suite_native_panic(void)
{
    return test_suite("native_panic");
}

#endif
