/* shell.c - commands from the UART
 * SPDX-License-Identifier: MIT */
#include "tasks.h"

#include <pt/inspect.h>

#if !PT_INSPECT
#error "ps walks over the loop's tasks: build with -DPT_INSPECT=1"
#endif

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b) /* pt-bounds: loop 8 */
        a++, b++;
    return *a == *b;
}

/* Printing takes time, and other tasks run meanwhile. In this program none of them ever ends, so
 * the walk over the tasks stays valid. */
PT_ASYNC(shell, self)
{
    PT_TRY(&self->print, print, .text = "ready\n");
    for (;;) {
        PT_WAIT_COMPLETE(&self->line, read_line, .patience = PT_SEC(1));
        if (self->pt.status == PT_ETIMEDOUT) {
            PT_TRY(&self->print, print, .text = "(forgotten)\n");
        } else if (same(self->line.text, "ps")) {
            while ((self->at = pt_loop_task(self->loop, self->at)) != NULL) {
                PT_TRY(&self->print, print, .text = pt_task_name(self->at));
                PT_TRY(&self->print, print, .text = " ");
                PT_TRY(&self->print, print, .text = pt_task_doing(self->at));
                PT_TRY(&self->print, print, .text = "\n");
            }
        } else if (same(self->line.text, "up")) {
            PT_TRY(&self->number, print_number, .number = PT_NOW() / (PT_TICKS_PER_SEC));
            PT_TRY(&self->print, print, .text = " s\n");
        } else if (same(self->line.text, "fast") || same(self->line.text, "slow")) {
            self->blink->fast = self->line.text[0] == 'f';
            PT_TRY(&self->print, print, .text = "ok\n");
        } else if (same(self->line.text, "bye")) {
            PT_RETURN(PT_OK);
        } else {
            PT_TRY(&self->print, print, .text = "ps up fast slow bye\n");
        }
    }
}
PT_END
