/* test_trace.c - a trace has each step, and what made each task ready
 * SPDX-License-Identifier: MIT */
#include <stdint.h>

/* The counter counts its readings. */
extern uint64_t test_trace_counter;
#define PT_TRACE_CLOCK() (test_trace_counter++)
#define PT_TRACE_TICKS_PER_SEC 1000
#include "pt_test.h"

uint64_t test_trace_counter;

#if PT_TRACE && PT_PORT && PT_TIMERS && PT_AWAIT && PT_JOINS && PT_PAUSE && PT_SYNC && PT_REMOTE

#include "test_patron.h"
#include <pt/host/save.h>

#include <unistd.h>

#define EVENTS 64

static struct pt_trace tracer;
static struct pt_trace_event ring[EVENTS];
static struct pt_trace_reader reader;

static const char *const kinds[] = {
#define KIND_NAME(name, text) #name,
    PT_TRACE_TABLE(KIND_NAME)
#undef KIND_NAME
};

/* The tasks of a test, by which an address gets its name. */
struct known {
    const struct pt_task *task;
    const char *name;
};

static struct known known[8];

static const char *name_of(uint64_t address)
{
    for (int i = 0; i < 8; i++)
        if (known[i].task && (uint64_t)(uintptr_t)known[i].task == address)
            return known[i].name;
    return "?";
}

static void name_task(const struct pt_task *task, const char *name)
{
    int i = 0;

    while (known[i].task && known[i].task != task)
        i++;
    known[i].task = task;
    known[i].name = name;
}

static void add_event(const struct pt_trace_event *event)
{
    switch ((enum pt_trace_kind)event->kind) {
    case PT_TRACE_NAME: trace_add("'%.14s' ", (const char *)(const void *)event + 2); break;
    case PT_TRACE_SUSPEND: trace_add("SUSPEND(%d) ", event->what & 0x7f); break;
    case PT_TRACE_POLL: trace_add("POLL "); break;
    case PT_TRACE_AWAIT: trace_add("AWAIT "); break;
    case PT_TRACE_RETURN: trace_add("RETURN(%d) ", (int8_t)event->what); break;
    case PT_TRACE_POST: trace_add("POST(%d) ", event->place); break;
    case PT_TRACE_LOST: trace_add("LOST(%d) ", (int)event->object); break;
    default:
        trace_add("%s %s(%d) ", kinds[event->kind], name_of(event->object), (int8_t)event->what);
    }
}

/* Add the events since the last call to the test's own trace. */
static void add_events(void)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    while (pt_trace_read(&tracer, &reader, &event))
        add_event(&event);
}

/* A loop, traced in SIZE events; the head of the file is read. */
static void open_traced(unsigned size)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    test_trace_counter = 0;
    test_zero(known);
    test_zero(reader);
    test_open(&world);
    pt_trace_start(&tracer, &world.loop, ring, size);
    for (int i = 0; i < 4; i++)
        ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert(!pt_trace_read(&tracer, &reader, &event));
}

static void end_traced(void)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_trace_stop(&tracer);
    add_events();
    test_close(&world);
}

struct leaf {
    struct pt pt;
};

static PT_ASYNC(leaf, self)
{
    PT_YIELD();
    PT_RETURN(PT_EAGAIN);
}
PT_END

struct branch {
    struct pt pt;
    PT_TASK(leaf) child;
    struct leaf awaited;
};

static PT_ASYNC(branch, self)
{
    name_task(&self->child.task, "child");
    PT_SPAWN(&self->child, leaf);
    PT_WAIT_COMPLETE(&self->awaited, leaf);
    PT_WAIT(PT_MS(1));
    PT_JOIN(&self->child.task);
}
PT_END

static PT_TASK(branch) branch_task;

static void start_branch(void)
{
    test_zero(branch_task);
    name_task(&branch_task.task, "branch");
    ck_assert_int_eq(PT_START(&world.loop, &branch_task, branch), PT_OK);
}

