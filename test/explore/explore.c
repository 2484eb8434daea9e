/* explore.c - a depth-first search over all possible next steps, visiting each state once
 * SPDX-License-Identifier: MIT */
#include "explore.h"
#include "seen.h"

#include <pt/fiber.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 2048, DEPTH = 1000, DRAINS = EXPLORE_THREADS }; /* bytes; steps; see may() */

enum life { READY, ASLEEP, TIMED, DONE };

/* A write that other threads do not see yet. */
struct pending {
    unsigned *to, value;
};

struct thread {
    struct pt_fiber fiber;
    enum life life;
    bool begun;
    struct pending pending;
};

/* A complete state. */
static union {
    struct {
        struct thread threads[EXPLORE_THREADS];
        int current;                 /* the thread that ran last */
        int preemptions;             /* how often another ran although the current one could */
        int nested[EXPLORE_THREADS]; /* 0, and the running interrupts, outermost first */
        int depth;                   /* how many interrupts are running */
        bool masked;                 /* in a critical section */
        bool signaled;               /* core 0 has had a signal since its last sleep */
        bool failed;
        const char *what; /* the condition that did not hold */
        uintptr_t shared[EXPLORE_SHARED / sizeof(uintptr_t)];
        uintptr_t stacks[EXPLORE_THREADS][STACK / sizeof(uintptr_t)];
    } is;
    uint64_t words[1];
} state;

static struct pt_fiber root;
static size_t state_bytes; /* up to the end of the last used stack */
static const struct explore_scenario *scenario;
static int bound;
static bool exploring;
bool explore_interrupts;

/* --- for the threads ------------------------------------------------------------------------- */

void *explore_shared(void)
{
    return state.is.shared;
}

void explore_expect(bool holds, const char *what)
{
    if (!holds && !state.is.failed) {
        state.is.failed = true;
        state.is.what = what;
    }
}

/* Clear the unused part of the stack, so that states do not differ there alone. */
static void __attribute__((noinline)) scrub(volatile uintptr_t *from)
{
    volatile uintptr_t room[48];

    for (volatile uintptr_t *word = from; word < room + sizeof room / sizeof *room; word++)
        *word = 0;
}

static void __attribute__((noinline)) hand_over(void)
{
    int self = state.is.current;

    explore_expect((char *)__builtin_frame_address(0) - (char *)state.is.stacks[self] > STACK / 3,
                   "there is room on the stack");
    scrub(state.is.stacks[self]);
    pt_fiber_switch(&state.is.threads[self].fiber, &root);
}

static void drain(struct thread *thread)
{
    if (thread->pending.to)
        *thread->pending.to = thread->pending.value;
    thread->pending.to = NULL;
}

void explore_step(bool fences)
{
    if (!exploring)
        return;
    if (!state.is.masked)
        hand_over();
    if (fences)
        drain(&state.is.threads[state.is.current]);
}

unsigned explore_enter(void)
{
    bool masked = state.is.masked;

    if (!masked)
        explore_step(true);
    state.is.masked = true;
    return masked;
}

void explore_leave(unsigned masked)
{
    state.is.masked = masked != 0;
    explore_step(false); /* what follows, others can come before */
}

void explore_write(unsigned *to, unsigned value)
{
    struct thread *self = &state.is.threads[state.is.current];

    explore_step(false);
    drain(self); /* the buffer holds one write */
    self->pending.to = to;
    self->pending.value = value;
    if (explore_interrupts) /* on one processor every thread sees it at once */
        drain(self);
}

void explore_sleep(bool timer)
{
    bool masked = state.is.masked; /* the sleep instruction lets interrupts in */

    explore_step(true);
    state.is.threads[state.is.current].life = timer ? TIMED : ASLEEP;
    state.is.masked = false;
    hand_over();
    state.is.masked = masked;
}

void explore_wake(int thread)
{
    if (state.is.threads[thread].life != DONE)
        state.is.threads[thread].life = READY;
}

void explore_wait_for_signal(void)
{
    explore_expect(!state.is.masked, "a core sleeps without the lock");
    explore_step(true);
    if (!state.is.signaled) {
        state.is.threads[state.is.current].life = ASLEEP;
        hand_over();
    }
    state.is.signaled = false;
}

void explore_signal(void)
{
    if (!exploring)
        return;
    explore_step(false); /* the lock is free already */
    state.is.signaled = true;
    explore_wake(0);
}

