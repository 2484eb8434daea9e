/* echo_pt.c - the echo server in question: echo_pt [timeout|spin]
 * SPDX-License-Identifier: MIT */
#include "listen.h"

#include <pt/stream.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_io listener;
static bool timed;

struct echo {
    struct pt pt;
    struct pt_io io, *from;
    struct pt_scope limit;
    size_t got, put;
    char data[64];
};

static PT_ASYNC(echo, self)
{
    pt_io_move(&self->io, self->from);
    if (timed) {
        do
            PT_WITH_TIMEOUT(&self->limit, PT_SEC(30)) {
                PT_READ(&self->io, self->data, sizeof self->data, &self->got);
                if (self->pt.status == PT_OK)
                    PT_WRITE(&self->io, self->data, self->got, &self->put);
            }
        while (self->pt.status == PT_OK);
    } else {
        do {
            PT_READ(&self->io, self->data, sizeof self->data, &self->got);
            if (self->pt.status == PT_OK)
                PT_WRITE(&self->io, self->data, self->got, &self->put);
        } while (self->pt.status == PT_OK);
    }
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

struct server {
    struct pt pt;
    struct pt_io peer;
};

static PT_ASYNC(server, self)
{
    for (;;) {
        PT_ACCEPT(&listener, &self->peer);
        PT_SPAWN_NEW(echo, .from = &self->peer);
        while (self->peer.system)
            PT_YIELD();
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;

    timed = argc > 1 && !strcmp(argv[1], "timeout");
    pt_system_open(&sys, &loop, NULL);
    if (argc > 1 && !strcmp(argv[1], "spin"))
        pt_system_spin(&sys, PT_US(50));
    if (pt_io_open(&listener, &sys, bench_listen()) != PT_OK)
        return 1;
    PT_START(&loop, &server, server);
    return pt_loop_run(&loop) != PT_OK;
}
