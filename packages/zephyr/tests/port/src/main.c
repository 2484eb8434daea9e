/* main.c - tests of the port on Zephyr: times, and posts from an interrupt
 * SPDX-License-Identifier: MIT */
#include <pt_zephyr.h>

#include <zephyr/kernel.h>
#include <zephyr/ztest.h>

static struct pt_zephyr port;
static struct pt_loop loop;
static struct pt_remote wakeup;
static struct k_timer alarm;

struct sleeper {
    struct pt pt;
    pt_time delay, asked, woken;
    unsigned waits;
};

static PT_ASYNC(sleeper, self)
{
    for (; self->waits > 0; self->waits--) {
        self->asked = (pt_time)k_uptime_ticks();
        PT_WAIT(self->delay);
    }
    self->woken = (pt_time)k_uptime_ticks();
}
PT_END

struct parker {
    struct pt pt;
    unsigned wakes;
    pt_time woken;
};

static PT_ASYNC(parker, self)
{
    for (; self->wakes > 0; self->wakes--)
        PT_PARK();
    self->woken = (pt_time)k_uptime_ticks();
}
PT_END

/* Uses up a tick in each turn, until another task is done. */
struct spinner {
    struct pt pt;
    const struct pt_task *until;
};

static PT_ASYNC(spinner, self)
{
    while (pt_task_alive(self->until)) {
        k_busy_wait(1000000 / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
        PT_YIELD();
    }
}
PT_END

static PT_TASK(sleeper) early, late;
static PT_TASK(spinner) busy;
static PT_TASK(parker) parked;

static void ring(struct k_timer *timer)
{
    (void)timer;
    (void)pt_remote_post(&wakeup);
}

static void before(void *fixture)
{
    (void)fixture;
    pt_zephyr_init(&port);
    pt_loop_open(&loop, &port.port);
    pt_remote_open(&wakeup, &loop, pt_remote_wake, &parked.task);
    k_timer_init(&alarm, ring, NULL);
}

static void after(void *fixture)
{
    (void)fixture;
    k_timer_stop(&alarm);
    pt_remote_close(&wakeup);
    pt_loop_close(&loop);
}

/* Not before DELAY ticks, and not late: each sleep may end two ticks, and a slow part's millisecond,
 * after its time. */
static void check_time(pt_time woken, pt_time start, pt_time delay, unsigned sleeps)
{
    zassert_true((pt_time)(woken - start) >= delay, "too early");
    zassert_true((pt_time)(woken - start) <= delay + (2 + PT_MS(1)) * sleeps, "too late");
}

ZTEST(pt_port, test_waits_end_at_their_times)
{
    pt_time start = (pt_time)k_uptime_ticks();

    zassert_equal(PT_START(&loop, &late, sleeper, .delay = PT_MS(50), .waits = 1), PT_OK);
    zassert_equal(PT_START(&loop, &early, sleeper, .delay = PT_MS(10), .waits = 3), PT_OK);
    zassert_equal(pt_loop_run(&loop), PT_OK);
    check_time(early.frame.woken, start, 3 * PT_MS(10), 3);
    check_time(late.frame.woken, start, PT_MS(50), 1);
}

ZTEST(pt_port, test_a_wait_that_begins_late_in_a_tick_is_not_shorter)
{
    zassert_equal(PT_START(&loop, &busy, spinner, .until = &early.task), PT_OK);
    zassert_equal(PT_START(&loop, &early, sleeper, .delay = 5, .waits = 1), PT_OK);
    zassert_equal(pt_loop_run(&loop), PT_OK);
    zassert_true((pt_time)(early.frame.woken - early.frame.asked) > 5,
                 "a part of the first tick was over");
}

ZTEST(pt_port, test_an_interrupt_wakes_a_loop_without_timers)
{
    pt_time start = (pt_time)k_uptime_ticks();

    zassert_equal(PT_START(&loop, &parked, parker, .wakes = 2), PT_OK);
    k_timer_start(&alarm, K_MSEC(20), K_MSEC(20));
    zassert_equal(pt_loop_run(&loop), PT_OK);
    check_time(parked.frame.woken, start, PT_MS(40), 2);
}

ZTEST(pt_port, test_an_interrupt_wakes_a_loop_before_its_deadline)
{
    pt_time start = (pt_time)k_uptime_ticks();

    zassert_equal(PT_START(&loop, &parked, parker, .wakes = 1), PT_OK);
    zassert_equal(PT_START(&loop, &late, sleeper, .delay = PT_MS(100), .waits = 1), PT_OK);
    k_timer_start(&alarm, K_MSEC(20), K_NO_WAIT);
    zassert_equal(pt_loop_run(&loop), PT_OK);
    check_time(parked.frame.woken, start, PT_MS(20), 1);
    check_time(late.frame.woken, start, PT_MS(100), 2);
}

ZTEST(pt_port, test_a_post_before_the_loop_runs_is_kept)
{
    zassert_equal(PT_START(&loop, &parked, parker, .wakes = 1), PT_OK);
    ring(NULL);
    zassert_equal(pt_loop_run(&loop), PT_OK);
}

ZTEST_SUITE(pt_port, NULL, NULL, before, after, NULL);
