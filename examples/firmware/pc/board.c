/* board.c - a PC as a board: its clock, and a terminal as the UART
 * SPDX-License-Identifier: MIT
 *
 * There are no interrupts: input is read where a part would sleep, even if the alarm is past. So
 * input that came in time counts, however late the system runs this program. The end of the input
 * ends the program. */
#include "input.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

pt_time board_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (pt_time)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

static pt_time alarm_at;

void board_wake_at(pt_time until)
{
    alarm_at = until;
}

void board_sleep(void)
{
    struct pollfd terminal = {STDIN_FILENO, POLLIN, 0};
    pt_time now = board_now();
    int span = pt_time_before(now, alarm_at) ? (int)(alarm_at - now) : 0;
    uint8_t byte;

    if (poll(&terminal, 1, span) == 1) {
        if (read(STDIN_FILENO, &byte, 1) != 1)
            exit(0);
        input_received(byte);
    }
}

bool board_put(char byte)
{
    return write(STDOUT_FILENO, &byte, 1) == 1;
}

void board_start(void)
{
}
