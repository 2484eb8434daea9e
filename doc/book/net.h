/* net.h - a port that sleeps in epoll, the poll of Linux for thousands of descriptors
 * SPDX-License-Identifier: MIT */
#ifndef NET_H
#define NET_H

#include "pt.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

struct net {
    struct pt_port port;
    int epoll;
};

//- watch
/* Which task waits for a descriptor. It is a field of that task's frame. */
struct net_watch {
    struct pt_task *task;
    bool ready;
};

/* PT_READY - park until FD has something to read (EPOLLIN), or room for a write (EPOLLOUT) */
#define PT_READY(net, fd, event, watch)                  \
    do {                                                 \
        net_watch_(net, fd, event, watch, PT_CURRENT_);  \
        while (!(watch)->ready)                          \
            PT_PARK();                                   \
    } while (0)

static inline void net_watch_(struct net *net, int fd, uint32_t event, struct net_watch *watch, struct pt_task *task)
{
    struct epoll_event once = {.events = event | EPOLLONESHOT, .data.ptr = watch};

    *watch = (struct net_watch){.task = task};
    if (epoll_ctl(net->epoll, EPOLL_CTL_MOD, fd, &once) && epoll_ctl(net->epoll, EPOLL_CTL_ADD, fd, &once))
        abort(); /* no memory, no descriptor, or a regular file, which is always ready */
}

//- now
static inline pt_time net_now_(void *context)
{
    struct timespec now;

    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (pt_time)now.tv_sec * 1000000000u + (pt_time)now.tv_nsec;
}

//- idle
static inline bool net_idle_(void *context, pt_time now, pt_time until)
{
    struct epoll_event events[64];
    bool forever = until - now == PT_DELAY_NEVER;
    pt_time clock = net_now_(context), left = pt_time_before(clock, until) ? until - clock : 0;
    pt_time ms = (left + PT_MS(1) - 1) / PT_MS(1); /* rounded up: never early */
    int count = epoll_wait(((struct net *)context)->epoll, events, 64,
                           forever ? -1 : ms < INT_MAX ? (int)ms : INT_MAX);

    for (int i = 0; i < count; i++) {
        struct net_watch *watch = (struct net_watch *)events[i].data.ptr;

        watch->ready = true;
        pt_wake(watch->task);
    }
    return true;
}

//- open
static inline void net_open(struct net *net)
{
    *net = (struct net){.port = {.now = net_now_, .idle = net_idle_, .context = net}, .epoll = epoll_create1(0)};
    if (net->epoll < 0)
        abort();
}

//- tail
#endif
