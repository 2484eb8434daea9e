/* loop_event.c - yields, timeouts, wakes and rockets on libevent
 * SPDX-License-Identifier: MIT */
#include "loop.h"

#include <event2/event.h>
#include <event2/thread.h>
#include <stdlib.h>

static struct event_base *base;

/* COUNT events; each gets a pointer to its counter. */
static struct event **make(unsigned count, event_callback_fn call, unsigned *counters)
{
    struct event **events = calloc(count, sizeof *events);

    for (unsigned i = 0; i < count; i++)
        events[i] = event_new(base, -1, 0, call, &counters[i]);
    return events;
}

static struct event **events;
static unsigned counters[TIMEOUTS];

static void on_turn(int fd, short what, void *counter)
{
    (void)fd;
    (void)what;
    if (++*(unsigned *)counter < YIELDS)
        event_active(events[(unsigned *)counter - counters], EV_TIMEOUT, 0);
}

static void yield(void)
{
    base = event_base_new();
    events = make(YIELDERS, on_turn, counters);
    for (unsigned i = 0; i < YIELDERS; i++)
        event_active(events[i], EV_TIMEOUT, 0);
    event_base_dispatch(base);
}

static void put_off(void)
{
    const struct timeval limit = {LIMIT, 0};

    event_base_update_cache_time(base);
    for (unsigned i = 0; i < TIMEOUTS; i++)
        event_add(events[i], &limit);
}

/* Runs in the loop, where the loop knows the time. */
static void put_all_off(int fd, short what, void *ignored)
{
    (void)fd;
    (void)what;
    (void)ignored;
    put_off();
    loop_start();
    for (unsigned i = 0; i < REARMS; i++)
        put_off();
    event_base_loopbreak(base);
}

static void timeout(void)
{
    base = event_base_new();
    events = make(TIMEOUTS, on_turn, counters);
    event_base_once(base, -1, EV_TIMEOUT, put_all_off, NULL, NULL);
    event_base_dispatch(base);
}

static void on_wake(int fd, short what, void *ignored)
{
    (void)fd;
    (void)what;
    (void)ignored;
    if (!loop_woken())
        event_base_loopbreak(base);
}

static void post(void *event)
{
    event_active(event, EV_TIMEOUT, 0);
}

static void wake(void)
{
    evthread_use_pthreads();
    base = event_base_new();
    loop_send(post, event_new(base, -1, EV_PERSIST, on_wake, NULL));
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
}

static void on_step(int fd, short what, void *counter)
{
    const struct timeval second = {1, 0};

    (void)fd;
    (void)what;
    if ((*(unsigned *)counter)--)
        event_add(events[(unsigned *)counter - counters], &second);
}

static void rockets(void)
{
    base = event_base_new();
    events = make(ROCKETS, on_step, counters);
    for (unsigned i = 0; i < ROCKETS; i++) {
        const struct timeval delay = {rocket_delay(i) / 1000000, rocket_delay(i) % 1000000};

        counters[i] = rocket_countdown(i);
        event_add(events[i], &delay);
    }
    event_base_dispatch(base);
}

const struct peer peer = {yield, timeout, wake, rockets};
