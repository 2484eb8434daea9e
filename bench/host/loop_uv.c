/* loop_uv.c - yields, timeouts, wakes and rockets on libuv
 * SPDX-License-Identifier: MIT */
#include "loop.h"

#include <uv.h>

static uv_loop_t loop;

/* An idle handle is called once in each iteration: the nearest thing to a yield. */

static uv_idle_t idles[YIELDERS];
static unsigned called[YIELDERS];

static void on_idle(uv_idle_t *idle)
{
    if (++called[idle - idles] == YIELDS)
        uv_idle_stop(idle);
}

static void yield(void)
{
    uv_loop_init(&loop);
    for (unsigned i = 0; i < YIELDERS; i++) {
        uv_idle_init(&loop, &idles[i]);
        uv_idle_start(&idles[i], on_idle);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
}

static uv_timer_t timers[TIMEOUTS];

static void on_limit(uv_timer_t *timer)
{
    (void)timer;
}

static void put_off(void)
{
    uv_update_time(&loop);
    for (unsigned i = 0; i < TIMEOUTS; i++)
        uv_timer_start(&timers[i], on_limit, LIMIT * 1000, 0);
}

static void timeout(void)
{
    uv_loop_init(&loop);
    for (unsigned i = 0; i < TIMEOUTS; i++)
        uv_timer_init(&loop, &timers[i]);
    put_off();
    loop_start();
    for (unsigned i = 0; i < REARMS; i++)
        put_off();
}

static void on_wake(uv_async_t *async)
{
    if (!loop_woken())
        uv_close((uv_handle_t *)async, NULL);
}

static void post(void *async)
{
    uv_async_send(async);
}

static void wake(void)
{
    uv_async_t async;

    uv_loop_init(&loop);
    uv_async_init(&loop, &async, on_wake);
    loop_send(post, &async);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static unsigned left[ROCKETS];

static void on_step(uv_timer_t *timer)
{
    if (left[timer - timers]--)
        uv_timer_start(timer, on_step, 1000, 0);
}

static void rockets(void)
{
    uv_loop_init(&loop);
    for (unsigned i = 0; i < ROCKETS; i++) {
        left[i] = rocket_countdown(i);
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_step, rocket_delay(i) / 1000, 0);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
}

const struct peer peer = {yield, timeout, wake, rockets};
