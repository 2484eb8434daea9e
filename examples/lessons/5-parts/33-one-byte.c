/* 33-one-byte.c - a function that keeps only a label: one byte of state
 * SPDX-License-Identifier: MIT
 *
 * The smallest coroutine is a label: where to continue.
 *
 *     PT_BARE, PT_BARE_END  around the body of a plain function that keeps a pt_label, and nothing
 *                           else
 *     PT_BARE_YIELD         return a value; the next call continues here
 *
 * What to notice:
 *   - This needs no struct, no task and no loop. Any return type will do.
 *   - Where RAM is scarce, a thousand state machines fit into a thousand bytes.
 *   - The order of the states is the order of the lines. A table or an enum of states would not
 *     show that order.
 *   - The value of PT_BARE_END is returned at the end, and by every call after it.
 *
 * Try: let the light begin with three steps of "amber", written as a loop. Where must the counter
 * be? */
#include <pt/pt.h>

#include <stdio.h>

/* One step of a traffic light: returns what to show. It never ends. */
static const char *light(pt_label *state)
{
    PT_BARE(*state)
    {
        for (;;) {
            PT_BARE_YIELD("red");
            PT_BARE_YIELD("red+amber");
            PT_BARE_YIELD("green");
            PT_BARE_YIELD("amber");
        }
    }
    PT_BARE_END("dark");
}

/* Returns one element of the distress call; 0 at its end. */
static char sos(pt_label *state)
{
    PT_BARE(*state)
    {
        PT_BARE_YIELD('.');
        PT_BARE_YIELD('.');
        PT_BARE_YIELD('.');
        PT_BARE_YIELD('-');
        PT_BARE_YIELD('-');
        PT_BARE_YIELD('-');
        PT_BARE_YIELD('.');
        PT_BARE_YIELD('.');
        PT_BARE_YIELD('.');
    }
    PT_BARE_END(0);
}

int main(void)
{
    pt_label main_street = 0, side_street = 0, key = 0;
    char element;

    light(&main_street); /* two steps ahead */
    light(&main_street);
    for (int i = 0; i < 5; i++) {
        printf("%-9s | ", light(&main_street));
        printf("%s\n", light(&side_street));
    }
    while ((element = sos(&key)) != 0)
        putchar(element);
    printf(" and then %d, %d\n", sos(&key), sos(&key));
    printf("%u byte each\n", (unsigned)sizeof key);
    return 0;
}
