// exceptions.cc - C++ exceptions are thrown and caught in fibers, over switches
// SPDX-License-Identifier: MIT
#include "native.h"

#include <exception>
#include <stdexcept>

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
    ~guard() { trace("unwound "); }
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

TEST(what_is_thrown_behind_a_switch_is_caught_above_it)
{
    both(catch_deep, catch_deep);
    EXPECT_TRACE("unwound unwound unwound deep unwound unwound unwound deep ");
}

// Both fibers stand in a catch block at the same time, and leave it in the order in which they came.
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

TEST(each_fiber_keeps_the_exception_that_it_has_caught)
{
    both(overlap, overlap);
    EXPECT_TRACE("a has a, b has b, ");
    EXPECT(!std::current_exception());
}

// A destructor that a throw runs counts what is in flight, of its own fiber.
struct leaver {
    pt_fiber *self;
    ~leaver()
    {
        trace(std::uncaught_exception() ? "in flight " : "lost ");
        pt_fiber_switch_caught(self, (pt_fiber *)self->argument);
        trace(std::uncaught_exception() ? "in flight " : "lost ");
    }
};

static void leave_unwinding(pt_fiber *self)
{
    try {
        leaver l = {self};
        throw 1;
    } catch (int) {
        trace("caught ");
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

int main()
{
    RUN(what_is_thrown_behind_a_switch_is_caught_above_it);
    RUN(each_fiber_keeps_the_exception_that_it_has_caught);
    RUN(an_exception_in_flight_stays_with_its_fiber);
    return native_end();
}
