/* native.c - the bench of native stacks: fibers, compared with other libraries
 * SPDX-License-Identifier: MIT
 *
 *     native [--json] [--rounds N] [--only CASE]
 *
 * Build and run it with bench/run. The environment names the peers that are separate programs:
 * BENCH_PTH, BENCH_FIBER, BENCH_GO, BENCH_LUA, BENCH_GREENLET. Each is called with a case and n,
 * and prints nanoseconds a step. */
#define _GNU_SOURCE
#include "native.h"

#include <pt/stack/stack.h>

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

double native_begin(void)
{
    double now = bench_now();

    fesetenv(FE_DFL_ENV);
    return now;
}

/* --- one-way switches: back and forth between two --- */

static void bounce(struct pt_fiber *self)
{
    struct pt_fiber *root = self->parent;

    for (;;)
        pt_fiber_switch(self, root);
}

static void bounce_fp(struct pt_fiber *self)
{
    struct pt_fiber *root = self->parent;

    for (;;)
        pt_fiber_switch_fp(self, root);
}

static char bounce_stack[NATIVE_STACK];
static struct pt_fiber root, fiber;

static double switch_plain(unsigned long n, void **state)
{
    double start;

    (void)n;
    (void)state;
    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, bounce_stack, sizeof bounce_stack, bounce, NULL);
    start = native_begin();
    for (long i = 0; i < NATIVE_STEPS; i++)
        pt_fiber_switch(&root, &fiber);
    return (bench_now() - start) / NATIVE_STEPS / 2;
}

static double switch_fp(unsigned long n, void **state)
{
    double start;

    (void)n;
    (void)state;
    start = native_begin();
    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, bounce_stack, sizeof bounce_stack, bounce_fp, NULL);
    for (long i = 0; i < NATIVE_STEPS; i++)
        pt_fiber_switch_fp(&root, &fiber);
    return (bench_now() - start) / NATIVE_STEPS / 2;
}

/* --- round robin: each switches to the next in a ring, with prefetch of the fibers --- */

enum { AHEAD = 64, STACK_AHEAD = 32 };

struct round_robin {
    struct pt_fiber root, **ring, **next; /* the root is last in the ring, and restarts it */
};

static struct round_robin *running;

PT_ALWAYS void go_on(struct pt_fiber *self)
{
    struct pt_fiber **next = running->next++;

    PT_PREFETCH(next[AHEAD]);
    pt_fiber_switch(self, *next);
}

/* Keeps only its own address. */
static void go_round(struct pt_fiber *self)
{
    for (;;)
        go_on(self);
}

/* Keeps a value on its stack, which is prefetched as well. */
static void go_round_counting(struct pt_fiber *self)
{
    for (unsigned long steps = 1; steps; steps++) {
        PT_PREFETCH(running->next[STACK_AHEAD]->context.sp);
        go_on(self);
    }
}

static struct round_robin *rr_open(unsigned long n, bool shuffled, pt_fiber_function body)
{
    struct round_robin *rr = bench_memory(sizeof *rr);
    struct pt_fiber *fibers = bench_memory(n * sizeof *fibers);
    unsigned *order = shuffled ? bench_shuffled(n) : NULL;
    struct pt_stacks *stacks = bench_memory(sizeof *stacks);

    pt_stacks_init(stacks, 1000, PT_STACKS_PACKED);
    pt_fiber_root(&rr->root);
    rr->ring = bench_memory((n + 1 + AHEAD) * sizeof *rr->ring);
    for (unsigned long i = 0; i < n; i++) {
        pt_fiber_init(&fibers[i], &rr->root, pt_stack_take(stacks, NULL), stacks->bytes, body,
                      NULL);
        rr->ring[order ? order[i] : i] = &fibers[i];
    }
    rr->ring[n] = &rr->root;
    for (unsigned long i = 0; i < AHEAD; i++)
        rr->ring[n + 1 + i] = rr->ring[i % (n + 1)];
    return rr;
}