START_TEST(a_trace_has_each_step_and_each_wake_in_order)
{
    open_traced(EVENTS);
    start_branch();
    end_traced();
    ck_assert_trace("SPAWN branch(0) 'branch' RESUME branch(0) "
                    "SPAWN child(1) 'leaf' AWAIT SUSPEND(0) "
                    "RESUME child(0) SUSPEND(0) RESUME branch(0) RETURN(-8) SUSPEND(1) "
                    "RESUME child(0) END child(-8) 'leaf' POLL "
                    "TIMER branch(0) RESUME branch(0) END branch(0) 'branch' POLL ");
}
END_TEST

START_TEST(events_have_the_time_of_the_counter)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    open_traced(EVENTS);
    start_branch();
    pt_loop_turn(&world.loop, world.clock.now);
    for (uint32_t now = 1; pt_trace_read(&tracer, &reader, &event);)
        if (event.kind != PT_TRACE_NAME)
            ck_assert_uint_eq(event.time, now++);
    end_traced();
    trace_take();
}
END_TEST

/* --- wakes --------------------------------------------------------------------------------- */

struct waiter {
    struct pt pt;
    char way;
    struct pt_event *event;
};

static PT_ASYNC(waiter, self)
{
    if (self->way == 'p')
        PT_PARK();
    if (self->way == 'e')
        PT_WAIT_EVENT(self->event);
    if (self->way == 's')
        pt_event_trigger(self->event);
}
PT_END

static PT_TASK(waiter) waiters[3];

static void start_waiter(int i, const char *name, char way, struct pt_event *event)
{
    test_zero(waiters[i]);
    name_task(&waiters[i].task, name);
    ck_assert_int_eq(PT_START(&world.loop, &waiters[i], waiter, .way = way, .event = event), PT_OK);
}

START_TEST(a_wake_tells_the_task_that_did_it)
{
    struct pt_event event;

    pt_event_init(&event);
    open_traced(EVENTS);
    start_waiter(0, "a", 'e', &event);
    start_waiter(1, "b", 's', &event);
    end_traced();
    ck_assert_trace("SPAWN a(0) 'waiter' SPAWN b(0) 'waiter' RESUME a(0) SUSPEND(6) "
                    "RESUME b(0) WAKE a(1) END b(0) 'waiter' RESUME a(0) END a(0) 'waiter' POLL ");
}
END_TEST

START_TEST(a_wake_by_a_post_and_one_from_outside_are_told_apart)
{
    struct pt_remote remote;

    open_traced(EVENTS);
    start_waiter(0, "a", 'p', NULL);
    start_waiter(1, "b", 'p', NULL);
    pt_remote_open(&remote, &world.loop, pt_remote_wake, &waiters[0].task);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
    pt_remote_post(&remote);
    pt_remote_post(&remote);
    pt_wake(&waiters[1].task);
    end_traced();
    ck_assert_trace("WAKE b(0) POST(2) WAKE a(2) RESUME b(0) END b(0) 'waiter' "
                    "RESUME a(0) END a(0) 'waiter' POLL ");
}
END_TEST

START_TEST(a_task_that_is_paused_is_not_ready)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'x', NULL);
    pt_pause(&waiters[0].task);
    pt_loop_turn(&world.loop, world.clock.now);
    pt_resume(&waiters[0].task);
    end_traced();
    ck_assert_trace("SPAWN a(0) 'waiter' BLOCK a(0) POLL WAKE a(0) RESUME a(0) "
                    "END a(0) 'waiter' POLL ");
}
END_TEST

START_TEST(a_task_that_ends_wakes_its_joiners)
{
    open_traced(EVENTS);
    start_branch();
    pt_loop_turn(&world.loop, world.clock.now);
    pt_pause(&branch_task.frame.child.task);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
    world.clock.now = test_at(1);
    pt_loop_turn(&world.loop, world.clock.now);
    pt_resume(&branch_task.frame.child.task);
    end_traced();
    ck_assert_trace(
        "TIMER branch(0) RESUME branch(0) SUSPEND(3) POLL WAKE child(0) "
        "RESUME child(0) SUSPEND(0) RESUME child(0) WAKE branch(1) END child(-8) 'leaf' "
        "RESUME branch(0) END branch(0) 'branch' POLL ");
}
END_TEST

