/* test_sim.c - a seed determines a run: order, jitter, record and replay, failing memory
 * SPDX-License-Identifier: MIT
 *
 * The search for seeds is in test_search.c. */
#define PT_SIM /* pt_single.h includes sim.h, too */
#include "pt_test.h"

#if PT_TIMERS && PT_PAUSE

#if PT_INSPECT && PT_PORT && PT_POOLS && PT_CANCEL

#include <pt/sim.h>

static const struct pt_port memory = {NULL, NULL, test_resize, NULL, NULL, NULL, 0, false};
static struct pt_sim sim;
static struct pt_loop loop;

static void init_sim(uint64_t seed)
{
    pt_sim_init(&sim, seed, &memory);
    sim.world.now = TEST_START;
}

static void close_sim(void)
{
    ck_assert_uint_eq(sim.tasks.count, 0);
    pt_sim_close(&sim);
    ck_assert_int_eq(test_memory.blocks, 0);
}

struct speaker {
    struct pt pt;
    char name;
    int times;
};

static PT_ASYNC(speaker, self)
{
    for (; self->times > 0; self->times--) {
        trace_add("%c", self->name);
        PT_YIELD();
    }
}
PT_END

enum { SPEAKERS = 5 };

typedef PT_TASK(speaker) speaker_task;

static speaker_task speakers[SPEAKERS];

/* Run COUNT speakers in an initialized simulation. Returns their trace. */
static const char *speak_in(speaker_task *storage, int count, int times)
{
    memset(storage, 0, (size_t)count * sizeof *storage);
    pt_sim_open(&sim, &loop);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(
            PT_START(&loop, &storage[i], speaker, .name = (char)('a' + i), .times = times), PT_OK);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_int_eq(sim.status, PT_OK);
    ck_assert_uint_eq(sim.steps, (unsigned)(count * (times + 1)));
    return trace_take();
}

static const char *speak(int count, int times)
{
    return speak_in(speakers, count, times);
}

/* --- a seed --- */

START_TEST(runs_have_equal_hashes_only_if_they_are_equal)
{
    enum { SEEDS = 40 };
    char said[SEEDS][16];
    uint64_t hashes[SEEDS];
    int equal = 0;

    for (int seed = 0; seed < SEEDS; seed++) {
        for (int again = 0; again < 2; again++) {
            init_sim((uint64_t)seed);
            strcpy(said[seed], speak(3, 2));
            ck_assert(!again || sim.hash == hashes[seed]);
            hashes[seed] = sim.hash;
            close_sim();
            ck_assert(sim.hash == hashes[seed]);
        }
        for (int other = 0; other < seed; other++) {
            ck_assert(!strcmp(said[seed], said[other]) || hashes[seed] != hashes[other]);
            equal += !strcmp(said[seed], said[other]);
        }
    }
    ck_assert_int_lt(equal, SEEDS); /* of 780 pairs with 36 orders */
}
END_TEST

START_TEST(some_seed_gives_each_order_of_three_tasks)
{
    static const char *const orders[] = {"abc", "acb", "bac", "bca", "cab", "cba"};
    int seen[6] = {0};

    for (uint64_t seed = 1; seed <= 600; seed++) {
        const char *said;

        init_sim(seed);
        said = speak(3, 1);
        for (int i = 0; i < 6; i++)
            seen[i] += !strcmp(said, orders[i]);
        close_sim();
    }
    for (int i = 0; i < 6; i++)
        ck_assert(seen[i] > 60 && seen[i] < 140);
}
END_TEST

START_TEST(a_run_in_order_runs_tasks_in_the_order_of_their_start)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        init_sim(seed);
        sim.in_order = true;
        ck_assert_str_eq(speak(4, 3), "abcdabcdabcd");
        close_sim();
    }
}
END_TEST

START_TEST(a_run_does_not_depend_on_the_addresses_of_its_tasks)
{
    static speaker_task others[SPEAKERS + 1];
    uint64_t hash;

    for (int pct = 0; pct < 2; pct++) {
        init_sim(17);
        if (pct)
            pt_sim_pct(&sim, 3, 10);
        speak_in(speakers, SPEAKERS, 3);
        hash = sim.hash;
        close_sim();
        init_sim(17);
        if (pct)
            pt_sim_pct(&sim, 3, 10);
        speak_in(others + 1, SPEAKERS, 3);
        ck_assert(sim.hash == hash);
        close_sim();
    }
}
END_TEST

