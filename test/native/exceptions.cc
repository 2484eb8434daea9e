// exceptions.cc - C++ exceptions are thrown and caught in fibers, across switches
// SPDX-License-Identifier: MIT
#include "native.h"

#include <pt/native.h>
#include <pt/stack/copied.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>

#ifndef _WIN32
#include <pt/posix.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

static char stacks[2][256 << 10];
static pt_fiber root, a, b;

static void both(pt_fiber_function of_a, pt_fiber_function of_b)
{
    pt_fiber_root(&root);
    pt_fiber_init(&a, &root, stacks[0], sizeof stacks[0], of_a, &b);
    pt_fiber_init(&b, &root, stacks[1], sizeof stacks[1], of_b, &a);
    pt_fiber_switch(&root, &a);
    while (!pt_fiber_done(&b))
        pt_fiber_switch(&root, &b);
    while (!pt_fiber_done(&a))
        pt_fiber_switch(&root, &a);
    pt_fiber_close(&a);
    pt_fiber_close(&b);
}

struct guard {
    ~guard()
    {
        trace("unwound ");
    }
};

static void throw_deep(pt_fiber *self, int depth)
{
    guard g;
    if (depth)
        throw_deep(self, depth - 1);
    pt_fiber_switch(self, &root);
    throw std::runtime_error("deep");
}

static void catch_deep(pt_fiber *self)
{
    try {
        throw_deep(self, 2);
    } catch (const std::runtime_error &error) {
        trace("%s ", error.what());
    }
}

TEST(an_exception_thrown_after_a_switch_is_caught_by_an_outer_function)
{
    both(catch_deep, catch_deep);
    EXPECT_TRACE("unwound unwound unwound deep unwound unwound unwound deep ");
}

// Both fibers are in a catch block at the same time, and leave it in the order of entry.
static void overlap(pt_fiber *self)
{
    const char *mine = self == &a ? "a" : "b";

    try {
        throw std::runtime_error(mine);
    } catch (...) {
        pt_fiber_switch_caught(self, (pt_fiber *)self->argument);
        try {
            throw;
        } catch (const std::runtime_error &error) {
            trace("%s has %s, ", mine, error.what());
        }
    }
    EXPECT(!std::current_exception());
}

TEST(each_fiber_keeps_the_exception_that_it_caught)
{
    both(overlap, overlap);
    EXPECT_TRACE("a has a, b has b, ");
    EXPECT(!std::current_exception());
}

// A destructor that runs during a throw counts the exceptions in flight, of its own fiber.
struct leaver {
    pt_fiber *self;
    ~leaver()
    {
        trace(std::uncaught_exception() ? "in flight " : "lost ");
        pt_fiber_switch_caught(self, (pt_fiber *)self->argument);
        trace(std::uncaught_exception() ? "in flight " : "lost ");
    }
};

// Without a handler in the same function, so that the end of the destructor asks the runtime which throw to continue.
[[noreturn]] PT_NOINLINE void throw_past_a_leaver(pt_fiber *self)
{
    leaver l = {self};
    throw self == &b;
}

static void leave_unwinding(pt_fiber *self)
{
    try {
        throw_past_a_leaver(self);
    } catch (bool of_b) {
        trace(of_b == (self == &b) ? "caught " : "another's ");
    }
}

static void look(pt_fiber *)
{
    trace(std::uncaught_exception() ? "leaked " : "none ");
}

TEST(an_exception_in_flight_stays_with_its_fiber)
{
    both(leave_unwinding, look);
    EXPECT_TRACE("in flight none in flight caught ");
}

TEST(each_fiber_that_leaves_a_destructor_continues_its_own_throw)
{
    both(leave_unwinding, leave_unwinding);
    EXPECT_TRACE("in flight in flight in flight caught in flight caught ");
}

/* --- fibers that share a stack --- */

#if PT_CONTEXT != PT_CONTEXT_UCONTEXT
static char area[PT_COPIED_MOVER + (64 << 10)];
static pt_copied_stack shared;
static pt_copied one, two;
static bool refuse;

