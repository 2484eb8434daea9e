/* test_metrics.c - how long turns take, tasks are ready, and timers are late
 * SPDX-License-Identifier: MIT */
#include "test_patron.h"

#include <pt/inspect/prometheus.h>

#if PT_TRACE && PT_PORT && PT_TIMERS && PT_AWAIT && PT_REMOTE && PT_PAUSE

static struct pt_metrics metrics;

static void work(int ms)
{
    world.clock.now += (pt_time)ms * PT_MS(1);
}

static void open_measured(void)
{
    test_open(&world);
    pt_metrics_start(&metrics, &world.loop, NULL);
}

static void end_measured(void)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    pt_metrics_stop(&metrics);
    test_close(&world);
}

/* Works, yields or sleeps, and works again. */
struct worker {
    struct pt pt;
    int first, nap, second;
};

static PT_ASYNC(worker, self)
{
    work(self->first);
    if (self->nap < 0)
        PT_YIELD();
    else
        PT_WAIT_DEADLINE(PT_NOW() + (pt_time)self->nap * PT_MS(1));
    work(self->second);
}
PT_END

static PT_TASK(worker) workers[3];

static void start_worker(int i, int first, int nap, int second)
{
    test_zero(workers[i]);
    ck_assert_int_eq(
        PT_START(&world.loop, &workers[i], worker, .first = first, .nap = nap, .second = second),
        PT_OK);
}

#define MS(histogram) ((int)((histogram).sum / PT_MS(1)))

START_TEST(a_loop_without_a_port_is_measured_by_its_own_time)
{
    static PT_LOOP_STORAGE(2) storage;
    pt_time late = (pt_time)(TEST_START + PT_MS(5));
    struct pt_loop loop;

    pt_loop_init(&loop, TEST_START);
    pt_loop_use(&loop, &storage);
    pt_metrics_start(&metrics, &loop, NULL);
    test_zero(workers);
    PT_START(&loop, &workers[0], worker, .nap = 3);
    pt_loop_turn(&loop, TEST_START);
    pt_loop_turn(&loop, late);
    pt_metrics_stop(&metrics);
    ck_assert_uint_eq(metrics.steps, 2);
    ck_assert_int_eq(MS(metrics.late), 2);
    ck_assert_int_eq(MS(metrics.turn), 0); /* its time stands still in a turn */
}
END_TEST

START_TEST(a_turn_is_measured_from_its_reading_to_its_last_step)
{
    open_measured();
    start_worker(0, 3, 10, 1);
    start_worker(1, 4, 10, 2);
    end_measured();
    ck_assert_uint_eq(metrics.turns, 2);
    ck_assert_uint_eq(metrics.turn.count, 2);
    ck_assert_int_eq(MS(metrics.turn), 7 + 3);
    ck_assert_uint_eq(metrics.turn.most, PT_MS(7));
    ck_assert_uint_eq(metrics.steps, 4);
    ck_assert_uint_eq(metrics.spawns, 2);
    ck_assert_uint_eq(metrics.ends, 2);
    ck_assert_uint_eq(metrics.timers, 2);
    ck_assert_uint_eq(metrics.wakes, 2);
}
END_TEST

START_TEST(a_task_is_delayed_by_the_steps_before_its_own)
{
    open_measured();
    start_worker(0, 3, 10, 0);
    start_worker(1, 4, 10, 0); /* ready for 3 ms */
    start_worker(2, 0, 20, 0); /* for 7 */
    end_measured();
    ck_assert_int_eq(MS(metrics.delay), 3 + 7);
    ck_assert_uint_eq(metrics.delay.most, PT_MS(7));
    ck_assert_uint_eq(metrics.delay.count, 6);
}
END_TEST

START_TEST(a_task_that_yields_is_ready_at_once)
{
    open_measured();
    start_worker(0, 3, -1, 0); /* yields; then the other one works for 5 ms */
    start_worker(1, 5, 10, 0); /* ready for 3 */
    end_measured();
    ck_assert_int_eq(MS(metrics.delay), 5 + 3);
}
END_TEST

