/* board.c - a board in virtual time: a sleep returns at once and sets the clock to its end
 * SPDX-License-Identifier: MIT
 *
 * Standard input and output are its UART, which receives a byte every 10 ms. */
#include "hardware.h"
#include "input.h"

#include <stdio.h>

#ifndef BOARD_CLOCK_START
#define BOARD_CLOCK_START 0 /* the first time of the clock; tests make it wrap soon */
#endif

static pt_time now = (pt_time)BOARD_CLOCK_START, next_byte, alarm_at;
static bool ended;
static struct hardware *armed; /* those that will act */
bool hardware_is_late;

void pins_start(void);

pt_time board_now(void)
{
    return now;
}

void board_wake_at(pt_time until)
{
    alarm_at = until;
}

void hardware_stop(struct hardware *it)
{
    struct hardware **link = &armed;

    while (*link && *link != it)
        link = &(*link)->next;
    if (*link)
        *link = it->next;
}

void hardware_at(struct hardware *it, pt_time at)
{
    struct hardware **link = &armed;

    hardware_stop(it);
    while (*link && !pt_time_before(at, (*link)->at))
        link = &(*link)->next;
    it->at = at;
    it->next = *link;
    *link = it;
}

static void clock_reaches(pt_time at)
{
    now = pt_time_before(now, at) ? at : now;
}

static bool hardware_is_next(void)
{
    return armed && (ended || !pt_time_before(next_byte, armed->at)) &&
           !pt_time_before(alarm_at, armed->at) && (!hardware_is_late || armed->at != alarm_at);
}

void board_sleep(void)
{
    struct hardware *next = armed;
    int byte;

    if (hardware_is_next()) {
        armed = next->next;
        clock_reaches(next->at);
        next->act(next);
        return;
    }
    if (ended || pt_time_before(alarm_at, next_byte)) {
        clock_reaches(alarm_at);
        return;
    }
    clock_reaches(next_byte);
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
