/* samples.c - a converter that never waits: each half is whole, or a code says that it is not
 * SPDX-License-Identifier: MIT */
#include "drivers/samples.h"
#include "traced.h"
#include "virtual/adc_model.h"

enum { COUNT = 12, HALF = COUNT / 2 };

static struct adc_model adc;

struct reader {
    struct pt pt;
    const uint8_t *works; /* ticks for each of four halves, in turn */
    uint16_t expects;     /* the first sample */
    unsigned halves, overruns, mixtures;
    struct samples_next next;
};

static bool is_whole(const struct reader *self)
{
    for (uint16_t i = 0; i < HALF; i++)
        if (self->next.half[i] != self->next.half[0] + i)
            return false;
    return self->next.half[0] % HALF == 0;
}

/* It looks at a half when it has worked on it: what it has is whole, or the next call returns a code. */
static PT_ASYNC(reader, self)
{
    for (;;) {
        PT_WAIT_COMPLETE(&self->next, samples_next, .adc = &adc.samples);
        if (self->pt.status == PT_EOVERRUN) {
            self->overruns++;
            self->mixtures = 0;
            continue;
        }
        ck_assert_int_eq(self->pt.status, PT_OK);
        ck_assert_uint_eq(self->mixtures, 0); /* it would have been told */
        ck_assert(is_whole(self) && self->next.half[0] >= self->expects);
        ck_assert(self->overruns || self->next.half[0] == self->expects);
        self->expects = (uint16_t)(self->next.half[0] + HALF);
        self->halves++;
        PT_WAIT(self->works[self->halves % 4]);
        self->mixtures += !is_whole(self);
    }
}
PT_END

static uint16_t buffer[COUNT];
static PT_TASK(samples_run) run;
static PT_TASK(reader) reader;

static void open_world(void)
{
    open_loop();
    hardware_stop(&adc.hardware);
    memset(&adc, 0, sizeof adc);
    adc_model_open(&adc, &loop);
    adc.samples.channels = 1 << 4 | 1 << 2; /* a group of two */
    memset(&run, 0, sizeof run);
    memset(&reader, 0, sizeof reader);
}

static void start(uint8_t first, uint8_t second, uint8_t third, uint8_t fourth)
{
    static uint8_t works[4];

    works[0] = first;
    works[1] = second;
    works[2] = third;
    works[3] = fourth;
    PT_START(&loop, &reader, reader, .works = works);
    PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = buffer, .count = COUNT);
}

START_TEST(a_task_that_is_in_time_gets_each_half_whole_and_in_order)
{
    for (uint8_t work = 0; work < HALF; work++)
        for (int late = 0; late < 2; late++) {
            open_world();
            hardware_is_late = late;
            start(work, 0, work, work / 2);
            run_for(100 * HALF);
            ck_assert_uint_eq(reader.frame.overruns, 0);
            ck_assert_uint_ge(reader.frame.halves, 99);
        }
}
END_TEST

START_TEST(a_task_that_is_late_is_told_and_never_works_on_a_mixture_unknown)
{
    for (uint8_t first = 0; first < 3 * HALF; first++)
        for (uint8_t second = 0; second < 3 * HALF; second++)
            for (int late = 0; late < 2; late++) {
                open_world();
                hardware_is_late = late;
                start(first, second, 0, second);
                run_for(60 * HALF);
                ck_assert(reader.frame.overruns || (first <= HALF && second <= HALF));
                ck_assert(!reader.frame.overruns || first >= HALF || second >= HALF);
                ck_assert_uint_ge(reader.frame.halves, 10);
            }
}
END_TEST

START_TEST(a_task_that_waited_and_runs_too_late_takes_no_half_that_is_written)
{
    for (pt_time rest = 0; rest < 4 * HALF; rest++) {
        open_world();
        start(0, 0, 0, 0);
        run_for(2);
        pt_pause(&reader.task); /* as if a step of another task took long */
        run_for(HALF - 2 + rest);
        pt_resume(&reader.task);
        run_for(10 * HALF);
        ck_assert_uint_eq(reader.frame.overruns, rest >= HALF);
        ck_assert_uint_ge(reader.frame.halves, 9);
    }
}
END_TEST