START_TEST(a_timer_is_late_by_the_step_that_was_in_its_way)
{
    open_measured();
    start_worker(0, 0, 2, 0);
    start_worker(1, 9, 1, 0); /* both are noticed at 9 ms: late by 7 and by 8 */
    end_measured();
    ck_assert_uint_eq(metrics.late.count, 2);
    ck_assert_int_eq(MS(metrics.late), 7 + 8);
}
END_TEST

struct caller {
    struct pt pt;
    struct worker callee;
};

static PT_ASYNC(caller, self)
{
    PT_WAIT_COMPLETE(&self->callee, worker, .first = 2, .nap = 5, .second = 2);
    work(4);
}
PT_END

START_TEST(an_await_and_a_return_are_not_steps_of_their_own)
{
    static PT_TASK(caller) caller;

    test_zero(caller);
    open_measured();
    PT_START(&world.loop, &caller, caller);
    end_measured();
    ck_assert_uint_eq(metrics.steps, 2);
    ck_assert_uint_eq(metrics.delay.count, 2);
    ck_assert_uint_eq(metrics.delay.sum, 0);
}
END_TEST

START_TEST(the_first_step_of_a_task_that_is_started_again_after_its_end_counts)
{
    open_measured();
    for (int i = 0; i < 3; i++) {
        start_worker(0, 0, 1, 0);
        ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    }
    end_measured();
    ck_assert_uint_eq(metrics.spawns, 3);
    ck_assert_uint_eq(metrics.steps, 3 * 2);
    ck_assert_uint_eq(metrics.delay.count, 3 * 2);
}
END_TEST

#if TEST_PATRON
START_TEST(a_step_after_a_cancel_that_waited_for_a_group_is_one_of_its_own)
{
    static PT_TASK(patron) task;

    for (int early = 0; early < 2; early++) {
        test_zero(task);
        open_measured();
        PT_START(&world.loop, &task, patron, .works = 0, .early = early);
        end_measured();
        ck_assert_uint_eq(metrics.steps, 3 + (early ? 2 : 3));
        ck_assert_uint_eq(metrics.delay.count, metrics.steps);
        ck_assert_uint_eq(metrics.ends, 2);
    }
}
END_TEST
#endif

static pt_time own_clock(void)
{
    return test_at(2);
}

START_TEST(a_post_is_counted_and_a_program_can_have_its_own_clock)
{
    struct pt_remote remote;

    test_open(&world);
    pt_metrics_start(&metrics, &world.loop, own_clock);
    start_worker(0, 0, -1, 0);
    pt_remote_open(&remote, &world.loop, pt_remote_wake, &workers[0].task);
    pt_remote_post(&remote);
    pt_remote_post(&remote);
    pt_loop_turn(&world.loop, test_at(1));
    ck_assert_uint_eq(metrics.posts, 2);
    ck_assert_uint_eq(metrics.turn.most, PT_MS(1));
    world.clock.now = test_at(1);
    end_measured();
}
END_TEST

START_TEST(a_task_that_was_ready_before_the_start_counts_from_the_start)
{
    test_open(&world);
    start_worker(0, 1, 1, 0);
    world.clock.now = test_at(2);
    pt_metrics_start(&metrics, &world.loop, NULL);
    world.clock.now = test_at(5);
    end_measured();
    ck_assert_uint_eq(metrics.delay.most, PT_MS(3));
}
END_TEST

/* --- histograms ---------------------------------------------------------------------------- */

START_TEST(each_duration_is_in_a_bucket_that_ends_at_most_a_quarter_above_it)
{
    uint64_t before = 0;

    for (unsigned bucket = 0; bucket < (PT_TIME_BITS - 1) * 4; bucket++) {
        uint64_t end = pt_histogram_end_(bucket);

        ck_assert_uint_gt(end, before);
        if (before < (pt_time)-1) {
            ck_assert_uint_eq(pt_histogram_bucket_((pt_time)(before + 1)), bucket);
            ck_assert_uint_le(end - before - 1, before / 4 + 1);
        }
        if (end <= (pt_time)-1)
            ck_assert_uint_eq(pt_histogram_bucket_((pt_time)end), bucket);
        before = end;
    }
    ck_assert_uint_eq(pt_histogram_bucket_((pt_time)-1), (PT_TIME_BITS - 1) * 4 - 1);
    ck_assert_uint_eq(pt_histogram_bucket_(0), 0);
}
END_TEST