#if PT_CANCEL
START_TEST(a_canceled_task_is_woken_and_one_that_never_ran_ends_after_its_first_step)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'p', NULL);
    pt_loop_turn(&world.loop, world.clock.now);
    start_waiter(1, "b", 'p', NULL);
    add_events();
    trace_take();
    pt_cancel(&waiters[0].task, PT_ECANCELED);
    pt_cancel(&waiters[1].task, PT_ECANCELED);
    end_traced();
    ck_assert_trace(
        "WAKE a(0) RESUME b(0) WAKE b(1) SUSPEND(0) RESUME a(0) END a(-1) 'waiter' RESUME b(0) "
        "END b(-1) 'waiter' POLL ");
}
END_TEST
#endif

START_TEST(the_first_step_of_a_task_that_is_started_again_after_its_end_is_traced)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'x', NULL);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    start_waiter(0, "a", 'x', NULL);
    end_traced();
    ck_assert_trace("SPAWN a(0) 'waiter' RESUME a(0) END a(0) 'waiter' POLL "
                    "SPAWN a(0) 'waiter' RESUME a(0) END a(0) 'waiter' POLL ");
}
END_TEST

#if PT_HOSTED && PT_CLEANUP && !PT_DEBUG
struct deep {
    struct pt pt;
    struct deep *next;
};

static PT_ASYNC(deep, self)
{
    PT_FINALLY
    PT_WAIT_COMPLETE(self->next, deep, .next = self->next + 1);
}
PT_END

START_TEST(an_await_that_is_refused_is_not_traced)
{
    static struct deep frames[PT_CLEANING_MOST_ / 2];
    static struct pt_trace_event many[1024];
    static PT_TASK(deep) task;
    struct pt_trace_event event = {0, 0, 0, 0, 0};
    int awaits = 0, returns = 0;

    test_zero(frames);
    test_zero(task);
    test_zero(reader);
    test_open(&world);
    pt_trace_start(&tracer, &world.loop, many, 1024);
    PT_START(&world.loop, &task, deep, .next = frames);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_trace_stop(&tracer);
    while (pt_trace_read(&tracer, &reader, &event)) {
        awaits += event.kind == PT_TRACE_AWAIT;
        returns += event.kind == PT_TRACE_RETURN;
    }
    ck_assert_int_eq(awaits, PT_CLEANING_MOST_ / 2 - 1);
    ck_assert_int_eq(returns, awaits);
    test_close(&world);
}
END_TEST
#endif

#if TEST_PATRON
struct leaver {
    struct pt pt;
    struct pt_group group;
    PT_TASK(lingerer) member;
};

/* Leaves a group twice, and waits for its member each time: in its body, and at its end. */
static PT_ASYNC(leaver, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->member, lingerer);
        PT_YIELD();
        PT_RETURN(-70);
    }
    PT_FINALLY
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->member, lingerer);
        PT_YIELD();
        PT_RETURN(-70);
    }
}
PT_END

START_TEST(a_function_that_waits_for_its_group_is_at_its_cleanup_or_its_end)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};
    static PT_TASK(leaver) task;

    test_zero(task);
    open_traced(EVENTS);
    PT_START(&world.loop, &task, leaver);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_trace_stop(&tracer);
    while (pt_trace_read(&tracer, &reader, &event))
        if (event.kind == PT_TRACE_SUSPEND && (event.what & 0x7f) == PT_TRACE_WAITS_ + PT_WHY_GROUP)
            trace_add("%x ", event.place);
    ck_assert_trace("fffe ffff ");
    test_close(&world);
}
END_TEST

