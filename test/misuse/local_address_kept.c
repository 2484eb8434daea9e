/* local_address_kept.c - a pointer to a local is kept in the frame across a suspension
 * SPDX-License-Identifier: MIT
 * No compiler sees it. PT_DEBUG overwrites the dead stack before each resume.
 * expect missed: uninitialized
 * expect output -DPT_DEBUG=1: ^text -91$ */
#include <pt/pt.h>
#include <stdio.h>
#include <string.h>

struct body {
    struct pt pt;
    const char *line;
};

PT_ASYNC(body, self)
{
    {
        char line[32];

        strcpy(line, "text");
        self->line = line;
    }
    PT_YIELD();
    printf("%d\n", (signed char)self->line[0]);
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    printf("text ");
    pt_next(&b.pt);
    return 0;
}
