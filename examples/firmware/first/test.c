/* test.c - the first program on a PC, in virtual time: edges come from a table, the LED leaves a trace
 * SPDX-License-Identifier: MIT
 *
 *     cc -Iinclude examples/firmware/first/test.c && ./a.out
 *
 * What to notice:
 *   - The program is main.c as it is. This file is its board: a clock, a sleep, the pins.
 *   - A sleep takes no time: it sets the clock to its end, or to the next interrupt if that is earlier,
 *     and calls that. The clock wraps in the test.
 *   - The first lines make it a part's program: with PT_ALL 0 a feature that the part lacks does not
 *     compile here, either. Those of your pt_config.h would be the same in both builds.
 *   - It compares the whole trace: an LED that switches once too often is found, too. */
#define PT_REMOTE 1
#define PT_ALL 0
#define PT_TIME_BITS 32
#define PT_READY PT_READY_LIST /* a PC has PT_READY_RING, which needs pt_loop_use */
#define PT_CRITICAL_ENTER() 0u /* interrupts come only in a sleep: there is nothing to mask */
#define PT_CRITICAL_LEAVE(masked) ((void)(masked))
#include <pt/pt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The edges of the pin: a press and a release that bounce, a pulse too short for a press, a press. */
static const struct edge {
    pt_time at;
    bool down;
} edges[] = {{50, true},  {51, false}, {53, true},   {90, false}, {91, true},
             {92, false}, {300, true}, {305, false}, {400, true}};

enum { EDGES = sizeof edges / sizeof *edges };

static const pt_time begin = (pt_time)0 - 80; /* it wraps after 80 ms */
static pt_time now = (pt_time)0 - 80;
static unsigned next;
static bool pin;
static char trace[256];

void button_interrupt(void);

static void end(void)
{
    static const char expected[] = "70 on\n420 off\n";

    printf("%s", strcmp(trace, expected) ? "FAIL: " : "passed: ");
    printf("the LED at ms\n%s", trace);
    exit(strcmp(trace, expected) != 0);
}

/* --- the board, in place of systick_1ms.h ---------------------------------------------------- */

#define SYSTICK_1MS_H

static pt_time systick_now(void)
{
    return now;
}

static void systick_sleep_until(pt_time until)
{
    if (next < EDGES && !pt_time_before(until, (pt_time)(begin + edges[next].at))) {
        now = (pt_time)(begin + edges[next].at);
        pin = edges[next++].down;
        button_interrupt();
    } else if ((pt_time)(until - now) == PT_DELAY_NEVER) {
        end(); /* only an interrupt could wake it */
    } else {
        now = until;
    }
}

static void systick_start(uint32_t cycles)
{
    (void)cycles;
}

void board_start(void)
{
}

bool board_button(void)
{
    return pin;
}

void board_led(bool on)
{
    size_t length = strlen(trace);

    snprintf(trace + length, sizeof trace - length, "%u %s\n", (unsigned)(now - begin),
             on ? "on" : "off");
}

#define main board_main
#include "main.c"
#undef main

int main(void)
{
    return board_main();
}
