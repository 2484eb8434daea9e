/* loop.c - the main program for measuring a library: loop yield|timeout|wake|rockets
 * SPDX-License-Identifier: MIT
 *
 * Prints the processor time of a yield or a timeout in nanoseconds; the median time from a wake
 * until the task runs, in nanoseconds; or the processor time of all rockets in milliseconds. */
#define _GNU_SOURCE
#include "loop.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double spent;

void loop_start(void)
{
    spent = read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* --- wakes ----------------------------------------------------------------------------------- */

enum { WAKES = 1000, NAP = 50000 };

static struct {
    void (*wake)(void *argument);
    void *argument;
    double sent, times[WAKES];
    atomic_uint woken;
} wakes;

static void *send_all(void *ignored)
{
    const struct timespec nap = {0, NAP};
    cpu_set_t first;

    (void)ignored;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    pthread_setaffinity_np(pthread_self(), sizeof first, &first);
    for (unsigned i = 0; i < WAKES; i++) {
        while (atomic_load(&wakes.woken) != i)
            sched_yield();
        nanosleep(&nap, NULL);
        wakes.sent = read_clock(CLOCK_MONOTONIC);
        wakes.wake(wakes.argument);
    }
    return NULL;
}

void loop_send(void (*wake)(void *argument), void *argument)
{
    pthread_t thread;

    wakes.wake = wake;
    wakes.argument = argument;
    if (pthread_create(&thread, NULL, send_all, NULL))
        exit(1);
    pthread_detach(thread);
}

bool loop_woken(void)
{
    unsigned i = atomic_load(&wakes.woken);

    wakes.times[i] = read_clock(CLOCK_MONOTONIC) - wakes.sent;
    atomic_store(&wakes.woken, i + 1);
    return i + 1 < WAKES;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* --- rockets --------------------------------------------------------------------------------- */

unsigned rocket_delay(unsigned i)
{
    return (unsigned)(i * 3090169ull % 5000000); /* evenly distributed, in no order */
}

unsigned rocket_countdown(unsigned i)
{
    return i % 5;
}

/* --- the program ----------------------------------------------------------------------------- */

/* Run WHAT, if the library has it, and print its time in units of UNIT nanoseconds. */
static int run(void (*what)(void), double unit)
{
    if (!what)
        return 3;
    loop_start();
    what();
    printf("%.2f\n", (read_clock(CLOCK_PROCESS_CPUTIME_ID) - spent) / unit);
    return 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (!strcmp(word, "yield"))
        return run(peer.yield, (double)YIELDERS * YIELDS);
    if (!strcmp(word, "timeout"))
        return run(peer.timeout, (double)TIMEOUTS * REARMS);
    if (!strcmp(word, "rockets"))
        return run(peer.rockets, 1e6);
    if (strcmp(word, "wake") || !peer.wake)
        return 2;
    peer.wake();
    qsort(wakes.times, WAKES, sizeof wakes.times[0], compare);
    printf("%.0f\n", wakes.times[WAKES / 2]);
    return 0;
}
