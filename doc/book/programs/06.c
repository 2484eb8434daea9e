/* 06.c - opcodes: a body asks, a loop does; and another loop does something else */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

//- tasks
struct stage {
    struct pt pt;
    int ms;
};

static PT_ASYNC(stage, self)
{
    PT_WAIT(PT_MS(self->ms));
    printf("%d ms: stage off\n", (int)(PT_NOW() / PT_MS(1)));
}
PT_END

struct rocket {
    struct pt pt;
    PT_TASK(stage) booster;
};

static PT_ASYNC(rocket, self)
{
    printf("lift-off\n");
    PT_SPAWN(&self->booster, stage, .ms = 120);
    PT_YIELD();
    PT_WAIT(PT_MS(500));
    printf("%d ms: orbit\n", (int)(PT_NOW() / PT_MS(1)));
}
PT_END

//- trace
/* A loop of our own: it carries out nothing, and prints what the body asks for. */
static void trace(struct pt *frame, struct pt_task *task)
{
    static const char *const names[] = {"DONE", "YIELD", "WAIT", "SPAWN"};
    pt_op op;

    do {
        op = frame->fn(frame, task);
        printf("asks for %s\n", names[op.code]);
    } while (op.code != PT_OP_DONE);
}

//- main
int main(void)
{
    static PT_TASK(rocket) soyuz;
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    soyuz.task.loop = &loop;
    PT_INIT(&soyuz.frame, rocket);
    trace(&soyuz.frame.pt, &soyuz.task);

    PT_START(&loop, &soyuz, rocket);
    printf("the loop: %d\n", pt_loop_run(&loop));
    return 0;
}
