/* jump.c - a deep sleep makes the clock jump by an hour: tasks that are due run once, in order
 * SPDX-License-Identifier: MIT */
#include "end.h"
#include "board.h"

static struct pt_loop loop;

struct alarm {
    struct pt pt;
    const char *name;
    pt_time period;
};

static PT_ASYNC(alarm, self)
{
    for (;;) {
        PT_WAIT(self->period);
        say(self->name);
    }
}
PT_END

void board_received(void)
{
}

int main(void)
{
    static PT_TASK(alarm) seconds, minutes, hours;
    pt_time now = (pt_time)0 - PT_SEC(1), next; /* the jump goes over the wrap */

    board_start();
    pt_loop_init(&loop, now);
    PT_START(&loop, &hours, alarm, .name = "two hours\n", .period = PT_SEC(7200));
    PT_START(&loop, &minutes, alarm, .name = "a minute\n", .period = PT_SEC(60));
    PT_START(&loop, &seconds, alarm, .name = "a second\n", .period = PT_SEC(1));
    pt_loop_turn(&loop, now);
    now += PT_SEC(3600);
    next = pt_loop_turn(&loop, now);
    if (next != (pt_time)(now + PT_SEC(1)))
        say("the next turn is not in a second\n");
    next = pt_loop_turn(&loop, next);
    return next != (pt_time)(now + PT_SEC(2));
}
