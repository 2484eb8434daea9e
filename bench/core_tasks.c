/* core_tasks.c - cases of the core's bench: resuming, yielding, awaiting, spawning, rockets
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "core.h"

#include <pt/posix.h>

static void *resize(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)block; /* the queues grow once */
    return bench_memory(bytes);
}

void bench_open_loop(struct pt_loop *loop, const struct pt_port *port, unsigned long n)
{
    struct pt_port memory = *port;
    unsigned room = 16;

    while (room < n)
        room *= 2;
    memory.resize = resize;
    pt_loop_open(loop, &memory);
    core_check(pt_loop_grow_timers_(loop, room) && pt_loop_grow_ready_(loop, room), "memory");
    loop->capacity = room;
    loop->port = port;
}

/* --- one resume ---------------------------------------------------------------------------- */

static int blink(pt_label *label)
{
    PT_BARE(*label)
    {
        for (;;)
            PT_BARE_YIELD(1);
    }
    PT_BARE_END(0);
}

static double resume(unsigned long n, void **state)
{
    enum { RESUMES = 2000000 };
    int (*volatile hidden)(pt_label *) = blink;
    int (*fn)(pt_label *) = hidden;
    static pt_label label;
    double start = bench_now();

    (void)n;
    (void)state;
    for (int i = 0; i < RESUMES; i++)
        fn(&label);
    return (bench_now() - start) / RESUMES;
}

/* --- yield through the loop ---------------------------------------------------------------- */

struct spin {
    struct pt pt;
};

PT_ASYNC(spin, self)
{
    for (;;)
        PT_YIELD();
}
PT_END

struct spins {
    struct pt_loop loop;
    PT_TASK(spin) * tasks;
};

static double turns(struct pt_loop *loop, unsigned long n)
{
    unsigned long rounds = n < 100000 ? 1000000 / n : 10;
    double start = bench_now();

    for (unsigned long i = 0; i < rounds; i++)
        pt_loop_turn(loop, i);
    return (bench_now() - start) / (double)(rounds * n);
}

static double yield_in(unsigned long n, void **state, const unsigned *order)
{
    struct spins *spins = *state;

    if (!spins) {
        *state = spins = bench_memory(sizeof *spins);
        spins->tasks = bench_memory(n * sizeof *spins->tasks);
        bench_open_loop(&spins->loop, &pt_posix, n);
        for (unsigned long i = 0; i < n; i++)
            PT_START(&spins->loop, &spins->tasks[order ? order[i] : i], spin);
    }
    return turns(&spins->loop, n);
}

static double yield(unsigned long n, void **state)
{
    return yield_in(n, state, NULL);
}

static double yield_shuffled(unsigned long n, void **state)
{
    return yield_in(n, state, *state ? NULL : bench_shuffled(n));
}

/* --- a deeply nested frame ----------------------------------------------------------------- */

struct dive {
    struct pt pt;
    unsigned depth;
    struct dive *next; /* an array with a frame for each level below */
};

PT_ASYNC(dive, self)
{
    if (self->depth > 1)
        PT_WAIT_COMPLETE(self->next, dive, .depth = self->depth - 1, .next = self->next + 1);
    for (;;)
        PT_YIELD();
}
PT_END

static double await_depth(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        PT_TASK(dive) task;
        struct dive below[64];
    } *deep = *state;

    if (!deep) {
        *state = deep = bench_memory(sizeof *deep);
        bench_open_loop(&deep->loop, &pt_posix, 1);
        PT_START(&deep->loop, &deep->task, dive, .depth = (unsigned)n, .next = deep->below);
    }
    return turns(&deep->loop, 1);
}

/* --- spawn and join ------------------------------------------------------------------------ */

struct nop {
    struct pt pt;
};

PT_ASYNC(nop, self)
{
}
PT_END

enum { SPAWNS = 200000, BATCH = 100 };

/* Spawn N tasks, join them, and repeat. */
struct family {
    struct pt pt;
    unsigned long n, i, spawned;
    PT_TASK(nop) child[BATCH];
};

