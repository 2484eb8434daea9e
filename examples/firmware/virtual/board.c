/* board.c - a board in virtual time: a sleep returns at once and sets the clock to its end
 * SPDX-License-Identifier: MIT
 *
 * Standard input and output are its UART, which receives a byte every 10 ms. */
#include "input.h"

#include <stdio.h>

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
#endif

static pt_time now = (pt_time)BOARD_CLOCK_START, next_byte, alarm_at;
static bool ended;

void pins_start(void);

pt_time board_now(void)
{
    return now;
}

void board_wake_at(pt_time until)
{
    alarm_at = until;
}

void board_sleep(void)
{
    int byte;

    if (ended || pt_time_before(alarm_at, next_byte)) {
        now = pt_time_before(now, alarm_at) ? alarm_at : now;
        return;
    }
    now = next_byte;
    next_byte = (pt_time)(now + PT_MS(10));
    byte = getchar();
    ended = byte == EOF;
    if (!ended)
        input_received((uint8_t)byte);
}

bool board_put(char byte)
{
    return putchar(byte) != EOF;
}

void board_start(void)
{
    next_byte = (pt_time)(now + PT_MS(10));
    pins_start();
}
