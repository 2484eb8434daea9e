/* program.c - a task and a loop that need only the headers of a package; compiled, not run
 * SPDX-License-Identifier: MIT */
#include <pt/pt.h>

struct blink {
    struct pt pt;
    pt_time period;
    volatile unsigned char *port;
};

PT_ASYNC(blink, self)
{
    for (;;) {
        *self->port ^= 1u;
        PT_WAIT(self->period);
    }
}
PT_END

pt_time turn(pt_time now, volatile unsigned char *port);

pt_time turn(pt_time now, volatile unsigned char *port)
{
    static struct pt_loop loop;
    static PT_TASK(blink) led;

    if (!pt_task_alive(&led.task)) {
        pt_loop_init(&loop, now);
        (void)PT_START(&loop, &led, blink, .period = PT_MS(500), .port = port);
    }
    return pt_loop_turn(&loop, now);
}
