/* sync.c - the bench of synchronization, compared with other libraries
 * SPDX-License-Identifier: MIT
 *
 *     sync [--json] [--rounds N] [--only CASE]
 *
 * Build and run it with bench/run. The environment names the peers that are separate programs,
 * BENCH_GO and BENCH_FIBER. Each is called with a case and n, and prints nanoseconds. */
#define _GNU_SOURCE
#include "sync.h"

#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>

unsigned long sync_steps;

double sync_turn(struct pt_loop *loop)
{
    double start = bench_now();

    sync_steps = 0;
    while (sync_steps < SYNC_STEPS)
        pt_loop_turn(loop, 0);
    return (bench_now() - start) / (double)sync_steps;
}

/* --- peers that are separate programs ------------------------------------------------------ */

static double ask(const char *variable, const char *name, unsigned long n)
{
    char command[4096];
    double value = 0;
    FILE *pipe;

    snprintf(command, sizeof command, "exec %s %s %lu", getenv(variable), name, n);
    pipe = popen(command, "r");
    if (!pipe)
        return 0;
    if (fscanf(pipe, "%lf", &value) != 1)
        value = 0;
    return pclose(pipe) ? 0 : value;
}

#define PEER(peer, VARIABLE, what, name)                       \
    static double peer##_##what(unsigned long n, void **state) \
    {                                                          \
        (void)state;                                           \
        return ask(VARIABLE, name, n);                         \
    }

PEER(go, "BENCH_GO", hop, "channel-hop")
PEER(go, "BENCH_GO", lock, "lock-handoff")
PEER(go, "BENCH_GO", select, "select")
PEER(go, "BENCH_GO", select_ready, "select-ready")
PEER(fiber, "BENCH_FIBER", hop, "channel-hop")
PEER(fiber, "BENCH_FIBER", lock, "lock-handoff")

static const struct bench_case go_cases[] = {
    {"channel-hop", 1, "ns", go_hop, BENCH_NO_LIMIT, 0, "go", NULL},
    {"channel-hop", 500, "ns", go_hop, BENCH_NO_LIMIT, 0, "go", NULL},
    {"lock-handoff", 1, "ns", go_lock, BENCH_NO_LIMIT, 0, "go", NULL},
    {"select", 2, "ns", go_select, BENCH_NO_LIMIT, 0, "go", NULL},
    {"select", 8, "ns", go_select, BENCH_NO_LIMIT, 0, "go", NULL},
    {"select-ready", 2, "ns", go_select_ready, BENCH_NO_LIMIT, 0, "go", NULL},
    {"select-ready", 8, "ns", go_select_ready, BENCH_NO_LIMIT, 0, "go", NULL},
    {0}};

static const struct bench_case fiber_cases[] = {
    {"channel-hop", 1, "ns", fiber_hop, BENCH_NO_LIMIT, 0, "boost_fiber", NULL},
    {"channel-hop", 500, "ns", fiber_hop, BENCH_NO_LIMIT, 0, "boost_fiber", NULL},
    {"lock-handoff", 1, "ns", fiber_lock, BENCH_NO_LIMIT, 0, "boost_fiber", NULL},
    {0}};

#ifdef BENCH_CXX
static const struct bench_case cxx_cases[] = {
    {"yield-run", 1, "ns", sync_cxx_yield, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"yield-run", 1000, "ns", sync_cxx_yield, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"hop-run", 1, "ns", sync_cxx_hop, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"hop-run", 500, "ns", sync_cxx_hop, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"spawn-join", 1, "ns", sync_cxx_spawn_join, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"spawn-join", 100, "ns", sync_cxx_spawn_join, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"await", 1, "ns", sync_cxx_await, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"lock-held", 2, "ns", sync_cxx_lock, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {"fan-in", 100, "ns", sync_cxx_fan_in, BENCH_NO_LIMIT, 0, "c++20", NULL},
    {0}};
#endif

/* --- all of it ----------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const struct bench_case *lists[9] = {sync_hop_cases, sync_select_cases, sync_remote_cases};
    const struct bench sync = {"sync", lists, NULL};
    int count = 3;

#ifdef BENCH_CXX
    lists[count++] = cxx_cases;
#endif
    lists[count++] = sync_run_cases;
    lists[count++] = sync_call_cases;
    if (getenv("BENCH_GO"))
        lists[count++] = go_cases;
    if (getenv("BENCH_FIBER"))
        lists[count++] = fiber_cases;
    return bench_run(&sync, argc, argv);
}
