/* 09.c - cancel: each function that began cleans up, the innermost first */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

//- valve
struct valve {
    struct pt pt;
};

static PT_ASYNC(valve, self)
{
    printf("valve open\n");
    PT_WAIT(PT_MS(1000));
    printf("never printed\n");

    PT_FINALLY
    printf("valve closes ...\n");
    PT_WAIT(PT_MS(50)); /* a cleanup can wait */
    printf("valve closed\n");
}
PT_END

//- engine
struct engine {
    struct pt pt;
    struct valve valve;
};

static PT_ASYNC(engine, self)
{
    printf("engine on\n");
    PT_WAIT_COMPLETE(&self->valve, valve);
    printf("never printed\n");

    PT_FINALLY
    printf("engine off\n");
}
PT_END

//- guard
static PT_TASK(engine) engine;

struct guard {
    struct pt pt;
};

static PT_ASYNC(guard, self)
{
    PT_WAIT(PT_MS(200));
    printf("%d ms: cancel\n", (int)(PT_NOW() / PT_MS(1)));
    pt_cancel(&engine.task, PT_ECANCELED);
    PT_JOIN(&engine.task);
    printf("%d ms: the engine ended with %d\n", (int)(PT_NOW() / PT_MS(1)), self->pt.status);
}
PT_END

//- main
int main(void)
{
    static PT_TASK(guard) guard;
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &engine, engine);
    PT_START(&loop, &guard, guard);
    pt_loop_run(&loop);
    return 0;
}
