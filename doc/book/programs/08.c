/* 08.c - waking and parking: the wake that came too early, and a join */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

//- mailbox
static int letter; /* 0: there is none */
static struct pt_task *writer;

struct reader {
    struct pt pt;
    int got;
};

static PT_ASYNC(reader, self)
{
    for (self->got = 0; self->got < 3; self->got++) {
        while (letter == 0) {
            PT_WAIT(PT_MS(10)); /* a rest: a wake in this time is remembered */
            PT_PARK();
        }
        printf("%d ms: read letter %d\n", (int)(PT_NOW() / PT_MS(1)), letter);
        letter = 0;
        pt_wake(writer); /* the box is empty */
    }
    PT_RETURN(3);
}
PT_END

static PT_TASK(reader) reader;

//- writer
struct writer {
    struct pt pt;
    int n;
};

static PT_ASYNC(writer, self)
{
    for (self->n = 1; self->n <= 3; self->n++) {
        while (letter != 0)
            PT_PARK();
        letter = self->n;
        pt_wake(&reader.task);
        PT_WAIT(PT_MS(5));
        pt_wake(&reader.task); /* once more, to be sure: a wake too many does no harm */
        PT_WAIT(PT_MS(30));
    }
}
PT_END

//- boss
struct boss {
    struct pt pt;
};

static PT_ASYNC(boss, self)
{
    PT_JOIN(&reader.task);
    printf("%d ms: the reader ended with %d\n", (int)(PT_NOW() / PT_MS(1)), self->pt.status);
    PT_PARK(); /* nothing will wake it */
}
PT_END

//- main
int main(void)
{
    static PT_TASK(writer) postman;
    static PT_TASK(boss) boss;
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &reader, reader);
    PT_START(&loop, &postman, writer);
    writer = &postman.task;
    PT_START(&loop, &boss, boss);
    printf("the loop: %s\n", pt_loop_run(&loop) == PT_EDEADLK ? "PT_EDEADLK" : "PT_OK");
    return 0;
}
