/* 05.c - sleeping: a heap of deadlines, and a clock that jumps */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

//- rocket
struct rocket {
    struct pt pt;
    const char *name;
    int n, ms;
};

static PT_ASYNC(rocket, self)
{
    for (; self->n > 0; self->n--) {
        printf("%4d ms  %s %d\n", (int)(PT_NOW() / PT_MS(1)), self->name, self->n);
        PT_WAIT(PT_MS(self->ms));
    }
    printf("%4d ms  %s is up\n", (int)(PT_NOW() / PT_MS(1)), self->name);
}
PT_END

//- main
int main(void)
{
    static PT_TASK(rocket) ariane, vega;
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &ariane, rocket, .name = "Ariane", .n = 3, .ms = 1000);
    PT_START(&loop, &vega, rocket, .name = "Vega", .n = 2, .ms = 1500);
    pt_loop_run(&loop);
    return 0;
}