START_TEST(a_step_after_a_cancel_that_waited_for_a_group_has_a_resume_of_its_own)
{
    static const char *const traces[] = {
        "SPAWN p(0) 'patron' RESUME p(0) SPAWN g(1) 'lingerer' SUSPEND(0) RESUME g(0) "
        "SUSPEND(2) RESUME p(0) AWAIT RETURN(0) WAKE g(1) BLOCK p(5) "
        "RESUME g(0) SUSPEND(1) POLL TIMER g(0) "
        "RESUME g(0) WAKE p(1) END g(-1) 'lingerer' RESUME p(0) END p(-1) 'patron' POLL ",
        "SPAWN p(0) 'patron' RESUME p(0) SPAWN g(1) 'lingerer' AWAIT RETURN(0) BLOCK p(5) "
        "RESUME g(0) WAKE g(1) SUSPEND(0) RESUME g(0) SUSPEND(1) POLL TIMER g(0) "
        "RESUME g(0) WAKE p(1) END g(-1) 'lingerer' RESUME p(0) END p(-1) 'patron' POLL "};
    static PT_TASK(patron) task;

    for (int early = 0; early < 2; early++) {
        test_zero(task);
        open_traced(EVENTS);
        name_task(&task.task, "p");
        name_task(&task.frame.guest.task, "g");
        PT_START(&world.loop, &task, patron, .works = 0, .early = early);
        end_traced();
        ck_assert_trace(traces[early]);
    }
}
END_TEST
#endif

#if PT_NESTING
START_TEST(a_nested_loop_that_is_traced_wakes_its_task_in_the_outer_loop)
{
    static PT_TASK(pt_loop_async) inner_task;
    struct pt_loop inner;

    test_zero(inner_task);
    open_traced(EVENTS);
    pt_loop_open(&inner, &world.clock.port);
    pt_trace_stop(&tracer);
    pt_trace_start(&tracer, &inner, ring, EVENTS);
    test_zero(waiters);
    name_task(&waiters[0].task, "a");
    PT_START(&inner, &waiters[0], waiter, .way = 'p');
    PT_START(&world.loop, &inner_task, pt_loop_async, .loop = &inner);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    add_events();
    ck_assert_trace("SPAWN a(0) 'waiter' RESUME a(0) SUSPEND(2) POLL ");
    pt_wake(&waiters[0].task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_trace_stop(&tracer);
    add_events();
    ck_assert_trace("WAKE a(0) RESUME a(0) END a(0) 'waiter' POLL ");
    pt_loop_close(&inner);
    test_close(&world);
}
END_TEST

START_TEST(a_nested_loop_without_observers_wakes_its_task_and_later_does_not)
{
    static PT_TASK(pt_loop_async) inner_task;
    struct pt_loop inner;

    test_zero(inner_task);
    test_zero(waiters);
    test_open(&world);
    pt_loop_open(&inner, &world.clock.port);
    PT_START(&inner, &waiters[0], waiter, .way = 'p');
    PT_START(&world.loop, &inner_task, pt_loop_async, .loop = &inner);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_EDEADLK);
    pt_wake(&waiters[0].task);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    PT_START(&inner, &waiters[0], waiter, .way = 'p'); /* no task runs the loop now */
    ck_assert_int_eq(pt_loop_run(&inner), PT_EDEADLK);
    pt_wake(&waiters[0].task);
    ck_assert_int_eq(pt_loop_run(&inner), PT_OK);
    pt_loop_close(&inner);
    test_close(&world);
}
END_TEST
#endif

#if PT_TIMEOUTS
struct limited {
    struct pt pt;
    struct pt_scope limit;
};

static PT_ASYNC(limited, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2))
        PT_PARK();
}
PT_END

START_TEST(a_block_whose_time_is_over_is_a_timer)
{
    static PT_TASK(limited) task;

    test_zero(task);
    open_traced(EVENTS);
    name_task(&task.task, "limited");
    PT_START(&world.loop, &task, limited);
    end_traced();
    ck_assert_trace("SPAWN limited(0) 'limited' RESUME limited(0) SUSPEND(2) POLL "
                    "TIMER limited(0) RESUME limited(0) END limited(0) 'limited' POLL ");
}
END_TEST
#endif

