/* name_struct.c - PT_ASYNC with the word struct before the name
 * SPDX-License-Identifier: MIT
 * expect error: two or more data types|cannot combine with previous|expected unqualified-id */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(struct body, self)
{
    PT_YIELD();
    self->n++;
}
PT_END