/* --- lateness --- */

struct sleeper {
    struct pt pt;
    int ms, times, late;
    pt_time due;
};

static PT_ASYNC(sleeper, self)
{
    for (; self->times > 0; self->times--) {
        self->due = PT_NOW() + (pt_time)self->ms * PT_MS(1);
        PT_WAIT_DEADLINE(self->due);
        ck_assert(!pt_time_before(PT_NOW(), self->due));
        ck_assert(PT_NOW() - self->due <= PT_MS(3));
        self->late += PT_NOW() != self->due;
    }
}
PT_END

static PT_TASK(sleeper) sleepers[2];

/* How often sleepers were late. They must never be early, nor more than 3 ms late. */
static int sleep_with(uint64_t seed, pt_time jitter)
{
    test_zero(sleepers);
    init_sim(seed);
    sim.jitter = jitter;
    pt_sim_open(&sim, &loop);
    PT_START(&loop, &sleepers[0], sleeper, .ms = 2, .times = 20);
    PT_START(&loop, &sleepers[1], sleeper, .ms = 3, .times = 20);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    close_sim();
    return sleepers[0].frame.late + sleepers[1].frame.late;
}

START_TEST(timers_fire_on_time_or_late_by_the_jitter_but_never_early)
{
    uint64_t hash;

    ck_assert_int_eq(sleep_with(1, 0), 0);
    hash = sim.hash;
    ck_assert_int_eq(sleep_with(1, 0), 0);
    ck_assert(sim.hash == hash);
    ck_assert(sleep_with(1, PT_MS(3)) > 10);
    ck_assert(sim.hash != hash);
    hash = sim.hash;
    ck_assert(sleep_with(1, PT_MS(3)) > 10);
    ck_assert(sim.hash == hash);
}
END_TEST

START_TEST(a_simulation_without_a_timer_is_a_deadlock)
{
    init_sim(1);
    sim.jitter = PT_MS(1);
    pt_sim_open(&sim, &loop);
    test_zero(sleepers);
    PT_START(&loop, &sleepers[0], sleeper, .ms = 2, .times = 1);
    pt_pause(&sleepers[0].task);
    ck_assert_int_eq(pt_loop_run(&loop), PT_EDEADLK);
    ck_assert_uint_eq(sim.world.now, TEST_START);
    pt_loop_cancel(&loop, PT_ECANCELED);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    close_sim();
}
END_TEST

/* --- priorities --- */

/* How many of 300 seeds give the trace WANTED with priorities of this depth. */
static int count_pct(unsigned depth, uint64_t steps, int times, const char *wanted)
{
    int count = 0;

    for (uint64_t seed = 1; seed <= 300; seed++) {
        init_sim(seed);
        pt_sim_pct(&sim, depth, steps);
        count += !strcmp(speak(2, times), wanted);
        close_sim();
    }
    return count;
}

START_TEST(priorities_of_depth_1_never_change)
{
    int up = count_pct(1, 6, 3, "ababab"), down = count_pct(1, 6, 3, "bababa");

    ck_assert_int_eq(up + down, 300);
    ck_assert(up > 100 && down > 100);
    ck_assert_int_eq(count_pct(0, 6, 3, "ababab"), up);
}
END_TEST

START_TEST(priorities_of_depth_2_find_orders_that_need_one_change)
{
    ck_assert_int_eq(count_pct(1, 6, 2, "abba"), 0);
    ck_assert(count_pct(2, 6, 2, "abba") > 10);
    ck_assert_int_eq(count_pct(2, 6, 3, "abbaab"), 0);
    ck_assert(count_pct(3, 8, 3, "abbaab") > 2);
}
END_TEST