/* Updates the time in its step, and then wakes a task with a timer that was due. */
START_TEST(a_timer_that_is_due_in_an_update_is_a_timer_and_not_a_wake_by_the_task)
{
    open_traced(EVENTS);
    start_branch();
    pt_loop_turn(&world.loop, world.clock.now);
    pt_loop_turn(&world.loop, world.clock.now);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
    pt_loop_update(&world.loop, test_at(1));
    add_events();
    ck_assert_trace("TIMER branch(0) ");
    world.clock.now = test_at(1);
    end_traced();
    trace_take();
}
END_TEST

/* --- the ring ------------------------------------------------------------------------------ */

START_TEST(a_small_ring_has_the_last_events_and_tells_how_many_are_lost)
{
    open_traced(3);
    start_branch();
    end_traced();
    ck_assert_trace("LOST(18) END branch(0) 'branch' POLL ");
    open_traced(20);
    start_branch();
    end_traced();
    ck_assert_int_eq(strncmp(trace_take(), "LOST(1) 'branch' RESUME branch(0) ", 33), 0);
}
END_TEST

START_TEST(a_reader_that_keeps_up_loses_nothing)
{
    open_traced(8);
    start_branch();
    for (int turn = 0; turn < 3; turn++) {
        pt_loop_turn(&world.loop, world.clock.now);
        add_events();
    }
    end_traced();
    ck_assert_ptr_null(strstr(trace_take(), "LOST"));
}
END_TEST

#if PT_HOSTED
START_TEST(a_file_begins_with_a_head_the_rate_the_counter_and_the_clock)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    test_trace_counter = 0x123456789;
    test_open(&world);
    test_zero(reader);
    pt_trace_start(&tracer, &world.loop, ring, EVENTS);
    ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert_int_eq(event.kind, PT_TRACE_HEAD);
    ck_assert_uint_eq(event.time, 0x50745472);
    ck_assert_int_eq(event.what, 1);
    ck_assert_int_eq(event.place, sizeof(void *));
    ck_assert_uint_eq(event.object, (uintptr_t)&world.loop);
    ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert_int_eq(event.kind, PT_TRACE_RATE);
    ck_assert_uint_eq(event.object, 1000);
    ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert_int_eq(event.kind, PT_TRACE_TIME);
    ck_assert_uint_eq(event.object, 0x123456789);
    ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert_int_eq(event.kind, PT_TRACE_STAMP);
    ck_assert_uint_eq(event.time, 0x23456789);
    ck_assert_int_eq(sizeof event, 16);
    pt_trace_stop(&tracer);
    test_close(&world);
}
END_TEST

START_TEST(a_gap_of_more_than_32_bits_is_told)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'p', NULL);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
    test_trace_counter += (uint64_t)3 << 32;
    pt_wake(&waiters[0].task);
    end_traced();
    ck_assert_trace("TIME ?(0) WAKE a(0) RESUME a(0) END a(0) 'waiter' POLL ");
}
END_TEST

/* Let the counter be AT, and wake a waiter; returns the counter of the first event then. */
static uint64_t woken_at(uint64_t at, struct pt_trace_event *event)
{
    test_trace_counter = at;
    pt_wake(&waiters[0].task);
    ck_assert(pt_trace_read(&tracer, &reader, event));
    return tracer.last;
}

static void park_traced(uint64_t at)
{
    open_traced(EVENTS);
    test_trace_counter = at;
    start_waiter(0, "a", 'p', NULL);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
}

START_TEST(a_gap_tells_its_rounds_for_those_who_read_it_without_what_came_before)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    park_traced(0);
    ck_assert_uint_eq(woken_at((uint64_t)3 << 32 | 1000, &event), (uint64_t)3 << 32 | 1000);
    ck_assert_int_eq(event.kind, PT_TRACE_TIME);
    ck_assert_int_eq(event.place, 3);
    end_traced();
    park_traced(0);
    (void)woken_at((uint64_t)1 << 50, &event);
    ck_assert_int_eq(event.place, UINT16_MAX);
    end_traced();
    trace_take();
}
END_TEST