static double rr_run(unsigned long n, struct round_robin *rr)
{
    unsigned long rounds = NATIVE_STEPS / (n + 1) + 1;
    double start;

    running = rr;
    start = native_begin();
    for (unsigned long i = 0; i < rounds; i++) {
        rr->next = rr->ring;
        go_on(&rr->root);
    }
    return (bench_now() - start) / (double)(rounds * (n + 1));
}

static double rr(unsigned long n, void **state)
{
    if (!*state)
        *state = rr_open(n, false, go_round);
    return rr_run(n, *state);
}

static double rr_shuffled(unsigned long n, void **state)
{
    if (!*state)
        *state = rr_open(n, true, go_round);
    return rr_run(n, *state);
}

static double rr_local(unsigned long n, void **state)
{
    if (!*state)
        *state = rr_open(n, false, go_round_counting);
    return rr_run(n, *state);
}

/* --- create, run, destroy --- */

static void nothing(struct pt_fiber *self)
{
    (void)self;
}

static double spawn(unsigned long n, void **state)
{
    static struct pt_stacks stacks;
    struct pt_fiber root, fiber;
    double start;

    (void)n;
    if (!*state)
        pt_stacks_init(&stacks, NATIVE_STACK, PT_STACKS_GUARDED);
    *state = &stacks;
    pt_fiber_root(&root);
    start = native_begin();
    for (long i = 0; i < NATIVE_STEPS; i++) {
        void *stack = pt_stack_take(&stacks, "spawned");

        pt_fiber_init(&fiber, &root, stack, stacks.bytes, nothing, NULL);
        pt_fiber_switch(&root, &fiber);
        pt_fiber_close(&fiber);
        pt_stack_give(&stacks, stack);
    }
    return (bench_now() - start) / NATIVE_STEPS;
}

/* Create N fibers, run each, and free all. */
static double spawn_queued(unsigned long n, void **state)
{
    static struct pt_stacks stacks;
    struct pt_fiber root, *fibers = *state;
    unsigned long rounds = NATIVE_STEPS / n;
    double start;

    if (!fibers) {
        pt_stacks_init(&stacks, 1000, PT_STACKS_PACKED);
        fibers = *state = bench_memory(n * sizeof *fibers);
    }
    pt_fiber_root(&root);
    start = native_begin();
    for (unsigned long round = 0; round < rounds; round++) {
        for (unsigned long i = 0; i < n; i++) {
            void *stack = pt_stack_take(&stacks, "spawned");

            pt_fiber_init(&fibers[i], &root, stack, stacks.bytes, nothing, stack);
        }
        for (unsigned long i = 0; i < n; i++)
            pt_fiber_switch(&root, &fibers[i]);
        for (unsigned long i = 0; i < n; i++)
            pt_stack_give(&stacks, fibers[i].argument);
    }
    return (bench_now() - start) / (double)(rounds * n);
}

/* --- memory --- */

double native_resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Park as many fibers as possible, up to N; returns how many. BYTES: the memory that they take. */
static unsigned long park(unsigned long n, void **state, size_t stack_bytes, int kind,
                          double *bytes)
{
    double before;
    struct pt_fiber root, *fibers = *state ? *state : bench_memory(n * sizeof *fibers);
    struct pt_stacks stacks;
    unsigned long made = 0;

    *state = fibers;
    before = native_resident();
    pt_fiber_root(&root);
    pt_stacks_init(&stacks, stack_bytes, kind);
    for (; made < n; made++) {
        void *stack = pt_stack_take(&stacks, NULL);

        if (!stack)
            break;
        pt_fiber_init(&fibers[made], &root, stack, stacks.bytes, bounce, NULL);
        pt_fiber_switch(&root, &fibers[made]);
    }
    *bytes = native_resident() - before;
    pt_stacks_close(&stacks);
    return made;
}

static double bytes_packed(unsigned long n, void **state)
{
    double bytes;

    if (park(n, state, 900, PT_STACKS_PACKED, &bytes) < n)
        return 0;
    return bytes / (double)n + sizeof(struct pt_fiber);
}

static double guarded_max(unsigned long n, void **state)
{
    double bytes;

    return (double)park(n, state, NATIVE_STACK, PT_STACKS_GUARDED, &bytes);
}

