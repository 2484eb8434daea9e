/* pwm.c - a fade in time, and an output that rests however its task ends
 * SPDX-License-Identifier: MIT */
#include "services/pwm.h"
#include "traced.h"

static struct pwm lamp;

static void set(struct pwm *self, uint16_t duty)
{
    char number[8];

    (void)self;
    (void)snprintf(number, sizeof number, "%u", (unsigned)duty);
    note("duty", number);
}

static void open_world(void)
{
    open_loop();
    pwm_open(&lamp, set, 0);
    open_loop(); /* which begins the trace */
}

static PT_TASK(pwm_fade) fade;

static void start_fade(uint16_t to, pt_time length, pt_time every)
{
    memset(&fade, 0, sizeof fade);
    PT_START(&loop, &fade, pwm_fade, .pwm = &lamp, .to = to, .over = length, .every = every);
}

START_TEST(a_fade_changes_the_duty_evenly_and_ends_in_time)
{
    start_fade(1000, 10, 4);
    run_for(20);
    start_fade(40, 3, 0);
    run_for(20);
    start_fade(50, 0, 0);
    run_for(20);
    ck_assert_str_eq(trace, "0 duty 0; 4 duty 400; 8 duty 800; 10 duty 1000; "
                            "20 duty 1000; 21 duty 680; 22 duty 360; 23 duty 40; "
                            "40 duty 50; ");
}
END_TEST

START_TEST(a_fade_of_any_length_over_the_whole_range_does_not_overflow)
{
    start_fade(PWM_FULL, 30000, 10000);
    run_for(30000);
    start_fade(0, 30000, 15000);
    run_for(30000);
    if (PT_TIME_BITS > 16) { /* more than a product of 32 bits has room for */
        start_fade(PWM_FULL, (pt_time)800000, (pt_time)400000);
        run_for((pt_time)800000);
    }
    ck_assert_ptr_eq(strstr(trace, "0 duty 0; 10000 duty 21845; 20000 duty 43690; 30000 duty "
                                   "65535; 30000 duty 65535; 45000 duty 32768; 60000 duty 0; "),
                     trace);
    ck_assert(PT_TIME_BITS == 16 ||
              strstr(trace, "60000 duty 0; 460000 duty 32767; 860000 duty 65535; "));
}
END_TEST

START_TEST(a_step_that_is_late_goes_to_where_it_should_be)
{
    start_fade(1000, 10, 2);
    run_for(1);
    pt_pause(&fade.task); /* as if a step of another task took long */
    run_for(6);
    pt_resume(&fade.task);
    run_for(20);
    ck_assert_str_eq(trace, "0 duty 0; 7 duty 700; 9 duty 900; 10 duty 1000; ");
}
END_TEST

START_TEST(a_canceled_fade_leaves_the_duty_and_the_next_goes_on_from_there)
{
    start_fade(1000, 10, 4);
    run_for(9);
    pt_cancel(&fade.task, PT_ECANCELED);
    run_for(1);
    start_fade(0, 4, 2);
    run_for(20);
    ck_assert_str_eq(trace, "0 duty 0; 4 duty 400; 8 duty 800; "
                            "10 duty 800; 12 duty 400; 14 duty 0; ");
}
END_TEST

struct heater {
    struct pt pt;
    struct pt_held held;
    struct pwm_fade fade;
};

static PT_ASYNC(heater, self)
{
    PT_WITH_LOCK(&self->held, &lamp.lock) {
        pwm_rests(&self->held);
        PT_TRY(&self->fade, pwm_fade, .pwm = &lamp, .to = 100, .over = 2);
        PT_WAIT(10);
    }
    note("left", "");
}
PT_END

START_TEST(an_output_rests_behind_its_block_and_after_a_cancel_before_the_next_task_has_it)
{
    static PT_TASK(heater) first, second;

    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    PT_START(&loop, &first, heater);
    PT_START(&loop, &second, heater);
    run_for(1);
    pt_cancel(&first.task, PT_ECANCELED);
    run_for(20);
    ck_assert_str_eq(trace, "0 duty 0; 1 duty 50; 1 duty 0; 1 duty 0; 2 duty 50; 3 duty 100; "
                            "13 duty 0; 13 left ; ");
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_fade_changes_the_duty_evenly_and_ends_in_time,
        &a_fade_of_any_length_over_the_whole_range_does_not_overflow,
        &a_step_that_is_late_goes_to_where_it_should_be,
        &a_canceled_fade_leaves_the_duty_and_the_next_goes_on_from_there,
        &an_output_rests_behind_its_block_and_after_a_cancel_before_the_next_task_has_it,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
