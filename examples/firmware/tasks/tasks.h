/* tasks.h - tasks for any board: they use board.h and know nothing about the processor
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

/* send - the same for bytes, of any value; awaited */
struct send {
    struct pt pt;
    const uint8_t *bytes;
    uint16_t length;
};
PT_DECLARE(send);

/* read_line - read a line from the UART; awaited by the task that board_turn wakes
 * Ends with PT_ETIMEDOUT when an incomplete line pauses for PATIENCE. */
struct read_line {
    struct pt pt;
    pt_time patience;
    struct pt_scope limit;
    uint8_t length;
    char text[24]; /* the line, with a final zero; what does not fit is dropped */
};
PT_DECLARE(read_line);

/* blink - an LED at one of two rates; any task can change FAST, which is read at each change */
struct blink {
    struct pt pt;
    uint8_t led;
    bool fast;
    pt_time slow_half, fast_half; /* half a period */
};
PT_DECLARE(blink);

/* button - debounce the button, and report short and long presses */
struct settle {
    struct pt pt;
    bool level;
    uint8_t samples;
};
struct button {
    struct pt pt;
    void (*pressed)(bool long_press); /* a short press at its end, a long one after LONG_TIME */
    pt_time long_time;
    struct pt_scope limit;
    struct settle settle;
};
PT_DECLARE(button);

/* sensor - ask a device once per period; if it does not answer in time, ask again */
struct sensor {
    struct pt pt;
    void (*ask)(struct sensor *sensor); /* begin a measurement */
    void (*report)(struct sensor *sensor,
                   pt_status code); /* PT_OK, or PT_ETIMEDOUT after all tries */
    pt_time period, patience;
    struct pt_scope limit;
    uint8_t tries, left;
    bool answered; /* the device sets it and VALUE, then wakes the task */
    int16_t value;
};
PT_DECLARE(sensor);

/* shell - commands from the UART: "help" lists them */
struct shell {
    struct pt pt;
    struct pt_loop *loop;
    struct blink *blink;
    struct pt_task *at; /* the task that ps shows */
    struct read_line line;
    struct print print;
    struct print_number number;
};
PT_DECLARE(shell);

/* modbus - a Modbus RTU slave; board_turn wakes it for each byte
 * It answers functions 3, 4, 6 and 16. An unknown function or register gets an exception. A damaged
 * frame, or one for another slave, is ignored. */
#ifndef MODBUS_REGISTERS
#define MODBUS_REGISTERS 16 /* maximum in one table */
#endif
struct modbus {
    struct pt pt;
    uint8_t address;                       /* 1 to 247 */
    uint8_t holdings, inputs;              /* the number of registers */
    uint16_t *holding;                     /* read and written */
    const uint16_t *input;                 /* only read */
    void (*written)(struct modbus *slave); /* after a write, before its answer; or NULL */
    pt_time silence; /* ends a frame: the time of 3.5 bytes, or 1.75 ms above 19,200 baud */
    struct pt_scope limit;
    struct send send;
    uint8_t frame[9 + 2 * MODBUS_REGISTERS]; /* the longest frame writes all registers */
    uint16_t length;                         /* of the frame, with what did not fit */
    uint16_t crc;
};
PT_DECLARE(modbus);

/* xmodem - receive a file by XMODEM, in blocks of 128 bytes; board_turn wakes it for each byte
 * Ends with PT_OK; PT_ECLOSED if the sender gives up; PT_ETIMEDOUT after TRIES in a row without a
 * good block; PT_EOVERRUN if a block is missing; PT_ENOMEM if TAKE has no room; or the reason of a
 * cancel. Except for the first two, the sender is told to stop. */
enum { XMODEM_BLOCK = 128 };
struct xmodem_packet { /* awaited: receives one packet */
    struct pt pt;
    pt_time patience;
    struct pt_scope limit;
    bool crc;
    uint8_t length;
    uint8_t bytes[3 + XMODEM_BLOCK + 2];
};
struct xmodem_hush { /* awaited: waits until the line is silent */
    struct pt pt;
    struct pt_scope limit;
};
struct xmodem {
    struct pt pt;
    bool (*take)(const uint8_t *block); /* gets each block, the last one padded; false: no room */
    pt_time patience;                   /* until the sender is asked again: about 3 s */
    uint8_t tries, failed;
    bool crc;   /* ask for a CRC first; without an answer, for a checksum */
    bool begun; /* a block was accepted */
    uint8_t next, heard, reply;
    pt_status code;
    struct xmodem_packet packet;
    struct xmodem_hush hush;
    struct send send;
};
PT_DECLARE(xmodem);

#endif
