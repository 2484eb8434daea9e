/* end.h - how a program under test ends, and prints without a task
 * SPDX-License-Identifier: MIT */
#ifndef END_H
#define END_H

/* End the emulator with CODE; the value that main returns comes here. */
void board_end(int code);

/* Write to the UART, and wait until it is sent. */
void say(const char *text);
void say_number(long number);

#endif