START_TEST(a_quantile_is_never_below_the_durations_that_it_covers)
{
    struct pt_histogram histogram;

    test_zero(histogram);
    ck_assert_uint_eq(pt_histogram_quantile(&histogram, 50), 0);
    for (unsigned i = 1; i <= 100; i++)
        pt_histogram_add(&histogram, (pt_time)(i * 10));
    ck_assert_uint_eq(histogram.count, 100);
    ck_assert_uint_eq(histogram.sum, 50500);
    for (unsigned percent = 1; percent <= 100; percent++) {
        ck_assert_uint_ge(pt_histogram_quantile(&histogram, percent), percent * 10);
        ck_assert_uint_le(pt_histogram_quantile(&histogram, percent), percent * 10 * 5 / 4 + 1);
    }
    ck_assert_uint_eq(pt_histogram_quantile(&histogram, 100), 1000);
}
END_TEST

/* --- the text ------------------------------------------------------------------------------ */

static char page[32768];

static void add_to_page(void *context, const char *text)
{
    (void)context;
    ck_assert_uint_lt(strlen(page) + strlen(text), sizeof page);
    strcat(page, text);
}

START_TEST(the_text_for_prometheus_has_histograms_counters_and_gauges)
{
    open_measured();
    start_worker(0, 3, 10, 1);
    start_worker(1, 4, 10, 2);
    pt_loop_turn(&world.loop, world.clock.now);
    page[0] = '\0';
    pt_metrics_write(&metrics, "a \"b\\\n", add_to_page, NULL);
    ck_assert_ptr_nonnull(strstr(page, "# TYPE pt_turn_seconds histogram\npt_turn_seconds_bucket{"
                                       "loop=\"a \\\"b\\\\\\n\",le=\"0.0"));
    ck_assert_ptr_nonnull(strstr(page, ",le=\"+Inf\"} 1\npt_turn_seconds_sum{"));
    ck_assert_ptr_nonnull(
        strstr(page, "pt_turn_seconds_sum{loop=\"a \\\"b\\\\\\n\"} 0.007000000\n"));
    ck_assert_ptr_nonnull(strstr(page, "\n# TYPE pt_steps_total counter\npt_steps_total{loop="));
    ck_assert_ptr_nonnull(
        strstr(page, "\n# TYPE pt_tasks gauge\npt_tasks{loop=\"a \\\"b\\\\\\n\"} 2\n"));
    end_measured();
}
END_TEST

#if PT_TICKS_PER_SEC == 1000000000
START_TEST(the_buckets_of_the_text_end_at_powers_of_two_and_count_what_is_below_them)
{
    open_measured();
    pt_histogram_add(&metrics.turn, 1024);
    pt_histogram_add(&metrics.turn, 1025);
    pt_histogram_add(&metrics.turn, PT_SEC(100));
    page[0] = '\0';
    pt_metrics_write(&metrics, "x", add_to_page, NULL);
    ck_assert_ptr_nonnull(strstr(page,
                                 "# TYPE pt_turn_seconds histogram\n"
                                 "pt_turn_seconds_bucket{loop=\"x\",le=\"0.000001024\"} 1\n"
                                 "pt_turn_seconds_bucket{loop=\"x\",le=\"0.000002048\"} 2\n"));
    ck_assert_ptr_nonnull(strstr(page, "pt_turn_seconds_bucket{loop=\"x\",le=\"34.359738368\"} 2\n"
                                       "pt_turn_seconds_bucket{loop=\"x\",le=\"+Inf\"} 3\n"
                                       "pt_turn_seconds_sum{loop=\"x\"} 100.000002049\n"
                                       "pt_turn_seconds_count{loop=\"x\"} 3\n"));
    end_measured();
}
END_TEST
#endif

/* The number behind TEXT in the page. */
static uint64_t number_behind(const char *text)
{
    const char *at = strstr(page, text);

    ck_assert_ptr_nonnull(at);
    return strtoull(at + strlen(text), NULL, 10);
}

