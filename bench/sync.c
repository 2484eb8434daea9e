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

#define PEER(peer, VARIABLE, what, name)                       \
    static double peer##_##what(unsigned long n, void **state) \
    {                                                          \
        (void)state;                                           \
        return bench_program(VARIABLE, name, n);               \
    }

PEER(go, "BENCH_GO", hop, "channel-hop")
PEER(go, "BENCH_GO", lock, "lock-handoff")
PEER(go, "BENCH_GO", select, "select")
PEER(go, "BENCH_GO", select_ready, "select-ready")
PEER(fiber, "BENCH_FIBER", hop, "channel-hop")
PEER(fiber, "BENCH_FIBER", lock, "lock-handoff")

static const struct bench_case go_cases[] = {BENCH_PEER("go", "channel-hop", 1, go_hop),
                                             BENCH_PEER("go", "channel-hop", 500, go_hop),
                                             BENCH_PEER("go", "lock-handoff", 1, go_lock),
                                             BENCH_PEER("go", "select", 2, go_select),
                                             BENCH_PEER("go", "select", 8, go_select),
                                             BENCH_PEER("go", "select-ready", 2, go_select_ready),
                                             BENCH_PEER("go", "select-ready", 8, go_select_ready),
                                             {0}};

static const struct bench_case fiber_cases[] = {
    BENCH_PEER("boost_fiber", "channel-hop", 1, fiber_hop),
    BENCH_PEER("boost_fiber", "channel-hop", 500, fiber_hop),
    BENCH_PEER("boost_fiber", "lock-handoff", 1, fiber_lock),
    {0}};

#ifdef BENCH_CXX
static const struct bench_case cxx_cases[] = {
    BENCH_PEER("c++20", "hop-turn", 1, sync_cxx_hop_by_turns),
    BENCH_PEER("c++20", "hop-turn", 500, sync_cxx_hop_by_turns),
    BENCH_PEER("c++20", "yield-run", 1, sync_cxx_yield),
    BENCH_PEER("c++20", "yield-run", 1000, sync_cxx_yield),
    BENCH_PEER("c++20", "yield-run", 100000, sync_cxx_yield),
    BENCH_PEER("c++20", "yield-run", 1000000, sync_cxx_yield),
    BENCH_PEER("c++20", "yield-shuffled", 1000000, sync_cxx_yield_shuffled),
    BENCH_PEER("c++20", "hop-run", 1, sync_cxx_hop),
    BENCH_PEER("c++20", "hop-run", 500, sync_cxx_hop),
    BENCH_PEER("c++20", "spawn-join", 1, sync_cxx_spawn_join),
    BENCH_PEER("c++20", "spawn-join", 100, sync_cxx_spawn_join),
    BENCH_PEER("c++20", "await", 1, sync_cxx_await),
    BENCH_PEER("c++20", "lock-held", 2, sync_cxx_lock),
    BENCH_PEER("c++20", "fan-in", 100, sync_cxx_fan_in),
    {0}};
#endif

/* --- all of it ----------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    const struct bench_case *lists[9] = {NULL};
    const struct bench sync = {"sync", lists, NULL};
    int count = 0;

#ifdef BENCH_CXX
    lists[count++] = cxx_cases; /* before the rows that are compared to them */
#endif
    lists[count++] = sync_hop_cases;
    lists[count++] = sync_select_cases;
    lists[count++] = sync_remote_cases;
    lists[count++] = sync_run_cases;
    lists[count++] = sync_call_cases;
    if (getenv("BENCH_GO"))
        lists[count++] = go_cases;
    if (getenv("BENCH_FIBER"))
        lists[count++] = fiber_cases;
    return bench_run(&sync, argc, argv);
}
