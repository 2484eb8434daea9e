/* generator_park.c - a generator returns PARK, but has no loop
 * SPDX-License-Identifier: MIT
 * expect trap: PARK: a generator has no loop */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_PARK();
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    return 0;
}
