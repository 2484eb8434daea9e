/* loop.h - what each library is asked for besides echo: yields, timeouts, wakes, rockets
 * SPDX-License-Identifier: MIT
 *
 * A program is loop.c and one loop_*.c; it does what its argument says and prints one figure. */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include <stdbool.h>

enum {
    YIELDERS = 1000, /* tasks */
    YIELDS = 1000,   /* of each */
    TIMEOUTS = 100000,
    LIMIT = 30, /* seconds */
    REARMS = 10,
    ROCKETS = 10000
};

#ifdef __cplusplus
extern "C" {
#endif

/* A library; what it does not have is NULL. */
struct peer {
    void (*yield)(void);   /* YIELDERS tasks go to the end of the queue, YIELDS times each */
    void (*timeout)(void); /* TIMEOUTS of LIMIT; loop_start; each is put off REARMS times */
    void (*wake)(void);    /* loop_send; then, at each wake, loop_woken, until that is false */
    void (*rockets)(void); /* ROCKETS, each of which waits and counts down */
};

extern const struct peer peer;

/* What was spent until now does not count. */
void loop_start(void);

/* Start a thread, on another core, that calls WAKE whenever the loop has had the time to fall asleep. */
void loop_send(void (*wake)(void *argument), void *argument);

/* To be called when the wake has arrived: whether another one comes. */
bool loop_woken(void);

/* How long rocket I waits, in microseconds, and from what it counts, in seconds. */
unsigned rocket_delay(unsigned i);
unsigned rocket_countdown(unsigned i);

#ifdef __cplusplus
}
#endif

#endif
