/* end.h - how a program under test ends, and prints without a task
 * SPDX-License-Identifier: MIT */
#ifndef END_H
#define END_H

/* The emulator ends with CODE: what main returns comes here. */
void board_end(int code);

/* Out by the UART, waiting for it. */
void say(const char *text);
void say_number(long number);

#endif