START_TEST(a_counter_of_32_bits_can_wrap_and_one_of_64_never_goes_back)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    park_traced(0xfffffff0);
    ck_assert_uint_eq(woken_at(4, &event), (uint64_t)1 << 32 | 4);
    ck_assert_int_eq(event.kind, PT_TRACE_WAKE);
    ck_assert_uint_eq(event.time, 4);
    end_traced();
    park_traced((uint64_t)5 << 32);
    ck_assert_uint_eq(woken_at(((uint64_t)5 << 32) - 100, &event) >> 8, (uint64_t)5 << 24);
    ck_assert_int_eq(event.kind, PT_TRACE_WAKE);
    end_traced();
    trace_take();
}
END_TEST

START_TEST(more_events_than_32_bits_can_count_leave_a_whole_ring)
{
    struct pt_trace_event event = {0, 0, 0, 0, 0};

    open_traced(4);
    start_branch();
    pt_loop_turn(&world.loop, world.clock.now);
    tracer.count += (uint64_t)1 << 32; /* so many, and so long */
    reader.next = 0;
    ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert_int_eq(event.kind, PT_TRACE_LOST);
    ck_assert_uint_gt(event.object, (uint64_t)1 << 32);
    for (int i = 0; i < 4; i++)
        ck_assert(pt_trace_read(&tracer, &reader, &event));
    ck_assert(!pt_trace_read(&tracer, &reader, &event));
    end_traced();
    trace_take();
}
END_TEST
#endif

/* Sleeps for the longest delay, again and again. */
struct dormouse {
    struct pt pt;
    int i;
};

static PT_ASYNC(dormouse, self)
{
    for (; self->i < 5; self->i++)
        PT_WAIT(PT_DELAY_MAX);
}
PT_END

START_TEST(the_clock_of_a_trace_goes_on_where_that_of_the_loop_wraps)
{
    static PT_TASK(dormouse) task;
    uint64_t first;

    test_zero(task);
    open_traced(EVENTS);
    first = tracer.clock;
    ck_assert_uint_eq(first, TEST_START);
    ck_assert_int_eq(PT_START(&world.loop, &task, dormouse), PT_OK);
    end_traced();
    ck_assert_uint_eq(tracer.clock - first, (uint64_t)5 * PT_DELAY_MAX);
    ck_assert_uint_eq(tracer.turned, tracer.last);
    trace_take();
}
END_TEST

START_TEST(the_time_of_the_turn_is_a_counter_that_goes_on_where_it_wraps)
{
    const pt_trace_time last = 0x1ffff;

    open_traced(EVENTS);
    tracer.last = last;
    world.loop.now = (pt_time)5;
    ck_assert_uint_eq((pt_time)pt_trace_turn_(&tracer), (pt_time)5);
    if (PT_TIME_BITS < 8 * sizeof last)
        ck_assert_uint_gt(pt_trace_turn_(&tracer), last);
    ck_assert_uint_le((pt_trace_time)(pt_trace_turn_(&tracer) - last), (pt_time)-1);
    world.loop.now = TEST_START;
    end_traced();
    trace_take();
}
END_TEST

START_TEST(a_long_name_takes_pieces_and_is_cut_after_four)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'p', NULL);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
    pt_task_rename(&waiters[0].task, "1234567890abcd");
    pt_wake(&waiters[0].task);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    ck_assert_trace("WAKE a(0) RESUME a(0) END a(0) '1234567890abcd' POLL ");
    start_waiter(0, "a", 'x', NULL);
    pt_task_rename(&waiters[0].task, "1234567890abcd"
                                     "234567890abcde"
                                     "34567890abcdef"
                                     "4567890abcdefg5");
    end_traced();
    ck_assert_trace("SPAWN a(0) 'waiter' RESUME a(0) END a(0) '1234567890abcd' '234567890abcde' "
                    "'34567890abcdef' '4567890abcdefg' POLL ");
}
END_TEST

