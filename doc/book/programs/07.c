/* 07.c - awaiting: functions that call functions and sleep inside */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

//- burn
static int calls; /* of any function by the loop */

struct burn {
    struct pt pt;
    int ms, fuel;
};

static PT_ASYNC(burn, self)
{
    calls++;
    if (self->fuel < self->ms)
        PT_RETURN(-70); /* a code of our own: not enough fuel */
    PT_WAIT(PT_MS(self->ms));
    calls++;
    self->fuel -= self->ms;
}
PT_END

//- deep
/* DEPTH + 1 functions between the loop and the one that sleeps. */
struct deep {
    struct pt pt;
    int depth;
    struct deep *below;
    struct burn burn;
};

static PT_ASYNC(deep, self)
{
    calls++;
    if (self->depth > 0)
        PT_TRY(self->below, deep, .depth = self->depth - 1, .below = self->below + 1);
    else
        PT_TRY(&self->burn, burn, .ms = 100, .fuel = 250);
    calls++;
}
PT_END

//- rocket
struct rocket {
    struct pt pt;
    struct burn burn;
    int n, fuel;
};

static PT_ASYNC(rocket, self)
{
    self->fuel = 250;
    for (self->n = 1; self->n <= 3; self->n++) {
        PT_TRY(&self->burn, burn, .ms = 100, .fuel = self->fuel);
        self->fuel = self->burn.fuel;
        printf("%d ms: burn %d, %d left\n", (int)(PT_NOW() / PT_MS(1)), self->n, self->fuel);
    }
}
PT_END

//- main
int main(void)
{
    static PT_TASK(rocket) soyuz;
    static PT_TASK(deep) deep;
    static struct deep levels[9];
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &soyuz, rocket);
    pt_loop_run(&loop);
    printf("the rocket ended with %d\n", soyuz.frame.pt.status);

    calls = 0;
    PT_START(&loop, &deep, deep, .depth = 9, .below = levels);
    pt_loop_turn(&loop, world.now);
    printf("to go to sleep below ten functions: %d calls; ", calls);
    calls = 0;
    pt_loop_run(&loop);
    printf("to wake and end: %d\n", calls);
    return 0;
}
