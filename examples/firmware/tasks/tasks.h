/* tasks.h - tasks for any board: each knows board.h and nothing of its processor
 * SPDX-License-Identifier: MIT */
#ifndef TASKS_H
#define TASKS_H

#include "board.h"

/* print - send a text; awaited. It sleeps while the transmitter is busy. */
struct print {
    struct pt pt;
    const char *text;
};
PT_DECLARE(print);

/* print_number - the same for a number; awaited */
struct print_number {
    struct pt pt;
    uint32_t number;
    struct print print;
    char text[11];
};
PT_DECLARE(print_number);

/* read_line - a line from the UART; awaited, by the task that board_turn wakes
 * Ends with PT_ETIMEDOUT when a line that was begun stands still for PATIENCE. */
struct read_line {
    struct pt pt;
    pt_time patience;
    struct pt_scope limit;
    uint8_t length;
    char text[24]; /* the line, with its end; what does not fit is dropped */
};
PT_DECLARE(read_line);

/* blink - a LED at one of two rates, which anybody may switch: fast is read at each change */
struct blink {
    struct pt pt;
    uint8_t led;
    bool fast;
    pt_time slow_half, fast_half; /* half a period */
};
PT_DECLARE(blink);

/* button - the bouncing button, told as short and long presses */
struct settle {
    struct pt pt;
    bool level;
    uint8_t samples;
};
struct button {
    struct pt pt;
    void (*pressed)(bool long_press); /* a short one at its end, a long one when it has become so */
    pt_time long_time;
    struct pt_scope limit;
    struct settle settle;
};
PT_DECLARE(button);

/* sensor - asks a device each period; a device that does not answer in time is asked again */
struct sensor {
    struct pt pt;
    void (*ask)(struct sensor *sensor); /* begin a measurement */
    void (*report)(struct sensor *sensor,
                   pt_status code); /* PT_OK, or PT_ETIMEDOUT after all tries */
    pt_time period, patience;
    struct pt_scope limit;
    uint8_t tries, left;
    bool answered; /* the device's: set it and VALUE, then wake the task */
    int16_t value;
};
PT_DECLARE(sensor);

/* shell - commands from the UART: "help" lists them */
struct shell {
    struct pt pt;
    struct pt_loop *loop;
    struct blink *blink;
    struct pt_task *at; /* of ps: the task that it shows */
    struct read_line line;
    struct print print;
    struct print_number number;
};
PT_DECLARE(shell);

#endif
