/* leak.c - a server whose handlers do not end: each waits for an answer that is never sent
 * SPDX-License-Identifier: MIT */
#include "attach.h"

#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pt_loop loop;

struct request {
    struct pt pt;
    PT_CHANNEL(int) answer;
    bool lost;
    int value;
};

PT_ASYNC(request, self)
{
    pt_channel_init(&self->answer.channel, PT_PREFER_NEITHER);
    PT_WAIT(PT_MS(1));
    if (!self->lost)
        PT_RETURN(PT_OK);
    PT_RECV(&self->answer, &self->value);
}
PT_END

struct server {
    struct pt pt;
    int requests;
};

PT_ASYNC(server, self)
{
    for (; self->requests < 1000; self->requests++) {
        PT_SPAWN_NEW(request, .lost = self->requests % 10 == 0);
        PT_WAIT(PT_MS(1));
    }
    PT_WAIT(PT_SEC(1000));
}
PT_END

int main(void)
{
    static PT_TASK(server) task;
    struct pt_virtual world;
    pt_time now = 0;

    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    (void)!PT_START(&loop, &task, server, .requests = 0);
    while (now < PT_SEC(2))
        now = pt_loop_turn(&loop, now);
    puts("end");
    fflush(stdout);
    abort();
}
