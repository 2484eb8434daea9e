/* 04.c - two functions in turn: a loop, and a queue of the ready tasks */
#include "pt.h"
#include <stdio.h>

//- rocket
struct rocket {
    struct pt pt;
    const char *name;
    int n;
};

static PT_ASYNC(rocket, self)
{
    for (; self->n > 0; self->n--) {
        printf("%s %d\n", self->name, self->n);
        PT_YIELD();
    }
    printf("%s is up\n", self->name);
}
PT_END

//- main
int main(void)
{
    static PT_TASK(rocket) ariane, vega;
    static struct pt_loop loop;

    PT_START(&loop, &ariane, rocket, .name = "Ariane", .n = 3);
    PT_START(&loop, &vega, rocket, .name = "Vega", .n = 2);
    printf("start again: %s\n", PT_START(&loop, &vega, rocket, .n = 9) ? "yes" : "no, it still runs");
    pt_loop_run(&loop);
    return 0;
}
