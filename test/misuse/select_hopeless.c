/* select_hopeless.c - a select of which no case can come true
 * SPDX-License-Identifier: MIT
 * expect trap -DPT_DEBUG=1 OFF: PT_SELECT: no case can ever come true
 * expect trap -DPT_DEBUG=1 NEVER: PT_SELECT: no case can ever come true
 * expect output -DPT_DEBUG=1 TIME: ^1$
 * expect output -DPT_DEBUG=1 EVENT: ^0$
 * expect output OFF: ^deadlock$ */
#include <pt/pt.h>
#include <stdio.h>
#include "chosen.h"

static struct pt_event event;

struct body {
    struct pt pt;
    pt_time deadline;
    PT_SELECTION(2) choice;
};

PT_ASYNC(body, self)
{
    self->deadline = PT_NOW() + (CHOSEN(TIME) ? 1 : PT_DELAY_NEVER);
    PT_SELECT(&self->choice, PT_CASE_IF(CHOSEN(EVENT), PT_CASE_EVENT(&event)),
              PT_CASE_IF(!CHOSEN(OFF), PT_CASE_UNTIL(self->deadline)));
    printf("%d\n", PT_SELECTED(&self->choice));
}
PT_END

static struct pt_loop loop;
static PT_LOOP_STORAGE(4) room;
static PT_TASK(body) task;

int main(int argc, char **argv)
{
    choose(argc, argv);
    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    (void)PT_START(&loop, &task, body);
    pt_loop_turn(&loop, 0);
    pt_event_set(&event);
    for (pt_time now = 1; now < 3; now++)
        pt_loop_turn(&loop, now);
    if (pt_task_alive(&task.task))
        puts("deadlock");
    return 0;
}
