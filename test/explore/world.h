/* world.h - shared by the scenarios: a loop that sleeps, and two ways to run it
 * SPDX-License-Identifier: MIT */
#ifndef PT_EXPLORE_WORLD_H
#define PT_EXPLORE_WORLD_H

#include "explore.h"

#include <pt/pt.h>

#include <limits.h>
#include <string.h>

struct letter {
    struct pt_mail mail;
    int sender, number;
};

/* Takes units until it has as many as it wants. */
struct taker {
    struct pt pt;
    int wanted, taken;
};

/* Ends when all threads have written their word. */
struct listener {
    struct pt pt;
    int speakers;
};

/* Receives letters, and checks that those of each sender arrive in order. */
struct receiver {
    struct pt pt;
    int letters;
    int next[EXPLORE_THREADS];
    struct pt_mail *mail;
};

/* Gets items from the ring. */
struct getter {
    struct pt pt;
    unsigned char got, last;
    int count;
};

struct runner {
    struct pt pt;
};

struct world {
    struct pt_loop loop;
    struct pt_port port;
    bool kicked;
    int timers; /* how often the idle step may end without a kick */

    struct pt_remote remotes[4];
    struct pt_semaphore units;
    struct pt_mailbox mailbox;
    struct letter letters[EXPLORE_THREADS][2];
    PT_RING(unsigned char, 2) ring;

    unsigned said[EXPLORE_THREADS], heard[EXPLORE_THREADS];
    int done[3], accepted, spawned, ran;
    pt_status status[EXPLORE_THREADS];

    PT_TASK(taker) taker;
    PT_TASK(listener) listener;
    PT_TASK(receiver) receiver;
    PT_TASK(getter) getter;
    PT_TASK(runner) runner;
};

/* The shared data, in the memory that the explorer saves. */
static inline struct world *world(void)
{
    return (struct world *)explore_shared();
}

/* An open loop and a semaphore. */
void world_open(void);

/* Run the loop until no task is alive: with pt_loop_run, or by hand as firmware does. */
void world_run(void);

extern const struct explore_scenario post_scenarios[], end_scenarios[];

#endif