START_TEST(a_task_that_is_late_by_any_number_of_halves_is_told)
{
    for (pt_time halves = 250; halves < 520; halves++) {
        open_world();
        start(0, 0, 0, 0);
        run_for(HALF + 1);
        pt_pause(&reader.task);
        run_for((pt_time)(halves * HALF));
        pt_resume(&reader.task);
        run_for(2 * HALF);
        ck_assert_uint_eq(reader.frame.overruns, 1);
        ck_assert_uint_ge(reader.frame.halves, 2); /* and it goes on */
    }
}
END_TEST

START_TEST(behind_a_run_no_half_is_given)
{
    for (pt_time rest = 1; rest < 3 * HALF; rest++) {
        open_world();
        start(0, 0, 0, 0);
        run_for(HALF + 1);
        pt_pause(&reader.task);
        run_for(rest);
        pt_cancel(&run.task, PT_ECANCELED);
        while (pt_task_alive(&run.task))
            board_turn_posted(&loop);
        memset(buffer, POISON, sizeof buffer);
        pt_resume(&reader.task);
        run_for(HALF);
        ck_assert(reader.frame.halves == 1 && !reader.frame.overruns);
        PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = buffer, .count = COUNT);
        reader.frame.expects = 0;
        run_for(2 * HALF + 1);
        ck_assert_uint_eq(reader.frame.halves, 3);
    }
}
END_TEST

START_TEST(a_run_that_is_canceled_at_any_tick_ends_when_the_hardware_has_let_go)
{
    for (uint16_t lag = 0; lag < 4; lag++)
        for (pt_time when = 0; when < 2 * COUNT; when++) {
            open_world();
            adc.lag = lag;
            start(0, 0, 0, 0);
            run_for(when);
            pt_cancel(&run.task, PT_ECANCELED);
            while (pt_task_alive(&run.task))
                board_turn_posted(&loop);
            memset(buffer, POISON, sizeof buffer);
            run_for(3 * COUNT);
            ck_assert(is_poison(buffer, sizeof buffer));
            ck_assert_uint_eq(adc.samples.controller.resets, 0);
            pt_cancel(&reader.task, PT_ECANCELED);
            run_for(1);
        }
}
END_TEST

START_TEST(a_run_in_which_the_hardware_loses_a_sample_ends_with_the_code_and_another_can_begin)
{
    adc.fails_at = 20;
    start(0, 0, 0, 0);
    run_for(30);
    ck_assert_int_eq(pt_task_status(&run.task), PT_EOVERRUN);
    ck_assert_uint_eq(reader.frame.halves, 3);
    adc.fails_at = 0;
    reader.frame.expects = 0;
    PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = buffer, .count = COUNT);
    run_for(3 * HALF + 1);
    ck_assert_uint_eq(reader.frame.halves, 6);
}
END_TEST

START_TEST(a_buffer_that_has_not_two_halves_of_whole_groups_or_is_too_large_is_refused)
{
    PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = buffer, .count = 6);
    run_for(1);
    ck_assert_int_eq(pt_task_status(&run.task), PT_EINVAL);
    PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = buffer, .count = 0);
    run_for(1);
    ck_assert_int_eq(pt_task_status(&run.task), PT_EINVAL);
    adc.samples.channels = 1; /* a transfer counts its bytes in 16 bits */
    PT_START(&loop, &run, samples_run, .adc = &adc.samples, .to = buffer, .count = 32768);
    run_for(1);
    ck_assert(!pt_task_alive(&run.task));
    ck_assert_int_eq(pt_task_status(&run.task), PT_EINVAL);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_task_that_is_in_time_gets_each_half_whole_and_in_order,
        &a_task_that_is_late_is_told_and_never_works_on_a_mixture_unknown,
        &a_task_that_waited_and_runs_too_late_takes_no_half_that_is_written,
        &a_task_that_is_late_by_any_number_of_halves_is_told,
        &behind_a_run_no_half_is_given,
        &a_run_that_is_canceled_at_any_tick_ends_when_the_hardware_has_let_go,
        &a_run_in_which_the_hardware_loses_a_sample_ends_with_the_code_and_another_can_begin,
        &a_buffer_that_has_not_two_halves_of_whole_groups_or_is_too_large_is_refused,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
