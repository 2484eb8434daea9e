/* print.c - send a text as fast as the line takes it, without a busy loop
 * SPDX-License-Identifier: MIT */
#include "tasks.h"

PT_ASYNC(print, self)
{
    for (; *self->text; self->text++) /* pt-bounds: loop 80 */
        while (!board_put(*self->text))
            PT_WAIT(1);
}
PT_END

/* Write the digits of the number to the end of the text; returns where they begin. */
static const char *digits(struct print_number *self)
{
    char *digit = &self->text[sizeof self->text - 1];

    *digit = '\0';
    do {
        *--digit = (char)('0' + self->number % 10);
        self->number /= 10;
    } while (self->number); /* pt-bounds: loop 10 */
    return digit;
}

PT_ASYNC(print_number, self)
{
    PT_TRY(&self->print, print, .text = digits(self));
}
PT_END
