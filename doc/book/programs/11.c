/* 11.c - the outside world: a descriptor, and an interrupt */
#define _POSIX_C_SOURCE 200809L
#include "pt.h"
#include "outside.h"
#include <stdio.h>

static struct outside world;
static struct bell bell;
static int line[2]; /* a pipe: what is written into [1] comes out of [0] */

//- interrupt
static void on_signal(int number)
{
    (void)number;
    bell_ring(&bell);
}

//- reader
struct reader {
    struct pt pt;
    char text[32];
    ssize_t length;
};

static PT_ASYNC(reader, self)
{
    for (;;) {
        PT_READABLE(&world, line[0]);
        self->length = read(line[0], self->text, sizeof self->text);
        if (self->length <= 0)
            break;
        printf("read: %.*s\n", (int)self->length, self->text);
    }
    printf("end of input\n");
    raise(SIGUSR1); /* an interrupt, in the middle of a step */
    printf("the step continues\n");
}
PT_END

//- typist
struct typist {
    struct pt pt;
};

static PT_ASYNC(typist, self)
{
    PT_WAIT(PT_MS(20));
    (void)!write(line[1], "hello", 5);
    PT_WAIT(PT_MS(20));
    (void)!write(line[1], "world", 5);
    PT_WAIT(PT_MS(20));
    close(line[1]);
}
PT_END

//- listener
struct listener {
    struct pt pt;
};

static PT_ASYNC(listener, self)
{
    PT_PARK();
    printf("the bell rang\n");
}
PT_END

//- main
int main(void)
{
    static PT_TASK(reader) reader;
    static PT_TASK(typist) typist;
    static PT_TASK(listener) listener;
    static struct pt_loop loop;

    if (pipe(line))
        return 1;
    outside_open(&world);
    bell.task = &listener.task;
    signal(SIGUSR1, on_signal);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &reader, reader);
    PT_START(&loop, &typist, typist);
    PT_START(&loop, &listener, listener);
    while (loop.live) {
        pt_time next;

        bell_answer(&bell);
        next = pt_loop_turn(&loop, outside_now_(NULL));
        if (loop.live && !loop.ready.first)
            world.port.idle(&world, loop.now, next);
    }
    return 0;
}
