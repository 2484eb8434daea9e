/* loop_epoll.c - two yardsticks with epoll: a wake by an eventfd, and only the waits of the rockets
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "loop.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static int bell;

static void wake(void *ignored)
{
    const uint64_t one = 1;

    (void)ignored;
    if (write(bell, &one, sizeof one) != sizeof one)
        abort();
}

static void wait_for_all(void)
{
    int poller = epoll_create1(0);
    struct epoll_event event;
    uint64_t rung;

    bell = eventfd(0, 0);
    event.events = EPOLLIN;
    epoll_ctl(poller, EPOLL_CTL_ADD, bell, &event);
    loop_send(wake, NULL);
    do
        if (epoll_wait(poller, &event, 1, -1) != 1 || read(bell, &rung, sizeof rung) != sizeof rung)
            abort();
    while (loop_woken());
}

/* Wait for 4 ms, again and again for 9 s, with nothing to do. */
static void waits(void)
{
    enum { SLACK = 4000000, WAITS = 9000 / 4 };
    int poller = epoll_create1(0);
    struct epoll_event event;
    struct timespec now, left = {0, 0};

    for (int i = 0; i < WAITS; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        left.tv_nsec = SLACK - now.tv_nsec % SLACK;
        epoll_pwait2(poller, &event, 1, &left, NULL);
    }
}

const struct peer peer = {NULL, NULL, wait_for_all, waits};