static void *resize(void *, void *block, size_t bytes)
{
    if (bytes)
        return refuse ? NULL : realloc(block, bytes);
    free(block);
    return NULL;
}

static void both_copied(pt_fiber_function of_one, pt_fiber_function of_two)
{
    pt_fiber_root(&root);
    pt_copied_stack_init(&shared, area, sizeof area, resize, NULL);
    pt_copied_init(&one, &shared, &root, of_one, &two);
    pt_copied_init(&two, &shared, &root, of_two, &one);
    while (!pt_fiber_done(&one.fiber) || !pt_fiber_done(&two.fiber))
        EXPECT(pt_copied_switch(&root, pt_fiber_done(&one.fiber) ? &two : &one) == PT_OK);
    pt_copied_close(&one);
    pt_copied_close(&two);
    pt_copied_stack_close(&shared);
}

static void rethrow_named(const char *mine)
{
    try {
        throw;
    } catch (const std::runtime_error &error) {
        trace("%s has %s, ", mine, error.what());
    }
}

// One exception inside another; both are rethrown after the other fiber has used the stack.
static void overlap_copied(pt_fiber *self)
{
    const char *mine = self == &one.fiber ? "a" : "b";
    pt_copied *other = static_cast<pt_copied *>(self->argument);

    try {
        throw std::runtime_error(mine);
    } catch (const std::runtime_error &first) {
        EXPECT(pt_copied_switch_caught(self, other) == PT_OK);
        try {
            throw std::runtime_error(mine[0] == 'a' ? "A" : "B");
        } catch (...) {
            if (!pt_fiber_done(&other->fiber))
                EXPECT(pt_copied_switch_caught(self, other) == PT_OK);
            rethrow_named(mine);
        }
        rethrow_named(mine);
        EXPECT(!strcmp(first.what(), mine));
    }
    EXPECT(!std::current_exception());
}

TEST(each_fiber_of_a_shared_stack_keeps_the_exceptions_that_it_caught)
{
    both_copied(overlap_copied, overlap_copied);
    EXPECT_TRACE("a has A, a has a, b has B, b has b, ");
    EXPECT(!std::current_exception());
}

struct copied_leaver {
    pt_fiber *self;
    ~copied_leaver()
    {
        pt_copied_switch_caught(self, static_cast<pt_copied *>(self->argument));
        trace(std::uncaught_exception() ? "in flight " : "lost ");
    }
};

static void leave_unwinding_copied(pt_fiber *self)
{
    try {
        copied_leaver l = {self};
        throw 1;
    } catch (int) {
        trace("caught ");
    }
}

TEST(an_exception_in_flight_stays_with_its_fiber_of_a_shared_stack)
{
    both_copied(leave_unwinding_copied, look);
    EXPECT_TRACE("none in flight caught ");
}

static void refused_in_catch(pt_fiber *self)
{
    try {
        throw std::runtime_error("a");
    } catch (...) {
        refuse = true;
        EXPECT(pt_copied_switch_caught(self, static_cast<pt_copied *>(self->argument)) ==
               PT_ENOMEM);
        refuse = false;
        rethrow_named("a");
    }
}

TEST(a_fiber_that_could_not_be_moved_keeps_what_it_caught)
{
    both_copied(refused_in_catch, look);
    EXPECT_TRACE("a has a, none ");
}
#endif

/* --- native tasks --- */

typedef PT_TASK(pt_native) native_task;

static native_task tasks[2];

// Two native tasks in a loop.
static void run_both(pt_native_function *first, pt_native_function *second)
{
    static PT_LOOP_STORAGE(2) storage;
    pt_loop loop;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    memset(tasks, 0, sizeof tasks);
    PT_START(&loop, &tasks[0], pt_native, .function = first, .stack = stacks[0],
             .bytes = sizeof stacks[0], .argument = NULL);
    PT_START(&loop, &tasks[1], pt_native, .function = second, .stack = stacks[1],
             .bytes = sizeof stacks[1], .argument = NULL);
    for (pt_time now = 0; pt_loop_live(&loop); now += PT_MS(1))
        for (int i = 0; i < 9; i++)
            pt_loop_turn(&loop, now);
}

