/* signalled.c - tasks of a server that wait for this and that; SIGUSR1 prints them
 * SPDX-License-Identifier: MIT
 *
 *     signalled [SOCKET]       it also serves them there */
#include "attach.h"

#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pt_loop loop;
static struct pt_system sys;
static struct pt_lock lock;
static PT_CHANNEL(int) letters;

struct reader {
    struct pt pt;
    struct pt_io io;
    size_t got;
    char data[8];
};

PT_ASYNC(reader, self)
{
    PT_READ(&self->io, self->data, sizeof self->data, &self->got);
}
PT_END

struct locker {
    struct pt pt;
};

PT_ASYNC(locker, self)
{
    PT_LOCK(&lock);
    PT_WAIT(PT_SEC(1000));
}
PT_END

struct caller {
    struct pt pt;
    struct pt_scope limit;
    struct locker locker;
};

PT_ASYNC(caller, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(1000)) {
        PT_WAIT_COMPLETE(&self->locker, locker);
    }
}
PT_END

struct receiver {
    struct pt pt;
    int value;
};

PT_ASYNC(receiver, self)
{
    PT_RECV_EACH(&letters, &self->value) {
    }
}
PT_END

struct parent {
    struct pt pt;
    struct pt_group group;
    PT_TASK(receiver) first, second;
};

PT_ASYNC(parent, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        PT_SPAWN_IN(&self->group, &self->first, receiver);
        PT_SPAWN_IN(&self->group, &self->second, receiver);
    }
}
PT_END

struct ready {
    struct pt pt;
};

/* The others are in their places when it comes to its end. */
PT_ASYNC(ready, self)
{
    PT_YIELD();
    PT_YIELD();
    puts("end");
    fflush(stdout);
    PT_PARK();
}
PT_END

static PT_TASK(reader) reading;
static PT_TASK(locker) holding;
static PT_TASK(caller) calling;
static PT_TASK(parent) family;
static PT_TASK(ready) last;

int main(int argc, char **argv)
{
    static struct pt_live live;
    static struct pt_gauge gauge;
    static const unsigned readers = 1;
    int ends[2];

    let_attach();
    pt_lock_init(&lock);
    pt_channel_init(&letters.channel, PT_PREFER_NEITHER);
    if (pipe(ends) || pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_dump_on_signal(&sys, SIGUSR1) != PT_OK ||
        pt_io_open(&reading.frame.io, &sys, ends[0]) != PT_OK ||
        (argc > 1 && pt_live_open(&live, &sys, argv[1]) != PT_OK))
        return EXIT_FAILURE;
    pt_live_gauge(&live, &gauge, "readers", &readers);
    (void)!PT_START(&loop, &reading, reader, PT_KEEP, .got = 0);
    (void)!PT_START(&loop, &holding, locker);
    (void)!PT_START(&loop, &calling, caller);
    (void)!PT_START(&loop, &family, parent);
    (void)!PT_START(&loop, &last, ready);
    pt_loop_run(&loop);
    return EXIT_SUCCESS;
}