/* --- peers that are separate programs --- */

#define PROGRAM(peer, VARIABLE)                            \
    static double peer##_rr(unsigned long n, void **state) \
    {                                                      \
        (void)state;                                       \
        return bench_program(#VARIABLE, "rr", n);          \
    }                                                      \
    static const struct bench_case peer##_cases[] = {BENCH_PEER(#peer, "rr", 1000, peer##_rr), {0}};

PROGRAM(pth, BENCH_PTH)
PROGRAM(go, BENCH_GO)
PROGRAM(lua, BENCH_LUA)
PROGRAM(greenlet, BENCH_GREENLET)
PROGRAM(boost_fiber, BENCH_FIBER)

/* --- all of it --- */

static const struct bench_case cases[] = {
#ifdef BENCH_BOOST
    BENCH_PEER("boost", "switch", 0, native_boost_switch),
    BENCH_PEER("boost", "rr", 1000, native_boost_rr),
    BENCH_PEER("boost", "rr", 100000, native_boost_rr),
    BENCH_PEER("boost", "rr-shuffled", 100000, native_boost_rr_shuffled),
    BENCH_PEER("boost", "spawn", 0, native_boost_spawn),
#endif
#ifdef BENCH_CXX
    BENCH_PEER("c++20", "switch", 0, native_cxx_switch),
    BENCH_PEER("c++20", "rr", 1000, native_cxx_rr),
    BENCH_PEER("c++20", "spawn", 0, native_cxx_spawn),
#endif
    BENCH_PEER("ucontext", "switch", 0, native_ucontext_switch),
    BENCH_PEER("ucontext", "rr", 1000, native_ucontext_rr),
    {"switch", 0, "ns", switch_plain, BENCH_TIMES_PEER, 0.15, NULL, "switch"},
    {"switch-abi", 0, "ns", native_switch_abi, BENCH_TIMES_PEER, 0.5, NULL, "switch"},
    {"switch-fp", 0, "ns", switch_fp, BENCH_TIMES_PEER, 0.95, NULL, "switch"},
    {"rr", 1000, "ns", rr, BENCH_TIMES_PEER, 0.35, NULL, "rr"},
    {"rr", 100000, "ns", rr, BENCH_ABSOLUTE, 5, NULL, NULL},
    {"rr-shuffled", 100000, "ns", rr_shuffled, BENCH_ABSOLUTE, 10, NULL, NULL},
    {"rr-local", 1000, "ns", rr_local, BENCH_NO_LIMIT, 0, NULL, NULL},
    {"rr-local", 100000, "ns", rr_local, BENCH_NO_LIMIT, 0, NULL, NULL},
    {"rr-copied", 100000, "ns", native_rr_copied, BENCH_ABSOLUTE, 8, NULL, NULL},
    {"spawn", 0, "ns", spawn, BENCH_ABSOLUTE, 3, NULL, NULL},
    {"spawn-queued", 100, "ns", spawn_queued, BENCH_ABSOLUTE, 6, NULL, NULL},
    {"bytes-packed", 100000, "bytes", bytes_packed, BENCH_ABSOLUTE, 1100, NULL, NULL},
    {"bytes-copied", 100000, "bytes", native_bytes_copied, BENCH_ABSOLUTE, 256, NULL, NULL},
    {"guarded-max", 100000, "", guarded_max, BENCH_AT_LEAST, 100000, NULL, NULL},
    {0}};

int main(int argc, char **argv)
{
    static const struct {
        const char *variable;
        const struct bench_case *cases;
    } programs[] = {{"BENCH_PTH", pth_cases},
                    {"BENCH_FIBER", boost_fiber_cases},
                    {"BENCH_GO", go_cases},
                    {"BENCH_LUA", lua_cases},
                    {"BENCH_GREENLET", greenlet_cases}};
    const struct bench_case *lists[8] = {cases, native_task_cases, native_call_cases};
    const struct bench native = {"native", lists, NULL};
    int count = 3;

    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (getenv(programs[i].variable))
            lists[count++] = programs[i].cases;
    return bench_run(&native, argc, argv);
}