static void run_thread(struct pt_fiber *self)
{
    int number = state.is.current;

    (void)self;
    hand_over(); /* from here on the saved registers are the same in all states */
    state.is.threads[number].begun = true;
    if (explore_interrupts && number)
        state.is.nested[++state.is.depth] = number;
    scenario->thread(number);
    state.is.threads[number].life = DONE;
    if (explore_interrupts && number) {
        state.is.nested[state.is.depth--] = 0;
        explore_wake(0); /* it ends the sleep instruction */
    }
}

/* --- the search ------------------------------------------------------------------------------ */

static unsigned char way[DEPTH];

static void print_way(int depth)
{
    printf("FAIL %s\n    %s, after ", scenario->name, state.is.what);
    for (int i = 0; i < depth; i++)
        printf(way[i] < DRAINS ? "%d" : "(%d)", way[i] % DRAINS);
    printf("\n");
}

static bool could_run(int thread)
{
    return state.is.threads[thread].life == READY || state.is.threads[thread].life == TIMED;
}

/* Whether NEXT may come next: a thread, or from DRAINS on, a write of a thread becomes visible. */
static bool may(int next)
{
    const struct thread *thread = &state.is.threads[next % DRAINS];

    if (next >= DRAINS)
        return thread->pending.to != NULL;
    if (!could_run(next))
        return false;
    if (explore_interrupts) /* a new interrupt, or the innermost that is running, or thread 0 */
        return (next && !thread->begun) || next == state.is.nested[state.is.depth];
    return bound < 0 || next == state.is.current || !could_run(state.is.current) ||
           state.is.preemptions < bound;
}

static void go(int next)
{
    struct thread *thread = &state.is.threads[next % DRAINS];

    if (next >= DRAINS) {
        drain(thread);
        return;
    }
    if (bound >= 0)
        state.is.preemptions += next != state.is.current && could_run(state.is.current);
    state.is.current = next;
    thread->life = READY;
    pt_fiber_switch(&root, &thread->fiber);
    if (bound < 0) /* the thread that ran last makes no difference */
        state.is.current = 0;
}

static uint64_t hash_state(void)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;

    for (size_t i = 0; i < state_bytes / sizeof *state.words; i++) {
        hash = (hash ^ state.words[i]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

/* The number of ways from this state to the end; -1: one of them fails. */
static double search(int depth)
{
    uint64_t hash = hash_state();
    double ways = 0;
    bool any = false;
    void *before;

    if (see(hash)->hash)
        return see(hash)->ways;
    see(hash)->hash = hash; /* a way that returns here during its search is not another way */
    seen_count++;
    before = malloc(state_bytes);
    if (!before || depth == DEPTH)
        abort();
    memcpy(before, &state, state_bytes);
    for (int next = 0; next < 2 * DRAINS && ways >= 0; next++) {
        double on;

        if (!may(next))
            continue;
        any = true;
        way[depth] = (unsigned char)next;
        go(next);
        if (state.is.failed)
            print_way(depth + 1);
        on = state.is.failed ? -1 : search(depth + 1);
        ways = on < 0 ? on : ways + on;
        memcpy(&state, before, state_bytes);
    }
    free(before);
    if (!any) { /* the end of a way */
        for (int i = 0; i < scenario->threads; i++)
            explore_expect(state.is.threads[i].life == DONE,
                           i ? "a thread sleeps for ever" : "the loop sleeps for ever");
        exploring = false;
        if (!state.is.failed)
            scenario->end();
        exploring = true;
        if (state.is.failed)
            print_way(depth);
        ways = state.is.failed ? -1 : 1;
    }
    see(hash)->ways = ways;
    return ways;
}

bool explore(const struct explore_scenario *what, int preemptions)
{
    double ways;

    scenario = what;
    bound = explore_interrupts ? EXPLORE_ANY : preemptions;
    memset(&state, 0, sizeof state);
    forget();
    state_bytes = (size_t)((char *)state.is.stacks[scenario->threads] - (char *)&state);
    pt_fiber_root(&root);
    for (int i = 0; i < EXPLORE_THREADS; i++) {
        pt_fiber_init(&state.is.threads[i].fiber, &root, state.is.stacks[i], STACK, run_thread,
                      NULL);
        state.is.threads[i].life = i < scenario->threads ? READY : DONE;
        state.is.current = i;
        pt_fiber_switch(&root, &state.is.threads[i].fiber);
    }
    state.is.current = 0;
    scenario->open();
    exploring = true;
    ways = search(0);
    exploring = false;
    if (ways < 0)
        return false;
    if (bound < 0)
        printf("# %lu states, %.4g interleavings\n", (unsigned long)seen_count, ways);
    else
        printf("# %lu states, %.4g interleavings, %d preemptions\n", (unsigned long)seen_count,
               ways, bound);
    printf("ok %s\n", scenario->name);
    return ways > 0;
}
