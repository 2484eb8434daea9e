/* generator_spawn_new.c - a generator asks for memory, but has no loop
 * SPDX-License-Identifier: MIT
 * expect trap: PT_SPAWN_NEW: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_SPAWN_NEW(body);
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    return 0;
}
