/* xmodem.c - receives a file by XMODEM; at the next byte it sends the file back
 * SPDX-License-Identifier: MIT
 *
 *     sx FILE <line >line
 *
 * With -DCRC=false it asks for checksums. A file that does not fit stops the sender and program. */
#include "run.h"
#include "tasks/tasks.h"

#ifndef ROOM
#define ROOM 512
#endif
#ifndef CRC
#define CRC true
#endif

static struct pt_loop loop;
static uint8_t file[ROOM];
static size_t length;

static bool take(const uint8_t *block)
{
    if (sizeof file - length < XMODEM_BLOCK)
        return false;
    for (uint8_t i = 0; i < XMODEM_BLOCK; i++)
        file[length++] = block[i];
    return true;
}

struct mirror {
    struct pt pt;
    struct xmodem xmodem;
    struct send send;
};

static PT_ASYNC(mirror, self)
{
    PT_TRY(&self->xmodem, xmodem, .take = take, .patience = PT_SEC(3), .tries = 10, .crc = CRC);
    while (!board_has_input())
        PT_PARK();
    PT_TRY(&self->send, send, .bytes = file, .length = (uint16_t)length);
}
PT_END

static PT_TASK(mirror) mirror;

void board_received(void)
{
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &mirror, mirror);
    while (pt_task_alive(&mirror.task))
        board_turn(&loop, &mirror.task);
    return mirror.frame.pt.status != PT_OK;
}
