/* watchdog.c - who does not report in time is named, and the hardware's watchdog bites
 * SPDX-License-Identifier: MIT */
#include "services/watchdog.h"
#include "traced.h"

enum { BITES_AFTER = 25, EVERY = 10 };

static unsigned fed;

/* --- the hardware ------------------------------------------------------------------------- */

static void bite(struct hardware *self)
{
    (void)self;
    note("bites", "");
}

static struct hardware timer = {.act = bite};

static void feed(struct watchdog *dog)
{
    (void)dog;
    fed++;
    hardware_at(&timer, (pt_time)(board_now() + BITES_AFTER));
}

static void late(struct watchdog *dog, const struct ward *ward)
{
    (void)dog;
    note(ward->name, "late");
}

/* --- tasks that report -------------------------------------------------------------------- */

static struct watchdog dog;
static struct ward wards[2];

struct worker {
    struct pt pt;
    struct ward *ward;
    pt_time pace;
    unsigned left; /* reports until it waits for ever */
    bool ends;     /* it ends instead */
};

static PT_ASYNC(worker, self)
{
    for (; self->left; self->left--) {
        PT_WAIT(self->pace);
        ward_report(self->ward, PT_NOW());
    }
    while (!self->ends)
        PT_PARK();
}
PT_END

static PT_TASK(watchdog_guard) guard;
static PT_TASK(worker) workers[2];

static void open_world(void)
{
    open_loop();
    hardware_stop(&timer);
    memset(&guard, 0, sizeof guard);
    memset(workers, 0, sizeof workers);
    memset(wards, 0, sizeof wards);
    fed = 0;
    dog = (struct watchdog){.feed = feed, .late = late};
    PT_START(&loop, &guard, watchdog_guard, .dog = &dog, .every = EVERY);
}

static void start(unsigned i, pt_time pace, unsigned reports, bool ends)
{
    watchdog_add(&dog, &wards[i], i ? "motor" : "radio", 20, board_now());
    PT_START(&loop, &workers[i], worker, .ward = &wards[i], .pace = pace, .left = reports,
             .ends = ends);
}

START_TEST(a_watchdog_is_fed_while_each_task_reports_in_time)
{
    start(0, 20, 1000, false); /* just in time */
    start(1, 3, 1000, false);
    run_for(200);
    ck_assert_str_eq(trace, "");
    ck_assert_uint_eq(fed, 21);
}
END_TEST

START_TEST(a_task_that_does_not_report_is_named_once_and_the_watchdog_bites)
{
    start(0, 5, 1000, false);
    start(1, 10, 3, false); /* at 30; the next would be due at 50 */
    run_for(200);
    ck_assert_str_eq(trace, "60 motor late; 75 bites ; ");
}
END_TEST

START_TEST(each_task_that_is_late_is_named)
{
    start(0, 10, 4, false);
    start(1, 10, 1, false);
    run_for(200);
    ck_assert_str_eq(trace, "40 motor late; 55 bites ; 70 radio late; ");
}
END_TEST

START_TEST(a_task_that_has_ended_or_was_canceled_is_late)
{
    start(0, 10, 1, true);
    start(1, 10, 1000, false);
    run_for(12);
    ck_assert(pt_task_done(&workers[0].task));
    pt_cancel(&workers[1].task, PT_ECANCELED);
    run_for(50);
    ck_assert_str_eq(trace, "40 motor late; 40 radio late; 55 bites ; ");
}
END_TEST

START_TEST(a_task_that_rests_is_not_late_until_it_has_reported_and_not_again)
{
    start(0, 10, 1, false);
    run_for(15);
    ward_rest(&wards[0]);
    run_for(200);
    ck_assert_str_eq(trace, "");
    ward_report(&wards[0], board_now());
    run_for(60);
    ck_assert_str_eq(trace, "240 radio late; 255 bites ; ");
}
END_TEST

START_TEST(a_task_that_reports_after_all_is_well_and_late_again_the_next_time)
{
    start(0, 10, 1, false);
    run_for(42);
    ward_report(&wards[0], board_now());
    run_for(100);
    ck_assert_str_eq(trace, "40 radio late; 70 radio late; 85 bites ; ");
}
END_TEST

START_TEST(a_task_that_is_taken_out_is_not_watched)
{
    start(0, 5, 1000, false);
    start(1, 10, 1, false);
    run_for(15);
    watchdog_remove(&dog, &wards[1]);
    watchdog_remove(&dog, &wards[1]); /* no effect */
    run_for(200);
    ck_assert_str_eq(trace, "");
}
END_TEST

START_TEST(a_task_that_is_started_again_can_add_its_ward_again)
{
    start(0, 10, 1, true);
    start(1, 5, 1000, false);
    run_for(42);
    start(0, 10, 1, true);
    watchdog_add(&dog, &wards[1], "motor", 20, board_now());
    ck_assert(dog.wards == &wards[1] && wards[1].next == &wards[0] && !wards[0].next);
    run_for(60);
    ck_assert_str_eq(trace, "40 radio late; 80 radio late; 95 bites ; ");
    watchdog_remove(&dog, &wards[0]);
    watchdog_remove(&dog, &wards[1]);
    ck_assert_ptr_null(dog.wards);
}
END_TEST

static void start_again(struct watchdog *it, const struct ward *ward)
{
    late(it, ward);
    start(0, 10, 3, false);
}

START_TEST(whoever_is_told_that_a_task_is_late_can_start_it_again)
{
    dog.late = start_again;
    start(0, 10, 0, true);
    start(1, 5, 1000, false);
    run_for(72);
    ck_assert_str_eq(trace, "30 radio late; ");
    ck_assert_uint_eq(fed, 7); /* at 0, 10, 20, and again from 40 on */
}
END_TEST

START_TEST(a_task_stays_late_however_often_the_clock_wraps)
{
    start(0, 10, 1, false);
    run_for(52);
    fed = 0;
    for (unsigned i = 0; i < 5; i++)
        run_for(30000); /* five wraps of half a clock of 16 bits */
    ck_assert_uint_eq(fed, 0);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_watchdog_is_fed_while_each_task_reports_in_time,
        &a_task_that_does_not_report_is_named_once_and_the_watchdog_bites,
        &each_task_that_is_late_is_named,
        &a_task_that_has_ended_or_was_canceled_is_late,
        &a_task_that_rests_is_not_late_until_it_has_reported_and_not_again,
        &a_task_that_reports_after_all_is_well_and_late_again_the_next_time,
        &a_task_that_is_taken_out_is_not_watched,
        &a_task_that_is_started_again_can_add_its_ward_again,
        &whoever_is_told_that_a_task_is_late_can_start_it_again,
        &a_task_stays_late_however_often_the_clock_wraps,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
