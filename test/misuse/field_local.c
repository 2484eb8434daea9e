/* field_local.c - a field of an awaited frame, or of a spawned task, points to a local
 * SPDX-License-Identifier: MIT
 * No compiler sees it: only its address is used. The frame runs when the local is gone.
 * expect trap -DPT_DEBUG=1 AWAIT: body_pt_: what a field of the frame points to is a local
 * expect trap -DPT_DEBUG=1 SPAWN: body_pt_: what a field of the frame points to is a local
 * expect trap -DPT_DEBUG=1 FROM: body_pt_: what a field of the frame points to is a local
 * expect trap -DPT_DEBUG=1 WHEN_FREE: body_pt_: what a field of the frame points to is a local
 * expect trap -DPT_DEBUG=1 NEW: body_pt_: what a field of the frame points to is a local
 * expect output -DPT_DEBUG=1 MEMBER: ^hello 7 1\s+hello 7 1$ */
#include <pt/posix.h>
#include <stdio.h>
#include "chosen.h"

struct pair {
    int a, b;
};

struct say {
    struct pt pt;
    const char *text;
    int number;
    unsigned flag : 1;
    struct pair pair;
    void (*done)(void);
    double half;
};

PT_ASYNC(say, self)
{
    printf("%s %d %d\n", self->text, self->number, (int)self->flag);
}
PT_END

static PT_POOL(say, 2) says;

struct body {
    struct pt pt;
    char text[8];
    struct pair pair;
    struct say say;
};

PT_ASYNC(body, self)
{
    char text[8];

    (void)text;
    memcpy(self->text, "hello", 6);
    if (CHOSEN(AWAIT)) {
        memcpy(text, "hello", 6);
        PT_WAIT_COMPLETE(&self->say, say, .number = 1, .text = text);
    } else if (CHOSEN(SPAWN)) {
        static PT_TASK(say) task;

        memcpy(text, "hello", 6);
        PT_SPAWN(&task, say, .text = text, .number = 1);
    } else if (CHOSEN(FROM)) {
        memcpy(text, "hello", 6);
        PT_SPAWN_FROM(&says, say, .text = text, .number = 1);
    } else if (CHOSEN(WHEN_FREE)) {
        memcpy(text, "hello", 6);
        PT_SPAWN_WHEN_FREE(&says, say, .text = text, .number = 1);
    } else if (CHOSEN(NEW)) {
        memcpy(text, "hello", 6);
        PT_SPAWN_NEW(say, .text = text, .number = 1);
    } else {
        PT_SPAWN_FROM(&says, say, .text = self->text, .number = 7, .flag = 1);
        PT_WAIT_COMPLETE(&self->say, say, .text = self->text, .number = 7, .flag = 1, .pair = self->pair,
                         .done = NULL, .half = 0.5);
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(body) task;
    struct pt_loop loop;

    choose(argc, argv);
    pt_loop_open(&loop, &pt_posix);
    (void)PT_START(&loop, &task, body);
    (void)pt_loop_run(&loop);
    return 0;
}
