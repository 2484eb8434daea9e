/* three_timeout.c - the program of three.c, with a real timeout: between two bytes it sleeps
 * SPDX-License-Identifier: MIT
 *
 * three.c looks every millisecond whether a line pauses for too long. Here one PT_PARK_FOR waits
 * for the next byte or for the end of the second, whichever comes first: PT_TIMED_PARKS is the only
 * feature besides a sorted list of timers. */
#include "three.h"

struct line {
    struct pt pt;
    struct text text;
};

static PT_ASYNC(line, self)
{
    for (;;) {
        while (board_has_input())
            text_take(&self->text, (char)board_get());
        if (self->text.length == 0) {
            PT_PARK(); /* a pause between two lines may be long */
        } else {
            PT_PARK_FOR(PT_SEC(1));
            if (self->pt.status == PT_ETIMEDOUT)
                self->text.length = 0;
        }
    }
}
PT_END

/* --- all of them ------------------------------------------------------------------------- */

static struct pt_loop loop;
static PT_TASK(blink) led;
static PT_TASK(line) reader;
static PT_TASK(button) key;

#if !PT_AWAIT && !PT_JOINS && !PT_POOLS && !PT_HOSTED /* the smallest tasks */
PT_ASSERT_SIZE(led, 24);
PT_ASSERT_SIZE(reader, 28);
PT_ASSERT_SIZE(key, 28);
#endif

void board_received(void)
{
}

int main(void)
{
    board_start();
    pt_loop_init(&loop, board_now());
    PT_START(&loop, &led, blink);
    PT_START(&loop, &reader, line);
    PT_START(&loop, &key, button);
    for (;;)
        board_turn(&loop, &reader.task);
}