static const char *name_of(const pt_native *self)
{
    return self->task == &tasks[0].task ? "a" : "b";
}

static void rethrow(const pt_native *self)
{
    try {
        throw;
    } catch (const std::runtime_error &error) {
        trace("%s has %s, ", name_of(self), error.what());
    }
}

// In a yield the tasks transfer to each other; in a wait they return to the loop.
static pt_status wait_in_catch(pt_native *self)
{
    try {
        throw std::runtime_error(name_of(self));
    } catch (...) {
        pt_native_yield(self);
        rethrow(self);
        pt_native_yield(self);
        rethrow(self);
        pt_native_wait(self, PT_MS(self->task == &tasks[0].task ? 2 : 1));
        rethrow(self);
    }
    EXPECT(!std::current_exception());
    return PT_OK;
}

TEST(each_native_task_that_waits_in_a_catch_block_keeps_its_own_exception)
{
    run_both(wait_in_catch, wait_in_catch);
    EXPECT_TRACE("a has a, b has b, a has a, b has b, b has b, a has a, ");
    EXPECT(!std::current_exception());
}

struct waiter {
    pt_native *self;
    ~waiter()
    {
        pt_native_yield(self);
        trace("%s %s, ", name_of(self), std::uncaught_exception() ? "in flight" : "lost");
    }
};

static pt_status wait_unwinding(pt_native *self)
{
    try {
        waiter w = {self};
        throw 1;
    } catch (int) {
        trace("%s caught, ", name_of(self));
    }
    return PT_OK;
}

static pt_status look_around(pt_native *self)
{
    for (int i = 0; i < 3; i++) {
        trace("%s, ", std::uncaught_exception() || std::current_exception() ? "leaked" : "none");
        pt_native_yield(self);
    }
    return PT_OK;
}

TEST(an_exception_in_flight_stays_with_its_native_task)
{
    run_both(wait_unwinding, look_around);
    EXPECT_TRACE("none, a in flight, a caught, none, none, ");
}

TEST(a_loop_that_runs_in_a_catch_block_keeps_its_exception_from_its_native_tasks)
{
    try {
        throw std::runtime_error("outer");
    } catch (...) {
        run_both(look_around, wait_in_catch);
        try {
            throw;
        } catch (const std::runtime_error &error) {
            trace("%s", error.what());
        }
    }
    EXPECT_TRACE("none, none, b has b, none, b has b, b has b, outer");
    EXPECT(!std::current_exception());
}

static pt_status generate_in_catch(pt_native *self)
{
    try {
        throw std::runtime_error("inner");
    } catch (...) {
        pt_native_yield(self);
        rethrow(self);
    }
    return PT_OK;
}

TEST(a_native_generator_that_yields_in_a_catch_block_keeps_its_own_exception)
{
    struct pt_native generator;

    PT_INIT(&generator, pt_native, .function = generate_in_catch, .stack = stacks[0],
            .bytes = sizeof stacks[0]);
    EXPECT(pt_next(&generator.pt));
    EXPECT(!std::current_exception());
    try {
        throw std::runtime_error("outer");
    } catch (const std::runtime_error &error) {
        EXPECT(!pt_next(&generator.pt));
        trace("%s", error.what());
    }
    EXPECT_TRACE("b has inner, outer");
    EXPECT(!std::current_exception());
}

#ifndef _WIN32
static void ended()
{
    _exit(3);
}

static pt_status leave_body(pt_native *self)
{
    pt_native_yield(self);
    throw std::runtime_error("nobody's");
}

static void leave_fiber(pt_fiber *)
{
    throw std::runtime_error("nobody's");
}

// Bodies without a stack: a task in a loop, and a generator that is resumed by hand.
struct stackless {
    struct pt pt;
};

static void fail()
{
    throw std::runtime_error("nobody's");
}

static PT_ASYNC(stackless, self)
{
    PT_YIELD();
    fail();
}
PT_END

