/* explore.h - every interleaving of a few threads, or every moment of a few interrupts
 * SPDX-License-Identifier: MIT
 *
 *     static const struct explore_scenario s = {"sentence", 3, open, thread, end};
 *
 *     explore(&s, 3);           at most 3 preemptions; -1: any number
 *
 * The threads are fibers that run the real headers; each step of atomic.h hands control back, and the
 * explorer tries each thread that could run next. What they share lies in explore_shared(), so that all
 * there is of a state is bytes, which are kept, compared and put back: two ways that lead to equal bytes
 * go on as one, and are counted as two. A way in which a thread sleeps for ever is a failure, as is an
 * EXPECT that does not hold. */
#ifndef PT_EXPLORE_H
#define PT_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the headers do between two steps; FENCES: it does not overtake the thread's earlier writes. */
void explore_step(bool fences);
#define PT_ATOMIC_STEP_(fences) explore_step(fences)

/* Where there are no atomics, a step is what stands outside of the critical sections. */
unsigned explore_enter(void);
void explore_leave(unsigned masked);
#define PT_CRITICAL_ENTER() explore_enter()
#define PT_CRITICAL_LEAVE(masked) explore_leave(masked)

enum { EXPLORE_THREADS = 4, EXPLORE_SHARED = 2048, EXPLORE_ANY = -1 };

struct explore_scenario {
    const char *name;         /* a sentence */
    int threads;              /* how many, with 0: the loop's */
    bool long_;               /* takes more than a few seconds */
    void (*open)(void);       /* what there is at first; shared memory is zero */
    void (*thread)(int self); /* what each does */
    void (*end)(void);        /* what must hold when all are done */
};

/* Whether the threads but 0 are interrupts: each runs to its end before whom it interrupted. */
extern bool explore_interrupts;

/* explore - try all interleavings with at most BOUND preemptions, print what came of it; whether all
 * went well */
bool explore(const struct explore_scenario *scenario, int bound);

/* What the threads share. */
void *explore_shared(void);

/* The thread that calls sleeps until explore_wake, or also ends its sleep by itself, like a timer. */
void explore_sleep(bool timer);
void explore_wake(int thread);

/* Write a plain word as a processor with a store buffer does: the others see it at the thread's next
 * fence at the latest. */
void explore_write(unsigned *to, unsigned value);

#define EXPECT(cond) explore_expect(cond, #cond)
void explore_expect(bool holds, const char *what);

#endif