PT_ASYNC(family, self)
{
    for (self->spawned = 0; self->spawned < SPAWNS; self->spawned += self->n) {
        for (self->i = 0; self->i < self->n; self->i++)
            PT_SPAWN(&self->child[self->i], nop);
        for (self->i = 0; self->i < self->n; self->i++)
            PT_JOIN(&self->child[self->i].task);
    }
}
PT_END

static double spawn_join(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        PT_TASK(family) family;
    } *s = *state;
    double start;

    if (!s) {
        *state = s = bench_memory(sizeof *s);
        bench_open_loop(&s->loop, &pt_posix, BATCH + 1);
    }
    start = bench_now();
    PT_START(&s->loop, &s->family, family, .n = n);
    while (pt_loop_live(&s->loop))
        pt_loop_turn(&s->loop, 0);
    return (bench_now() - start) / SPAWNS;
}

/* --- skynet: a tree of tasks with ten children each; adds the numbers of all leaves ---------- */

struct skynet {
    struct pt pt;
    unsigned i, size; /* size: the number of its leaves */
    uint64_t sum;     /* at the start, the number of its first leaf */
    struct sky_task *child;
};

struct sky_task {
    struct pt_task task;
    struct skynet frame;
};

static struct sky_task *sky_free; /* the next unused memory for a task */

PT_ASYNC(skynet, self)
{
    if (self->size == 1)
        PT_RETURN(PT_OK);
    self->child = sky_free;
    sky_free += 10;
    for (self->i = 0; self->i < 10; self->i++)
        PT_SPAWN(&self->child[self->i], skynet, .size = self->size / 10,
                 .sum = self->sum + self->i * (self->size / 10));
    self->sum = 0;
    for (self->i = 0; self->i < 10; self->i++) {
        PT_JOIN(&self->child[self->i].task);
        self->sum += self->child[self->i].frame.sum;
    }
}
PT_END

static double skynet_run(unsigned long n, void **state)
{
    struct {
        struct pt_loop loop;
        struct sky_task *tasks;
    } *sky = *state;
    double start;

    if (!sky) {
        *state = sky = bench_memory(sizeof *sky);
        sky->tasks = bench_memory((n + n / 8 + 1) * sizeof *sky->tasks);
        bench_open_loop(&sky->loop, &pt_posix, n + n / 8);
    }
    start = bench_now();
    sky_free = sky->tasks + 1;
    PT_START(&sky->loop, sky->tasks, skynet, .size = (unsigned)n, .sum = 0);
    while (pt_loop_live(&sky->loop))
        pt_loop_turn(&sky->loop, 0);
    start = bench_now() - start;
    core_check(sky->tasks->frame.sum == (uint64_t)n * (n - 1) / 2, "skynet");
    return start / 1e6;
}

/* --- rockets in virtual time: rockets.py in C ----------------------------------------------- */

struct rocket {
    struct pt pt;
    pt_time delay;
    unsigned countdown;
};

static unsigned long wakes;

PT_ASYNC(rocket, self)
{
    PT_WAIT(self->delay);
    wakes++;
    for (; self->countdown > 0; self->countdown--) {
        PT_WAIT(PT_SEC(1));
        wakes++;
    }
}
PT_END

struct rockets {
    struct pt_loop loop;
    struct pt_virtual world;
    PT_TASK(rocket) * tasks;
};

/* Let all of them fly once. Their delays are multiples of GRID ticks. */
static void launch(struct rockets *r, unsigned long n, pt_time grid)
{
    r->world.random.state = 1;
    for (unsigned long i = 0; i < n; i++) {
        pt_time delay = pt_random_below(&r->world.random, PT_SEC(5) / 2 / grid) * 2 * grid;
        unsigned countdown = (unsigned)pt_random_below(&r->world.random, 5);

        PT_START(&r->loop, &r->tasks[i], rocket, .delay = delay, .countdown = countdown);
    }
    core_check(pt_loop_run(&r->loop) == PT_OK, "rockets");
}

