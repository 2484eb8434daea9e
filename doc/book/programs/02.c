/* 02.c - a switch that remembers, and a local that does not */
#include "pt.h"
#include <stdio.h>

//- countdown
struct countdown {
    struct pt pt;
    int n;
};

static PT_ASYNC(countdown, self)
{
    printf("ready ");
    PT_YIELD();
    for (self->n = 3; self->n > 0; self->n--) {
        printf("%d ", self->n);
        PT_YIELD();
    }
    printf("lift-off\n");
}
PT_END

//- lost
struct lost {
    struct pt pt;
    int kept;
};

static PT_ASYNC(lost, self)
{
    volatile int local; /* volatile: so that the compiler does not hide what happens */

    local = 42;
    self->kept = 42;
    printf("before: local %d, kept %d\n", local, self->kept);
    PT_YIELD();
    printf("after:  local %s, kept %d\n", local == 42 ? "42" : "lost", self->kept);
}
PT_END

/* It uses the memory where the local was. */
static int overwrite(int depth)
{
    volatile int block[64];

    for (int i = 0; i < 64; i++)
        block[i] = 7;
    return block[depth];
}

//- main
int main(void)
{
    struct countdown rocket = {{0}, 0};
    struct lost lost = {{0}, 0};

    while (countdown_next(&rocket))
        ;
    lost_next(&lost);
    overwrite(3);
    lost_next(&lost);
    return 0;
}
