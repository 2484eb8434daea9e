/* loop_ev.c - yields, timeouts, wakes and rockets on libev
 * SPDX-License-Identifier: MIT */
#include "loop.h"

#include <ev.h>

/* An idle watcher is called once in each iteration: the nearest thing to a yield. */

static ev_idle idles[YIELDERS];
static unsigned called[YIELDERS];

static void on_idle(struct ev_loop *loop, ev_idle *idle, int events)
{
    (void)events;
    if (++called[idle - idles] == YIELDS)
        ev_idle_stop(loop, idle);
}

static void yield(void)
{
    struct ev_loop *loop = ev_default_loop(EVBACKEND_EPOLL);

    for (unsigned i = 0; i < YIELDERS; i++) {
        ev_idle_init(&idles[i], on_idle);
        ev_idle_start(loop, &idles[i]);
    }
    ev_run(loop, 0);
}

static ev_timer timers[TIMEOUTS];

static void on_limit(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop;
    (void)timer;
    (void)events;
}

static void put_off(struct ev_loop *loop)
{
    ev_now_update(loop);
    for (unsigned i = 0; i < TIMEOUTS; i++)
        ev_timer_again(loop, &timers[i]);
}

static void timeout(void)
{
    struct ev_loop *loop = ev_default_loop(EVBACKEND_EPOLL);

    for (unsigned i = 0; i < TIMEOUTS; i++)
        ev_timer_init(&timers[i], on_limit, 0, LIMIT);
    put_off(loop);
    loop_start();
    for (unsigned i = 0; i < REARMS; i++)
        put_off(loop);
}

static ev_async async;

static void on_wake(struct ev_loop *loop, ev_async *watcher, int events)
{
    (void)events;
    if (!loop_woken())
        ev_async_stop(loop, watcher);
}

static void post(void *loop)
{
    ev_async_send(loop, &async);
}

static void wake(void)
{
    struct ev_loop *loop = ev_default_loop(EVBACKEND_EPOLL);

    ev_async_init(&async, on_wake);
    ev_async_start(loop, &async);
    loop_send(post, loop);
    ev_run(loop, 0);
}

static unsigned left[ROCKETS];

static void on_step(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)events;
    if (!left[timer - timers]--)
        return;
    ev_timer_set(timer, 1., 0.);
    ev_timer_start(loop, timer);
}

static void rockets(void)
{
    struct ev_loop *loop = ev_default_loop(EVBACKEND_EPOLL);

    for (unsigned i = 0; i < ROCKETS; i++) {
        left[i] = rocket_countdown(i);
        ev_timer_init(&timers[i], on_step, rocket_delay(i) / 1e6, 0.);
        ev_timer_start(loop, &timers[i]);
    }
    ev_run(loop, 0);
}

const struct peer peer = {yield, timeout, wake, rockets};
