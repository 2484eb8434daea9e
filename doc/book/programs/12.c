/* 12.c - a stack of one's own: the same loop runs a function with ordinary locals and recursion */
#define _XOPEN_SOURCE 700
#include "pt.h"
#include "native.h"
#include "virtual.h"
#include <stdio.h>

//- hanoi
/* Locals that survive, and waits at every depth: only a stack can do this. */
static void hanoi(struct native *self, int discs, char from, char to, char spare)
{
    if (discs == 0)
        return;
    hanoi(self, discs - 1, from, spare, to);
    native_wait(self, PT_MS(100));
    printf("move disc %d from %c to %c\n", discs, from, to);
    hanoi(self, discs - 1, spare, to, from);
}

static void tower(struct native *self)
{
    hanoi(self, *(const int *)self->argument, 'A', 'C', 'B');
}

//- clock
struct clock {
    struct pt pt;
    int n;
};

static PT_ASYNC(clock, self)
{
    for (self->n = 0; self->n < 3; self->n++) {
        PT_WAIT(PT_MS(250));
        printf("        %d ms\n", (int)(PT_NOW() / PT_MS(1)));
    }
}
PT_END

//- main
int main(void)
{
    static PT_TASK(native) mover;
    static PT_TASK(clock) clock;
    static struct pt_virtual world;
    static struct pt_loop loop;
    static int discs = 3;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &mover, native, .body = tower, .argument = &discs);
    PT_START(&loop, &clock, clock);
    printf("the loop: %d\n", pt_loop_run(&loop));
    return 0;
}
