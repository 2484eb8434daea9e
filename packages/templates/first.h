/* first.h - the first program: an LED that blinks, and a button with a time limit
 * SPDX-License-Identifier: MIT */
#ifndef FIRST_H
#define FIRST_H

#include <pt/pt.h>

/* first_start - start the tasks, before the interrupt of the button is enabled */
void first_start(struct pt_loop *loop);

/* first_edge - for the interrupt of the button, at both edges */
void first_edge(void);

/* main.c has these: the pins. */
void board_led(bool on);
bool board_button(void); /* whether it is down */

#endif
