/* first.c - the first program of the templates in virtual time: presses from a table, the LED as a trace
 * SPDX-License-Identifier: MIT */
#include "first.h"

#include <stdio.h>
#include <string.h>

static const struct {
    unsigned at;
    bool down;
} edges[] = {
    {1210, true}, {1213, false},
    {1217, true}, {1300, false}, /* a short press, which bounces: fast */
    {2000, true}, {2005, false}, /* too short for a press */
    {2600, true}, {4000, false}, /* held for more than a second: off */
    {5000, true}, {5999, false}, /* not for a second: slow again */
};

static const char expected[] =
    "0 on; 500 off; 1000 on; 1500 off; 1600 on; 1700 off; 1800 on; 1900 off; "
    "2000 on; 2100 off; 2200 on; 2300 off; 2400 on; 2500 off; 2600 on; "
    "2700 off; 2800 on; 2900 off; 3000 on; 3100 off; 3200 on; 3300 off; "
    "3400 on; 3500 off; 3600 on; 3700 off; 6200 on; 6700 off; 7200 on; ";

static unsigned now;
static bool down, lit;
static char trace[1000];

void board_led(bool on)
{
    if (on != lit)
        (void)snprintf(trace + strlen(trace), sizeof trace - strlen(trace), "%u %s; ", now,
                       on ? "on" : "off");
    lit = on;
}

bool board_button(void)
{
    return down;
}

int main(void)
{
    static struct pt_loop loop;
    size_t next = 0;

    pt_loop_init(&loop, 0);
    first_start(&loop);
    while (now < 7500) {
        pt_time until = pt_loop_turn(&loop, now);

        if (!pt_loop_idle(&loop) || pt_loop_posted(&loop))
            continue;
        if (next < sizeof edges / sizeof *edges && edges[next].at <= until) {
            now = edges[next].at;
            down = edges[next++].down;
            first_edge();
        } else {
            now = until;
        }
    }
    if (strcmp(trace, expected) == 0)
        return 0;
    puts(trace);
    return 1;
}
