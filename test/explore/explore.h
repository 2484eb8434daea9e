/* explore.h - every interleaving of a few threads, or every moment of a few interrupts
 * SPDX-License-Identifier: MIT
 *
 *     static const struct explore_scenario s = {"sentence", 3, open, thread, end};
 *
 *     explore(&s, 3);           at most 3 preemptions; -1: any number
 *
 * The threads are fibers that run the real headers. At each step of atomic.h they return control,
 * and the explorer tries each thread that could run next. Their shared data is in explore_shared(),
 * so that a state is only bytes, which can be saved, compared and restored. Two ways that lead to
 * equal bytes are continued as one, and counted as two. It is a failure if a thread sleeps forever
 * or an EXPECT does not hold. */
#ifndef PT_EXPLORE_H
#define PT_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The headers call it between two steps; FENCES: the step does not overtake earlier writes. */
void explore_step(bool fences);
#define PT_ATOMIC_STEP_(fences) explore_step(fences)

/* Without atomics, a step is the code between two critical sections. If each thread is a core
 * (EXPLORE_CORES), only a lock excludes the others, not a mask; its return is a signal to core 0. */
unsigned explore_enter(void);
void explore_leave(unsigned masked);
#ifdef EXPLORE_CORES
#define PT_CRITICAL_ENTER() (explore_step(false), 0u)
#define PT_CRITICAL_LEAVE(masked) explore_step((masked) != 0)
#define PT_POST_ENTER() explore_enter()
#define PT_POST_LEAVE(masked) (explore_leave(masked), explore_signal())
#else
#define PT_CRITICAL_ENTER() explore_enter()
#define PT_CRITICAL_LEAVE(masked) explore_leave(masked)
#endif

enum { EXPLORE_THREADS = 4, EXPLORE_SHARED = 2048, EXPLORE_ANY = -1 };

struct explore_scenario {
    const char *name;         /* a sentence */
    int threads;              /* how many; number 0 is the loop's */
    bool long_;               /* takes more than a few seconds */
    void (*open)(void);       /* sets up the start; shared memory is zero */
    void (*thread)(int self); /* the body of each thread */
    void (*end)(void);        /* checks what must hold when all are done */
};

/* Whether all threads but 0 are interrupts: each runs to its end before the interrupted one
 * continues. */
extern bool explore_interrupts;

/* explore - try all interleavings with at most BOUND preemptions and print the result; returns
 * whether none failed */
bool explore(const struct explore_scenario *scenario, int bound);

/* The memory that the threads share. */
void *explore_shared(void);

/* The calling thread sleeps until explore_wake; with TIMER the sleep may also end by itself. */
void explore_sleep(bool timer);
void explore_wake(int thread);

/* Core 0 sleeps until a signal, or does not sleep if there was one since; signal core 0. */
void explore_wait_for_signal(void);
void explore_signal(void);

/* Write a plain word like a processor with a store buffer: other threads see it at the writer's
 * next fence at the latest. */
void explore_write(unsigned *to, unsigned value);

#define EXPECT(cond) explore_expect(cond, #cond)
void explore_expect(bool holds, const char *what);

#endif