START_TEST(a_priority_change_comes_at_its_step_even_without_a_choice)
{
    int found = 0;

    for (uint64_t seed = 1; seed <= 300; seed++) {
        init_sim(seed);
        pt_sim_pct(&sim, 2, 2);
        sim.change_at[0] = 1; /* the last step of the first turn: the second task stays second */
        found += !strcmp(speak(2, 2), "abab");
        close_sim();
    }
    ck_assert(found > 100);
}
END_TEST

START_TEST(a_depth_beyond_the_limit_is_the_limit)
{
    init_sim(1);
    pt_sim_pct(&sim, 1000, 0);
    ck_assert_uint_eq(sim.changes, PT_SIM_CHANGES_);
    speak(3, 30);
    ck_assert_uint_eq(sim.next_change, PT_SIM_CHANGES_);
    close_sim();
}
END_TEST

/* --- tasks that come and go --- */

struct breeder {
    struct pt pt;
    int left;
};

static PT_ASYNC(breeder, self)
{
    for (; self->left > 0; self->left--) {
        PT_SPAWN_NEW(speaker, .name = 'x', .times = 1);
        ck_assert_int_eq(self->pt.status, PT_OK);
        if (self->left % 2) /* ends without a step */
            pt_cancel((struct pt_task *)pt_loop_current(&loop)->node.link.operand, PT_ECANCELED);
        PT_YIELD();
    }
}
PT_END

START_TEST(a_task_in_reused_storage_is_another_task)
{
    static PT_TASK(breeder) farm;

    for (int pct = 0; pct < 2; pct++) {
        test_zero(farm);
        init_sim(3);
        if (pct)
            pt_sim_pct(&sim, 2, 50);
        pt_sim_open(&sim, &loop);
        PT_START(&loop, &farm, breeder, .left = 20);
        ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
        ck_assert(sim.tasks.met >= 11 && sim.tasks.met <= 21);
        ck_assert_uint_eq(sim.tasks.room, 64);
        trace_take();
        close_sim();
    }
}
END_TEST

/* --- record and replay --- */

/* Run speakers and a sleeper with jitter; a replay of CHOICES unless it is NULL. */
static uint64_t record(uint64_t seed, const uint32_t *choices, size_t count)
{
    test_zero(sleepers);
    init_sim(seed);
    sim.jitter = PT_MS(3);
    if (choices)
        pt_sim_replay(&sim, choices, count);
    pt_sim_open(&sim, &loop);
    memset(speakers, 0, sizeof speakers);
    for (int i = 0; i < SPEAKERS; i++)
        PT_START(&loop, &speakers[i], speaker, .name = (char)('a' + i), .times = 100);
    PT_START(&loop, &sleepers[0], sleeper, .ms = 2, .times = 5);
    PT_START(&loop, &sleepers[1], sleeper, .ms = 2, .times = 5);
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_int_eq(sim.status, PT_OK);
    trace_take();
    return sim.hash;
}

START_TEST(a_replay_repeats_the_recorded_run)
{
    static uint32_t choices[1000];
    uint64_t hash = record(5, NULL, 0);
    size_t count = sim.chosen;

    ck_assert(count > 256 && count <= 1000);
    memcpy(choices, sim.choices, count * sizeof *choices);
    close_sim();
    ck_assert_uint_eq(sim.chosen, 0);
    ck_assert(record(5, choices, count) == hash);
    ck_assert_uint_eq(sim.chosen, count);
    ck_assert_int_eq(memcmp(sim.choices, choices, count * sizeof *choices), 0);
    close_sim();
    ck_assert(record(6, choices, count) != hash); /* another jitter */
    close_sim();
}
END_TEST

START_TEST(a_replay_without_jitter_needs_no_seed)
{
    uint32_t choices[64];
    size_t count;
    char said[32];

    init_sim(9);
    strcpy(said, speak(4, 4));
    count = sim.chosen;
    ck_assert_uint_eq(count, 4 * 3 + 3);
    memcpy(choices, sim.choices, count * sizeof *choices);
    close_sim();
    init_sim(1000);
    pt_sim_replay(&sim, choices, count);
    ck_assert_str_eq(speak(4, 4), said);
    close_sim();
}
END_TEST

