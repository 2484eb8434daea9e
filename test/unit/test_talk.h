/* test_talk.h - a world and its turns, for the tests of tasks that talk to each other
 * SPDX-License-Identifier: MIT */
#ifndef PT_TEST_TALK_H
#define PT_TEST_TALK_H

#include "pt_test.h"

#if PT_PORT

static struct test_world world;

/* Run one turn, MS milliseconds after the start of the test. */
static inline void turn(int ms)
{
    world.clock.now = test_at(ms);
    pt_loop_turn(&world.loop, world.clock.now);
}

/* Run until no task is left, and check the trace. */
static inline void run_world(const char *trace)
{
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    ck_assert_trace(trace);
    test_close(&world);
}

#if PT_HAS_WAIT_QUEUES_
/* How many tasks wait in the list. */
static inline int wait_list_count(const struct pt_wait_list_ *list)
{
    int count = 0;

    for (const struct pt_node *node = list->first; node; node = node->link.next)
        count++;
    return count;
}
#endif

#endif
#endif
