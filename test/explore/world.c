/* world.c - the port of the explored loop, and the choice of scenarios
 * SPDX-License-Identifier: MIT
 *
 *     explore [--long] [--bound N] [--interrupts] [SCENARIO...]
 *
 * Runs the named scenarios, or all. Long ones run only if they are named, or with --long. A long
 * scenario with more than two threads beside the loop's has at most N preemptions; others have any
 * number. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

PT_STATIC_ASSERT(sizeof(struct world) <= EXPLORE_SHARED, "the explorer keeps all of the world");

static pt_time now(void *context)
{
    (void)context;
    return 0;
}

static bool idle(void *context, pt_time from, pt_time until)
{
    unsigned masked;

    (void)context;
    (void)from;
    (void)until;
    masked = PT_CRITICAL_ENTER(); /* acts as a lock, which the sleep releases */
    if (!world()->kicked) {
        explore_sleep(world()->timers > 0);
        world()->timers -= !world()->kicked;
    }
    world()->kicked = false;
    PT_CRITICAL_LEAVE(masked);
    return true;
}

static void kick(void *context)
{
    (void)context;
    explore_step(true);
    world()->kicked = true;
    explore_wake(0);
}

void world_open(void)
{
    static const struct pt_port port = {now, idle, NULL, NULL, kick, NULL, 0, false};

    world()->port = port;
    pt_loop_open(&world()->loop, &world()->port);
    pt_semaphore_init(&world()->units, 0, UINT_MAX);
}

static pt_time board_now(void)
{
    return 0;
}

#ifdef EXPLORE_CORES
enum { BOARD = true };
#define sleep_instruction() explore_wait_for_signal()
#else
#define BOARD explore_interrupts
#define sleep_instruction() explore_sleep(false) /* it lets the interrupts in */
#endif

static void board_sleep_until(pt_time until)
{
    (void)until;
    if (pt_loop_live(&world()->loop))
        sleep_instruction();
}

void world_run(void)
{
    if (BOARD)
        while (pt_loop_live(&world()->loop))
            pt_loop_turn_and_sleep(&world()->loop, board_now, board_sleep_until);
    else
        explore_expect(pt_loop_run(&world()->loop) == PT_OK, "the loop ends well");
}

static int passed, failed, preemptions = 3;
static bool all;

/* Explore the named scenarios of a list, or all. */
static void explore_list(const struct explore_scenario *list, char **names)
{
    for (; list->name; list++) {
        bool wanted = !*names && (all || !list->long_);

        for (char **name = names; *name; name++)
            wanted = wanted || !strcmp(*name, list->name);
        if (!wanted)
            continue;
        if (explore(list, list->long_ && list->threads > 3 ? preemptions : EXPLORE_ANY))
            passed++;
        else
            failed++;
    }
}

int main(int argc, char **argv)
{
    int at;

    for (at = 1; at < argc && argv[at][0] == '-'; at++) {
        if (!strcmp(argv[at], "--long"))
            all = true;
        else if (!strcmp(argv[at], "--interrupts"))
            explore_interrupts = true;
        else if (!strcmp(argv[at], "--bound") && at + 1 < argc)
            preemptions = atoi(argv[++at]);
        else
            return 2;
    }
    explore_list(post_scenarios, argv + at);
    explore_list(end_scenarios, argv + at);
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
