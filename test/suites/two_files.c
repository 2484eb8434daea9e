/* two_files.c - the file with the loop; test/suites/cross checks that the program has the core's code only once
 * SPDX-License-Identifier: MIT */
#include "two_files.h"

static struct pt_loop loop;
static PT_TASK(tick) task;

void start(void);
void start(void)
{
    pt_time now = 0, next;

    pt_loop_init(&loop, now);
    (void)PT_START(&loop, &task, tick, .count = 3);
    (void)watch_start(&loop);
    while ((pt_time)((next = pt_loop_turn(&loop, now)) - now) != PT_DELAY_NEVER)
        now = next;
}
