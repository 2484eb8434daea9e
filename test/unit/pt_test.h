/* pt_test.h - what all tests share: a trace, a clock near its wrap, counted memory
 * SPDX-License-Identifier: MIT
 *
 *     START_TEST(a_task_sleeps_for_its_delay)
 *     {
 *         test_open(&world);
 *         PT_START(&world.loop, &nap, nap, .delay = PT_MS(5));
 *         run_world("asleep@0 awake@5 ");
 *     }
 *     END_TEST
 *
 * A file test_X.c exports suite_X; unit.c knows them all. Nothing here shares a type of pt
 * between files, so that a file can set its own knobs before it includes this one. */
#ifndef PT_TEST_H
#define PT_TEST_H

#include <check.h>
#include <pt/inspect.h>
#include <pt/pt.h>
#include <pt/posix.h>

#undef pt_loop_run /* with PT_DEBUG it prints deadlocks, and many tests end in one */

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Every test file, room by room, in the order in which they run.
 * -D'TEST_SUITES(X)=X(NAME)' selects one. */
#ifndef TEST_SUITES
/* clang-format off */
#define TEST_SUITES(X) \
    X(ticks) X(fields) X(critical) X(needs) X(posix) X(readings) X(reading_turns) \
    X(reading_wakers) X(list) X(wait_queue) X(wait_list) X(heap) X(timers) X(buckets) X(ready) X(coroutine) X(generator) \
    X(bare) X(two_files) X(panic) X(no_loop) X(checks) X(overwritten) X(same_knobs) X(time) X(delays) X(small_delays) \
    X(loop) X(spawn) X(pause) X(park) X(pool) X(memory) X(taken) X(regressions) X(small) X(untimed) \
    X(urgent) X(level) X(nest) X(nest_hosts) X(nest_left) X(nest_time) X(axon) X(articles) X(cancel) \
    X(cancel_ends) X(cancel_nest) X(unwind) X(interrupted) X(small_cancel) X(range) X(rearm) \
    X(timeout) X(timeout_ties) X(timeout_frames) X(timeout_queue) X(group) X(group_members) \
    X(group_end) X(cancel_all) X(decided) X(group_cleanup) X(group_chance) X(select) X(choices) X(cases) \
    X(event) X(semaphore) X(lock) X(condition) X(condition_ends) X(flags) X(barrier) X(rwlock) X(ticker) X(not_made) \
    X(local) X(held) \
    X(regressions_sync) X(channel) X(channel_ends) X(late) X(queue) X(broadcast) X(ring) X(mailbox) \
    X(remote) X(waker) X(waker_mark) X(remote_threads) X(cores) X(remote_ends) X(foreign) X(freed) X(threads) X(inspect) X(dump) X(sites) X(since) X(observe) \
    X(meddle) X(watch) X(stuck) X(stuck_chance) X(reached) X(pieces) X(trace) X(metrics) X(sim) X(search) X(native) \
    X(native_next) X(native_blocks) X(native_over) X(native_cancel) \
    X(native_talk) X(native_panic) X(native_readings) X(tasklet)
/* clang-format on */
#endif

#define TEST_DECLARE_(name) Suite *suite_##name(void);
TEST_SUITES(TEST_DECLARE_)
#undef TEST_DECLARE_

/* test_suite - a suite, to which test_add adds its tests */
Suite *test_suite(const char *name);

/* test_add - each test is a case of its own: CK_RUN_CASE=sentence runs just that one */
#define test_add(suite, sentence) test_add_(suite, #sentence, sentence)
void test_add_(Suite *suite, const char *name, const TTest *test);

/* --- the trace --- */

/* trace_add - append to the trace as printf does; the trace is empty when a test begins */
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
void trace_add(const char *format, ...);

/* trace_take - the trace so far; the next trace_add starts a new one */
const char *trace_take(void);

#define ck_assert_trace(expected) ck_assert_str_eq(trace_take(), expected)

/* --- memory --- */

/* A realloc that counts and fails on request. */
struct test_memory {
    int blocks;    /* allocated and not freed */
    int calls;     /* allocations asked for */
    int fail_from; /* the first call that fails, counted from 1; 0: none */
    int fail_to;   /* the last one */
};

extern struct test_memory test_memory;

void *test_resize(void *context, void *block, size_t bytes);

/* --- time --- */

/* The clock of each test starts here, a few milliseconds before the wrap. */
#define TEST_START ((pt_time)((pt_time)0 - PT_MS(3)))

/* test_ms - the milliseconds since the start of the test */
static inline int test_ms(pt_time time)
{
    return (int)((pt_time)(time - TEST_START) / PT_MS(1));
}

/* test_at - the time MS milliseconds after the start of the test */
static inline pt_time test_at(int ms)
{
    return (pt_time)(TEST_START + (pt_time)ms * PT_MS(1));
}

/* test_zero - clear storage, which a task needs before its first use */
#define test_zero(storage) memset(&(storage), 0, sizeof(storage))

#if PT_PORT

/* A loop in virtual time. */
struct test_world {
    struct pt_virtual clock;
    struct pt_loop loop;
};

static inline void test_open(struct test_world *world)
{
    static struct pt_port memory;

    memory.resize = test_resize;
    pt_virtual_init(&world->clock, 1, &memory);
    world->clock.now = TEST_START;
    pt_loop_open(&world->loop, &world->clock.port);
}

/* test_close - close the loop, and check that all memory was freed */
static inline void test_close(struct test_world *world)
{
    pt_loop_close(&world->loop);
    ck_assert_int_eq(test_memory.blocks, 0);
}

/* The world of the tests in a file. */
static struct test_world world;

/* run_world - run until no task is left, check the trace, and close the loop */
static inline void run_world(const char *trace)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace(trace);
    test_close(&world);
}

/* turn - one turn of the loop, MS milliseconds after the start of the test */
static inline void turn(int ms)
{
    world.clock.now = test_at(ms);
    pt_loop_turn(&world.loop, world.clock.now);
}

/* run_until - run the loop up to a time and no further, MS milliseconds after the start of the test */
static inline void run_until(int ms)
{
    pt_time now = world.clock.now;

    while (!pt_time_before(test_at(ms), now)) {
        world.clock.now = now;
        now = pt_loop_turn(&world.loop, now);
    }
    world.clock.now = test_at(ms);
}

#endif
#endif
