/* semicolon_struct.c - no semicolon after the struct of the frame
 * SPDX-License-Identifier: MIT
 * expect error: expected (.;. after struct|initializer before|.;., identifier or) */
#include <pt/pt.h>

/* clang-format off */
struct body {
    struct pt pt;
    int n;
}

PT_ASYNC(body, self)
{
    PT_YIELD();
    self->n++;
}
PT_END
