/* 03.c - generators: many at once, one byte each for the place */
#include "pt.h"
#include <stdio.h>

//- fibonacci
struct fibonacci {
    struct pt pt;
    int value, next;
};

static PT_ASYNC(fibonacci, self)
{
    for (;;) {
        PT_YIELD();
        int sum = self->value + self->next; /* dead before the next PT_YIELD */

        self->value = self->next;
        self->next = sum;
    }
}
PT_END

//- below
/* The values of another generator, as long as they are below the limit. */
struct below {
    struct pt pt;
    struct fibonacci from;
    int limit, value;
};

static PT_ASYNC(below, self)
{
    PT_INIT(&self->from, fibonacci, .value = 0, .next = 1);
    while (pt_next(&self->from.pt) && self->from.value < self->limit) {
        self->value = self->from.value;
        PT_YIELD();
    }
}
PT_END

//- main
int main(void)
{
    struct below small, large;

    PT_INIT(&small, below, .limit = 10);
    PT_INIT(&large, below, .limit = 100);
    for (bool more = true; more;) {
        bool a = pt_next(&small.pt), b = pt_next(&large.pt);

        if (a)
            printf("small %d  ", small.value);
        if (b)
            printf("large %d", large.value);
        printf("\n");
        more = a || b;
    }
    printf("label: %d byte\n", (int)sizeof small.pt.label);
    return 0;
}