START_TEST(a_task_without_a_name_has_one_in_the_trace)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'x', NULL);
    add_events();
    trace_take();
    pt_task_rename(&waiters[0].task, NULL);
    end_traced();
    ck_assert_trace("RESUME a(0) END a(0) 'a task' POLL ");
}
END_TEST

START_TEST(a_trace_of_a_loop_without_a_port_has_the_clock_of_its_turns)
{
    static PT_LOOP_STORAGE(2) storage;
    struct pt_loop loop;

    test_trace_counter = 0;
    test_zero(known);
    test_zero(reader);
    pt_loop_init(&loop, test_at(7));
    pt_loop_use(&loop, &storage);
    pt_trace_start(&tracer, &loop, ring, EVENTS);
    ck_assert_uint_eq(tracer.clock, test_at(7));
    test_zero(waiters);
    name_task(&waiters[0].task, "a");
    ck_assert_int_eq(PT_START(&loop, &waiters[0], waiter, .way = 'x'), PT_OK);
    pt_loop_turn(&loop, test_at(9));
    ck_assert_uint_eq((pt_time)tracer.clock, test_at(9));
    pt_trace_stop(&tracer);
    add_events();
    ck_assert_trace("HEAD ?(1) RATE ?(0) TIME ?(0) STAMP ?(0) SPAWN a(0) 'waiter' RESUME a(0) "
                    "END a(0) 'waiter' POLL ");
}
END_TEST

START_TEST(a_stopped_trace_records_no_more_and_can_be_read)
{
    open_traced(EVENTS);
    start_waiter(0, "a", 'x', NULL);
    pt_trace_stop(&tracer);
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    add_events();
    ck_assert_trace("SPAWN a(0) 'waiter' ");
    test_close(&world);
}
END_TEST

#ifdef PT_SAVE_H /* the single header is without it */
START_TEST(a_saved_file_has_the_events_and_the_names_of_the_tasks_that_are_alive)
{
    char path[] = "/tmp/pt-trace-XXXXXX";
    struct pt_trace_event event = {0, 0, 0, 0, 0};
    bool of_site = false;
    FILE *file;

    ck_assert_int_ge(mkstemp(path), 0);
    open_traced(EVENTS);
    start_waiter(0, "a", 'p', NULL);
    pt_loop_turn(&world.loop, world.clock.now);
    pt_task_rename(&waiters[0].task, "the waiter of the test");
    ck_assert_int_eq(pt_trace_save(&tracer, path), PT_OK);
    file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    while (fread(&event, sizeof event, 1, file) == 1 && event.kind != PT_TRACE_MAP) {
        if (event.kind != PT_TRACE_NAME)
            of_site = event.kind == PT_TRACE_SITE; /* with PT_SITES */
        if (!of_site)
            add_event(&event);
    }
    fclose(file);
    unlink(path);
    ck_assert_trace("HEAD ?(1) RATE ?(0) TIME ?(0) STAMP ?(0) SPAWN a(0) 'waiter' RESUME a(0) "
                    "SUSPEND(2) POLL TIME ?(0) TIME ?(0) STAMP ?(0) "
                    "ALIVE a(0) 'the waiter of ' 'the test' ");
    ck_assert_int_eq(pt_trace_save(&tracer, "/no/such/folder"), PT_EIO);
    if (!access("/dev/full", W_OK))
        ck_assert_int_eq(pt_trace_save(&tracer, "/dev/full"), PT_EIO);
    pt_wake(&waiters[0].task);
    end_traced();
    trace_take();
}
END_TEST
#endif

#if TEST_PATRON

struct host {
    struct pt pt;
    struct pt_group group;
    PT_TASK(lingerer) guest;
};

static PT_ASYNC(host, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->guest, lingerer);
        PT_PARK();
    }
    PT_FINALLY
    PT_YIELD();
}
PT_END

