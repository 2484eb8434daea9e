/* modbus.c - a Modbus RTU slave, address 17: a master switches the LEDs
 * SPDX-License-Identifier: MIT
 *
 * Holding register 0 has a bit for each LED. Input register 0 is what they show; input register 1
 * is the inverse of holding register 1. On a PC the line is standard input and output. */
#include "run.h"
#include "tasks/tasks.h"

#ifndef SILENCE
#define SILENCE PT_MS(2)
#endif

static struct pt_loop loop;
static PT_TASK(modbus) slave;
static uint16_t holding[MODBUS_REGISTERS], input[2] = {0, 0xffff};

static void written(struct modbus *self)
{
    (void)self;
    board_led(0, holding[0] & 1);
    board_led(1, holding[0] & 2);
    input[0] = holding[0] & 3;
    input[1] = (uint16_t)~holding[1];
}

void board_received(void)
{
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &slave, modbus, .address = 17, .holding = holding, .input = input,
             .holdings = sizeof holding / sizeof *holding, .inputs = sizeof input / sizeof *input,
             .written = written, .silence = SILENCE);
    for (;;)
        board_turn(&loop, &slave.task);
}
