/* echo_pt.c - the echo server on pt
 * SPDX-License-Identifier: MIT
 *
 * With -DLIMIT a connection may be idle for 30 s; with -DSPIN the loop spins before it sleeps; with
 * -DPOLLER='"io_uring"' it uses that poller.
 *
 * All tasks read into one buffer, which is larger than a request: a read that returns less than
 * that has drained the socket. So an idle connection has no buffer, and a request costs a small
 * copy. */
#include "listen.h"

#include <pt/host.h>

#include <stdlib.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_io listener, peer;
static char arrived[4096];
static size_t got, put;

struct echo {
    struct pt pt;
    struct pt_io io;
    char *answer;
    size_t size;
#ifdef LIMIT
    struct pt_scope limit;
#endif
};

#ifdef LIMIT
#define LIMITED(self) PT_WITH_TIMEOUT(&(self)->limit, PT_SEC(30))
#else
#define LIMITED(self)
#endif

/* While the answer is being written, the task keeps a copy of its own. */
static void keep(struct echo *self)
{
    self->answer = malloc(got);
    self->size = got;
    memcpy(self->answer, arrived, got);
}

/* Like the epoll server: a client that does not accept its answer is not served further. */
static bool sent(struct echo *self)
{
    free(self->answer);
    self->answer = NULL;
    return self->pt.status == PT_OK && put == self->size;
}

static PT_ASYNC(echo, self)
{
    do {
        LIMITED(self)
        {
            PT_READ(&self->io, arrived, sizeof arrived, &got);
        }
        if (self->pt.status != PT_OK)
            break;
        keep(self);
        PT_WRITE(&self->io, self->answer, self->size, &put);
    } while (sent(self));
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

#ifndef POLLER
#define POLLER NULL
#endif

struct server {
    struct pt pt;
};

static PT_ASYNC(server, self)
{
    for (;;) {
        PT_ACCEPT(&listener, &peer);
        PT_SPAWN_NEW(echo, .io = pt_io_take(&peer));
        pt_io_close(&peer);
    }
}
PT_END

int main(void)
{
    static PT_TASK(server) server;

    if (pt_system_open(&sys, &loop, POLLER) != PT_OK)
        return 1;
#ifdef SPIN
    pt_system_spin(&sys, PT_US(100));
#endif
    if (pt_io_open(&listener, &sys, bench_listen()) != PT_OK)
        return 1;
    PT_START(&loop, &server, server);
    return pt_loop_run(&loop) != PT_OK;
}