START_TEST(no_bucket_of_the_text_is_less_than_the_one_before_it_when_counters_wrap)
{
    uint64_t before = 0;

    open_measured();
    metrics.turn.buckets[pt_histogram_bucket_(PT_MS(1))] = UINT32_MAX;
    metrics.turn.buckets[pt_histogram_bucket_(PT_SEC(1))] = 5;
    metrics.turn.count = UINT32_MAX;
    metrics.steps = UINT32_MAX;
    start_worker(0, 1, 10, 1);
    pt_loop_turn(&world.loop, world.clock.now);
    page[0] = '\0';
    pt_metrics_write(&metrics, "x", add_to_page, NULL);
    for (const char *at = page; (at = strstr(at, "pt_turn_seconds_bucket")); at++) {
        uint64_t seen = strtoull(strstr(at, "} ") + 2, NULL, 10);

        ck_assert_uint_ge(seen, before);
        before = seen;
    }
    ck_assert_uint_eq(number_behind("pt_turn_seconds_count{loop=\"x\"} "), before);
    if (PT_TIME_BITS == 64) {
        ck_assert_uint_eq(before, (uint64_t)UINT32_MAX + 5 + 1);
        ck_assert_uint_eq(number_behind("pt_steps_total{loop=\"x\"} "), (uint64_t)UINT32_MAX + 1);
    }
    end_measured();
}
END_TEST

START_TEST(on_a_page_of_several_loops_the_lines_of_a_metric_are_together)
{
    const struct pt_named_metrics loops[] = {{&metrics, "a"}, {&metrics, "b"}};
    unsigned types = 0;

    open_measured();
    start_worker(0, 3, 10, 1);
    pt_loop_turn(&world.loop, world.clock.now);
    page[0] = '\0';
    pt_metrics_write_all(loops, 2, add_to_page, NULL);
    ck_assert_ptr_nonnull(strstr(page, "\n# TYPE pt_steps_total counter\n"
                                       "pt_steps_total{loop=\"a\"} 1\n"
                                       "pt_steps_total{loop=\"b\"} 1\n"
                                       "# TYPE pt_wakes_total counter\n"));
    ck_assert_ptr_nonnull(strstr(page, "\npt_turn_seconds_count{loop=\"a\"} 1\n"
                                       "pt_turn_seconds_bucket{loop=\"b\","));
    for (const char *at = page; (at = strstr(at, "# TYPE ")); at++) {
        const char *line = strchr(at, '\n');
        char type[64] = "";

        memcpy(type, at, (size_t)(line - at) < sizeof type ? (size_t)(line - at) : 0);
        ck_assert_ptr_null(strstr(line, type));
        types++;
    }
    ck_assert_uint_eq(types, 12);
    end_measured();
}
END_TEST

Suite *suite_metrics(void)
{
    Suite *suite = test_suite("metrics");

    test_add(suite, a_loop_without_a_port_is_measured_by_its_own_time);
    test_add(suite, a_turn_is_measured_from_its_reading_to_its_last_step);
    test_add(suite, a_task_is_delayed_by_the_steps_before_its_own);
    test_add(suite, a_task_that_yields_is_ready_at_once);
    test_add(suite, a_timer_is_late_by_the_step_that_was_in_its_way);
    test_add(suite, an_await_and_a_return_are_not_steps_of_their_own);
    test_add(suite, the_first_step_of_a_task_that_is_started_again_after_its_end_counts);
#if TEST_PATRON
    test_add(suite, a_step_after_a_cancel_that_waited_for_a_group_is_one_of_its_own);
#endif
    test_add(suite, a_post_is_counted_and_a_program_can_have_its_own_clock);
    test_add(suite, a_task_that_was_ready_before_the_start_counts_from_the_start);
    test_add(suite, each_duration_is_in_a_bucket_that_ends_at_most_a_quarter_above_it);
    test_add(suite, a_quantile_is_never_below_the_durations_that_it_covers);
    test_add(suite, the_text_for_prometheus_has_histograms_counters_and_gauges);
    test_add(suite, no_bucket_of_the_text_is_less_than_the_one_before_it_when_counters_wrap);
    test_add(suite, on_a_page_of_several_loops_the_lines_of_a_metric_are_together);
#if PT_TICKS_PER_SEC == 1000000000
    test_add(suite, the_buckets_of_the_text_end_at_powers_of_two_and_count_what_is_below_them);
#endif
    return suite;
}

#else

Suite *suite_metrics(void)
{
    return test_suite("metrics");
}

#endif
