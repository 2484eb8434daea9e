/* test_talk.h - a world and its turns, for the tests of tasks that talk to each other
 * SPDX-License-Identifier: MIT */
#ifndef PT_TEST_TALK_H
#define PT_TEST_TALK_H

#include "pt_test.h"

#if PT_PORT

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
