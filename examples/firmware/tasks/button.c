/* button.c - a button that bounces: short and long presses
 * SPDX-License-Identifier: MIT
 *
 * The body reads like the rule: pressed, and then released within 800 ms or not. */
#include "tasks.h"

enum { SAMPLES = 4 }; /* so many equal samples, 5 ms apart, count as a level */

static PT_ASYNC(settle, self)
{
    for (self->samples = 0; self->samples < SAMPLES; self->samples++) {
        PT_WAIT(PT_MS(5));
        if (board_button() != self->level)
            self->samples = UINT8_MAX; /* the loop restarts at 0 */
    }
}
PT_END

PT_ASYNC(button, self)
{
    for (;;) {
        PT_TRY(&self->settle, settle, .level = true);
        PT_WITH_TIMEOUT(&self->limit, self->long_time) {
            PT_TRY(&self->settle, settle, .level = false);
        }
        self->pressed(pt_timed_out(&self->limit));
        if (pt_timed_out(&self->limit))
            PT_TRY(&self->settle, settle, .level = false);
    }
}
PT_END