START_TEST(a_canceled_task_is_not_ready_while_it_waits_for_its_group)
{
    static PT_TASK(host) task;

    test_zero(task);
    open_traced(EVENTS);
    name_task(&task.task, "h");
    name_task(&task.frame.guest.task, "g");
    PT_START(&world.loop, &task, host);
    pt_loop_turn(&world.loop, world.clock.now);
    pt_loop_turn(&world.loop, world.clock.now);
    add_events();
    trace_take();
    pt_cancel(&task.task, PT_ECANCELED);
    end_traced();
    ck_assert_trace("WAKE h(0) WAKE g(0) BLOCK h(5) RESUME g(0) SUSPEND(1) POLL TIMER g(0) "
                    "RESUME g(0) WAKE h(1) END g(-1) 'lingerer' "
                    "RESUME h(0) SUSPEND(0) RESUME h(0) END h(-1) 'host' POLL ");
}
END_TEST

#endif

Suite *suite_trace(void)
{
    Suite *suite = test_suite("trace");

    test_add(suite, a_trace_has_each_step_and_each_wake_in_order);
    test_add(suite, events_have_the_time_of_the_counter);
    test_add(suite, a_wake_tells_the_task_that_did_it);
    test_add(suite, a_wake_by_a_post_and_one_from_outside_are_told_apart);
    test_add(suite, a_task_that_is_paused_is_not_ready);
    test_add(suite, a_task_that_ends_wakes_its_joiners);
#if PT_CANCEL
    test_add(suite, a_canceled_task_is_woken_and_one_that_never_ran_ends_after_its_first_step);
#endif
    test_add(suite, the_first_step_of_a_task_that_is_started_again_after_its_end_is_traced);
#if PT_HOSTED && PT_CLEANUP && !PT_DEBUG
    test_add(suite, an_await_that_is_refused_is_not_traced);
#endif
#if TEST_PATRON
    test_add(suite, a_function_that_waits_for_its_group_is_at_its_cleanup_or_its_end);
    test_add(suite, a_step_after_a_cancel_that_waited_for_a_group_has_a_resume_of_its_own);
    test_add(suite, a_canceled_task_is_not_ready_while_it_waits_for_its_group);
#endif
#if PT_NESTING
    test_add(suite, a_nested_loop_that_is_traced_wakes_its_task_in_the_outer_loop);
    test_add(suite, a_nested_loop_without_observers_wakes_its_task_and_later_does_not);
#endif
#if PT_TIMEOUTS
    test_add(suite, a_block_whose_time_is_over_is_a_timer);
#endif
    test_add(suite, a_timer_that_is_due_in_an_update_is_a_timer_and_not_a_wake_by_the_task);
    test_add(suite, a_small_ring_has_the_last_events_and_tells_how_many_are_lost);
    test_add(suite, a_reader_that_keeps_up_loses_nothing);
#if PT_HOSTED
    test_add(suite, a_file_begins_with_a_head_the_rate_the_counter_and_the_clock);
    test_add(suite, a_gap_of_more_than_32_bits_is_told);
    test_add(suite, a_gap_tells_its_rounds_for_those_who_read_it_without_what_came_before);
    test_add(suite, a_counter_of_32_bits_can_wrap_and_one_of_64_never_goes_back);
    test_add(suite, more_events_than_32_bits_can_count_leave_a_whole_ring);
#endif
    test_add(suite, the_clock_of_a_trace_goes_on_where_that_of_the_loop_wraps);
    test_add(suite, the_time_of_the_turn_is_a_counter_that_goes_on_where_it_wraps);
    test_add(suite, a_long_name_takes_pieces_and_is_cut_after_four);
#ifdef PT_SAVE_H
    test_add(suite, a_saved_file_has_the_events_and_the_names_of_the_tasks_that_are_alive);
#endif
    test_add(suite, a_task_without_a_name_has_one_in_the_trace);
    test_add(suite, a_trace_of_a_loop_without_a_port_has_the_clock_of_its_turns);
    test_add(suite, a_stopped_trace_records_no_more_and_can_be_read);
    return suite;
}

#else

Suite *suite_trace(void)
{
    return test_suite("trace");
}

#endif