START_TEST(a_missing_or_invalid_choice_in_a_replay_means_the_first_task)
{
    static const uint32_t last[] = {2, 1}, wild[] = {3, 1, 99, UINT32_MAX};

    init_sim(1);
    pt_sim_replay(&sim, NULL, 0);
    ck_assert_str_eq(speak(3, 3), "abcabcabc");
    close_sim();
    init_sim(1);
    pt_sim_replay(&sim, last, 2);
    ck_assert_str_eq(speak(3, 2), "cbacba");
    close_sim();
    init_sim(1);
    pt_sim_replay(&sim, wild, 4);
    ck_assert_str_eq(speak(3, 2), "acbacb");
    ck_assert_uint_eq(sim.choices[0], 0); /* what the run did, not what the replay asked for */
    close_sim();
}
END_TEST

/* --- memory --- */

enum { BUCKETS = PT_HAS_BUCKETS_ ? 3 : 0 }; /* blocks for them */

/* Run 100 tasks; the allocations FROM to TO fail. Returns whether none failed. */
static bool survive(int from, int to, bool pct)
{
    static speaker_task many[100];
    int started = 0;
    bool complete;

    test_zero(many);
    test_memory.calls = 0;
    test_memory.fail_from = from;
    test_memory.fail_to = to;
    init_sim(7);
    if (pct)
        pt_sim_pct(&sim, 4, 100);
    pt_sim_open(&sim, &loop);
    for (int i = 0; i < 100; i++)
        started += PT_START(&loop, &many[i], speaker, .name = 'x', .times = 3) == PT_OK;
    ck_assert_int_eq(pt_loop_run(&loop), PT_OK);
    ck_assert_int_eq((int)strlen(trace_take()), 3 * started);
    complete = started == 100 && sim.status == PT_OK;
    ck_assert(complete || test_memory.calls >= from); /* without buckets, too, all is complete */
    ck_assert(sim.status == PT_OK || sim.status == PT_ENOMEM);
    close_sim();
    return test_memory.calls < from;
}

START_TEST(a_simulation_survives_and_reports_each_failed_allocation)
{
    for (int pct = 0; pct < 2; pct++) {
        int once = 1, for_ever = 1;

        while (!survive(once, once, pct))
            once++;
        /* a table of 64, 128 and 256; choices of 256 and 512; room for 16 to 128 in each queue; buckets */
        ck_assert_int_eq(once, 3 + 2 + 4 * (PT_READY_STORAGE_ + PT_TIMERS_STORAGE_) + BUCKETS + 1);
        while (!survive(for_ever, 1000, pct))
            for_ever++;
        ck_assert_int_eq(for_ever, once);
    }
}
END_TEST

#endif

Suite *suite_sim(void)
{
    Suite *suite = test_suite("sim");

#if PT_INSPECT && PT_PORT && PT_POOLS && PT_CANCEL
    test_add(suite, runs_have_equal_hashes_only_if_they_are_equal);
    test_add(suite, some_seed_gives_each_order_of_three_tasks);
    test_add(suite, a_run_in_order_runs_tasks_in_the_order_of_their_start);
    test_add(suite, a_run_does_not_depend_on_the_addresses_of_its_tasks);
    test_add(suite, timers_fire_on_time_or_late_by_the_jitter_but_never_early);
    test_add(suite, a_simulation_without_a_timer_is_a_deadlock);
    test_add(suite, priorities_of_depth_1_never_change);
    test_add(suite, priorities_of_depth_2_find_orders_that_need_one_change);
    test_add(suite, a_priority_change_comes_at_its_step_even_without_a_choice);
    test_add(suite, a_depth_beyond_the_limit_is_the_limit);
    test_add(suite, a_task_in_reused_storage_is_another_task);
    test_add(suite, a_replay_repeats_the_recorded_run);
    test_add(suite, a_replay_without_jitter_needs_no_seed);
    test_add(suite, a_missing_or_invalid_choice_in_a_replay_means_the_first_task);
    test_add(suite, a_simulation_survives_and_reports_each_failed_allocation);
#endif
    return suite;
}
#else

Suite *suite_sim(void)
{
    return test_suite("sim");
}

#endif