static double rockets(unsigned long n, void **state, pt_time grid)
{
    struct rockets *r = *state;
    double start;

    if (!r) {
        *state = r = bench_memory(sizeof *r);
        r->tasks = bench_memory(n * sizeof *r->tasks);
        pt_virtual_init(&r->world, 0, &pt_posix);
        bench_open_loop(&r->loop, &r->world.port, n);
    }
    wakes = 0;
    start = bench_now();
    do
        launch(r, n, grid);
    while (wakes < CORE_WAKES);
    return (bench_now() - start) / (double)wakes;
}

static double rocket_virtual(unsigned long n, void **state)
{
    return rockets(n, state, 1);
}

static double rocket_grid(unsigned long n, void **state)
{
    return rockets(n, state, PT_MS(1));
}

/* --- cancel: a task that sleeps, from the call to its end ------------------------------------ */

static double cancel(unsigned long n, void **state)
{
    struct rockets *r = *state;
    double start;

    if (!r) {
        *state = r = bench_memory(sizeof *r);
        r->tasks = bench_memory(n * sizeof *r->tasks);
        pt_virtual_init(&r->world, 1, &pt_posix);
        bench_open_loop(&r->loop, &r->world.port, n);
    }
    for (unsigned long i = 0; i < n; i++) {
        pt_time delay = pt_random_below(&r->world.random, PT_SEC(1000));

        PT_START(&r->loop, &r->tasks[i], rocket, .delay = delay, .countdown = 1);
    }
    pt_loop_turn(&r->loop, r->world.now);
    start = bench_now();
    for (unsigned long i = 0; i < n; i++)
        pt_cancel(&r->tasks[i].task, PT_ECANCELED);
    pt_loop_turn(&r->loop, r->world.now);
    start = bench_now() - start;
    core_check(!pt_loop_live(&r->loop), "cancel");
    return start / (double)n;
}

/* --- bytes --------------------------------------------------------------------------------- */

/* A sleeping task with all features: control block, empty base frame, and its places in the
 * queues. */
static double bytes_task_all(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    return sizeof(PT_TASK(nop)) + sizeof(struct pt_heap_entry) + sizeof(struct pt_node *);
}

static double bytes_bare(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    return sizeof(pt_label);
}

struct bench_case bench_task_cases[] = {
    {"resume", 0, "ns", resume, BENCH_TIMES_CAL, 1.0},
    {"yield", 1, "ns", yield, BENCH_TIMES_CAL, 2.5},
    {"yield", 1000, "ns", yield, BENCH_TIMES_CAL, 1.5},
    {"yield", 100000, "ns", yield, BENCH_TIMES_CAL, 1.6},
    {"yield", 1000000, "ns", yield, BENCH_NO_LIMIT, 0},
    {"yield-shuffled", 100000, "ns", yield_shuffled, BENCH_TIMES_CAL, 2.5},
    {"yield-shuffled", 1000000, "ns", yield_shuffled, BENCH_ABSOLUTE, 10},
    {"await-depth", 1, "ns", await_depth, BENCH_NO_LIMIT, 0},
    {"await-depth", 64, "ns", await_depth, BENCH_TIMES_FIRST, 1.2},
    {"spawn-join", 1, "ns", spawn_join, BENCH_ABSOLUTE, 8},
    {"spawn-join", BATCH, "ns", spawn_join, BENCH_ABSOLUTE, 8},
    {"skynet", 1000000, "ms", skynet_run, BENCH_ABSOLUTE, 22},
    {"rocket-virtual", 10000, "ns", rocket_virtual, BENCH_TIMES_PEER, 0.6, NULL, "rocket-virtual"},
    {"rocket-virtual", 1000000, "ns", rocket_virtual, BENCH_TIMES_PEER, 0.53, NULL,
     "rocket-virtual"},
    {"rocket-grid", 1000000, "ns", rocket_grid, BENCH_TIMES_PEER, 0.4, NULL, "rocket-grid"},
    {"cancel-sleeping", 100000, "ns", cancel, BENCH_NO_LIMIT, 0},
    {"bytes-task", 0, "bytes", bench_bytes_plain, BENCH_ABSOLUTE, 112},
    {"bytes-task-all", 0, "bytes", bytes_task_all, BENCH_ABSOLUTE, 136},
    {"bytes-bare", 0, "bytes", bytes_bare, BENCH_ABSOLUTE, 1},
    {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0},
};
