/* switch_value_is_label.c - a value of the user switch has the number of a label in it
 * SPDX-License-Identifier: MIT
 * If it compiled, a switch on 1 would find the first suspension's label among its own cases and
 * continue there: nothing would suspend or resume, so no check could stop it.
 * expect error: changes value from|overflow|narrow */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    switch (self->n) {
    case 9: break;
    default: PT_YIELD();
    }
}
PT_END

int main(void)
{
    struct body b;
    int yields = 0;

    PT_INIT(&b, body, .n = 1);
    while (pt_next(&b.pt))
        yields++;
    printf("%d yields\n", yields);
    return 0;
}
