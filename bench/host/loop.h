/* loop.h - the cases for each library besides echo: yields, timeouts, wakes, rockets
 * SPDX-License-Identifier: MIT
 *
 * A program is loop.c and one loop_*.c; it runs the case in its argument and prints one result. */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include <stdbool.h>

enum {
    YIELDERS = 1000, /* tasks */
    YIELDS = 1000,   /* of each task */
    TIMEOUTS = 100000,
    LIMIT = 30, /* seconds */
    REARMS = 10,
    ROCKETS = 10000
};

#ifdef __cplusplus
extern "C" {
#endif

/* A library; NULL for the cases that it does not support. */
struct peer {
    void (*yield)(void);   /* YIELDERS tasks go to the end of the queue, YIELDS times each */
    void (*timeout)(void); /* TIMEOUTS of LIMIT; loop_start; each is postponed REARMS times */
    void (*wake)(void);    /* loop_send; then, at each wake, loop_woken, until that is false */
    void (*rockets)(void); /* ROCKETS, each of which waits and counts down */
};

extern const struct peer peer;

/* Time spent before this call does not count. */
void loop_start(void);

/* Start a thread, on another core, that calls WAKE whenever the loop has had time to fall
 * asleep. */
void loop_send(void (*wake)(void *argument), void *argument);

/* Call it when a wake has arrived; returns whether another one will come. */
bool loop_woken(void);

/* How long rocket I waits, in microseconds; the start of its countdown, in seconds. */
unsigned rocket_delay(unsigned i);
unsigned rocket_countdown(unsigned i);

#ifdef __cplusplus
}
#endif

#endif
