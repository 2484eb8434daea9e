/* outside.h - the outside world: descriptors, and signals that stand for interrupts
 * SPDX-License-Identifier: MIT */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "pt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { OUTSIDE_DESCRIPTORS = 8 };

/* A port that sleeps in poll. */
struct outside {
    struct pt_port port;
    struct pollfd polled[OUTSIDE_DESCRIPTORS]; /* the first is the bell's */
    struct pt_task *readers[OUTSIDE_DESCRIPTORS];
    nfds_t count;
};

//- bell
/* A task that an interrupt wakes. */
struct bell {
    volatile sig_atomic_t rung;
    struct pt_task *task;
};

static int outside_pipe[2]; /* a byte in it ends the poll; no task waits to write into it */

/* bell_ring - from an interrupt: it only notes, and ends the sleep */
static inline void bell_ring(struct bell *bell)
{
    int error = errno; /* the code that it interrupts may be about to look at it */

    bell->rung = 1;
    (void)!write(outside_pipe[1], "", 1);
    errno = error;
}

/* bell_answer - in the loop: what the interrupt itself must not do */
static inline void bell_answer(struct bell *bell)
{
    if (bell->rung) {
        bell->rung = 0;
        pt_wake(bell->task);
    }
}

//- now
static inline pt_time outside_now_(void *context)
{
    struct timespec now;

    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (pt_time)now.tv_sec * 1000000000u + (pt_time)now.tv_nsec;
}

//- idle
/* The wait of an entry is over. */
static inline void outside_drop_(struct outside *world, nfds_t i)
{
    world->polled[i].fd = -1 - world->polled[i].fd; /* negative: poll leaves it out */
    world->readers[i] = NULL;
}

static inline bool outside_idle_(void *context, pt_time now, pt_time until)
{
    struct outside *world = (struct outside *)context;
    bool forever = until - now == PT_DELAY_NEVER;
    pt_time clock = outside_now_(context), left = pt_time_before(clock, until) ? until - clock : 0;
    pt_time ms = (left + PT_MS(1) - 1) / PT_MS(1); /* rounded up: never early */

    poll(world->polled, world->count, forever ? -1 : ms < INT_MAX ? (int)ms : INT_MAX);
    for (nfds_t i = 1; i < world->count; i++)
        if (world->polled[i].revents && world->readers[i]) {
            pt_wake(world->readers[i]);
            outside_drop_(world, i);
        }
    if (world->polled[0].revents)
        while (read(outside_pipe[0], &(char){0}, 1) == 1)
            ;
    return true;
}

//- open
static inline void outside_open(struct outside *world)
{
    *world = (struct outside){.port = {.now = outside_now_, .idle = outside_idle_, .context = world}, .count = 1};
    if (pipe(outside_pipe) || fcntl(outside_pipe[0], F_SETFL, O_NONBLOCK) ||
        fcntl(outside_pipe[1], F_SETFL, O_NONBLOCK))
        abort();
    world->polled[0] = (struct pollfd){.fd = outside_pipe[0], .events = POLLIN};
}

//- readable
/* PT_READABLE - park until FD has something to read */
#define PT_READABLE(world, fd)                  \
    do {                                        \
        outside_watch_(world, fd, PT_CURRENT_); \
        while (outside_watches_(world, task_))  \
            PT_PARK();                          \
    } while (0)

static inline void outside_watch_(struct outside *world, int fd, struct pt_task *task)
{
    nfds_t i;

    for (i = 1; i < world->count; i++)
        if (world->readers[i] == task)
            outside_drop_(world, i); /* a cancel has ended that wait */
    i = 1;
    while (i < world->count && world->polled[i].fd != fd && world->polled[i].fd != -1 - fd)
        i++;
    if (i == OUTSIDE_DESCRIPTORS)
        abort(); /* make the table larger */
    world->count += i == world->count;
    world->polled[i] = (struct pollfd){.fd = fd, .events = POLLIN};
    world->readers[i] = task;
}

/* Whether poll has not reported the descriptor of the task yet. */
static inline bool outside_watches_(const struct outside *world, const struct pt_task *task)
{
    for (nfds_t i = 1; i < world->count; i++)
        if (world->readers[i] == task)
            return true;
    return false;
}

//- tail
#endif
