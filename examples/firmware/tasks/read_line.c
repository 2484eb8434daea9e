/* read_line.c - read a line from the UART, with a limit for its pauses
 * SPDX-License-Identifier: MIT
 *
 * The first byte arms a timeout, and each byte rearms it, which costs about one store. */
#include "tasks.h"

static bool line_take(struct read_line *line, int byte)
{
    if (byte == '\r' || byte == '\n') {
        line->text[line->length] = '\0';
        return true;
    }
    if (byte == '\b' && line->length)
        line->length--;
    else if (byte >= ' ' && line->length < sizeof line->text - 1)
        line->text[line->length++] = (char)byte;
    return false;
}

PT_ASYNC(read_line, self)
{
    self->length = 0;
    while (!board_has_input())
        PT_PARK();
    PT_WITH_TIMEOUT(&self->limit, self->patience) {
        for (;;) { /* pt-bounds: loop 16 */
            while (!board_has_input())
                PT_PARK();
            if (line_take(self, board_get()))
                PT_RETURN(PT_OK);
            PT_REARM(&self->limit, self->patience);
        }
    }
    PT_RETURN(PT_ETIMEDOUT);
}
PT_END