static void leave_task()
{
    static PT_TASK(stackless) storage;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &storage, stackless);
    pt_loop_run(&loop);
}

static void leave_generator()
{
    struct stackless generator;

    PT_INIT(&generator, stackless);
    EXPECT(pt_next(&generator.pt));
    pt_next(&generator.pt);
}

static void run_and_catch(int which)
{
    std::set_terminate(ended);
    try {
        switch (which) {
        case 0: both(leave_fiber, look); break;
        case 1: run_both(leave_body, look_around); break;
        case 2: leave_task(); break;
        default: leave_generator();
        }
    } catch (...) {
        _exit(4);
    }
}

#if PT_DEBUG
// Each leaves its catch block by a plain switch: the first to resume finds the other's exception.
static void forget(pt_fiber *self)
{
    try {
        throw 1;
    } catch (int) {
        pt_fiber_switch(self, (pt_fiber *)self->argument);
    }
}

TEST(a_plain_switch_in_a_catch_block_is_noticed_when_the_fiber_resumes)
{
    int status = 0;
    pid_t child = fork();

    if (!child) {
        both(forget, forget);
        _exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFSIGNALED(status));
}

// One runs a fiber under another name than its own, and that switches to two, while one is on the shared stack.
static pt_fiber base, inner;

static void leave_for_two(pt_fiber *self)
{
    (void)pt_copied_switch(self, &two);
}

static void run_inner(pt_fiber *)
{
    pt_fiber_root(&base);
    pt_fiber_init(&inner, &base, stacks[0], sizeof stacks[0], leave_for_two, NULL);
    pt_fiber_switch(&base, &inner);
}

static void refused(int)
{
    _exit(3);
}

TEST(a_copied_fiber_that_another_one_leaves_in_its_place_is_noticed)
{
    int status = 0;
    pid_t child = fork();

    if (!child) {
        signal(SIGILL, refused);
        refuse = false;
        pt_fiber_root(&root);
        pt_copied_stack_init(&shared, area, sizeof area, resize, NULL);
        pt_copied_init(&one, &shared, &root, run_inner, NULL);
        pt_copied_init(&two, &shared, &root, look, NULL);
        (void)pt_copied_switch(&root, &one);
        _exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}
#endif

TEST(an_exception_that_leaves_a_fiber_or_a_body_ends_the_program)
{
    for (int i = 0; i < 4; i++) {
        int status = 0;
        pid_t child = fork();

        if (!child) {
            run_and_catch(i);
            _exit(5);
        }
        EXPECT(waitpid(child, &status, 0) == child);
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    }
}
#endif

int main()
{
    RUN(an_exception_thrown_after_a_switch_is_caught_by_an_outer_function);
    RUN(each_fiber_keeps_the_exception_that_it_caught);
    RUN(an_exception_in_flight_stays_with_its_fiber);
    RUN(each_fiber_that_leaves_a_destructor_continues_its_own_throw);
#if PT_CONTEXT != PT_CONTEXT_UCONTEXT
    RUN(each_fiber_of_a_shared_stack_keeps_the_exceptions_that_it_caught);
    RUN(an_exception_in_flight_stays_with_its_fiber_of_a_shared_stack);
    RUN(a_fiber_that_could_not_be_moved_keeps_what_it_caught);
#endif
    RUN(each_native_task_that_waits_in_a_catch_block_keeps_its_own_exception);
    RUN(an_exception_in_flight_stays_with_its_native_task);
    RUN(a_loop_that_runs_in_a_catch_block_keeps_its_exception_from_its_native_tasks);
    RUN(a_native_generator_that_yields_in_a_catch_block_keeps_its_own_exception);
#ifndef _WIN32
#if PT_DEBUG
    RUN(a_plain_switch_in_a_catch_block_is_noticed_when_the_fiber_resumes);
    RUN(a_copied_fiber_that_another_one_leaves_in_its_place_is_noticed);
#endif
    RUN(an_exception_that_leaves_a_fiber_or_a_body_ends_the_program);
#endif
    return native_end();
}
