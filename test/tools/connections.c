/* connections.c - a server with many connections to itself, each of which waits to read
 * SPDX-License-Identifier: MIT
 *
 *     connections COUNT      prints "end", then waits in its loop */
#include "attach.h"

#include <pt/host.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct pt_loop loop;
static struct pt_system sys;

struct connection {
    struct pt pt;
    struct pt_io io;
    size_t got;
    char data[64];
};

PT_ASYNC(connection, self)
{
    PT_READ(&self->io, self->data, sizeof self->data, &self->got);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

struct server {
    struct pt pt;
    struct pt_io listener, peer;
    int count, most;
};

PT_ASYNC(server, self)
{
    while (self->count < self->most) {
        PT_ACCEPT(&self->listener, &self->peer);
        PT_SPAWN_NEW(connection, .got = 0);
        pt_io_move(&PT_HEAP_FRAME_(loop.last_allocated, connection)->io, &self->peer);
        self->count++;
    }
    PT_YIELD();
    puts("end");
    fflush(stdout);
    PT_ACCEPT(&self->listener, &self->peer);
}
PT_END

static PT_TASK(server) serving;

static void connect_all(const struct sockaddr_in *address, int count)
{
    while (count--) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

        (void)connect(fd, (const struct sockaddr *)address, sizeof *address);
        for (int turn = 0; turn < 2; turn++)
            (void)pt_loop_turn(&loop, sys.port.turn(sys.port.context));
    }
}

int main(int count, char **arguments)
{
    struct rlimit most;
    struct sockaddr_in address;
    socklen_t length = sizeof address;

    let_attach();
    getrlimit(RLIMIT_NOFILE, &most);
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (pt_system_open(&sys, &loop, NULL) != PT_OK ||
        pt_listen(&serving.frame.listener, &sys, (struct sockaddr *)&address, length, false) !=
            PT_OK ||
        getsockname(serving.frame.listener.fd, (struct sockaddr *)&address, &length))
        return EXIT_FAILURE;
    (void)!PT_START(&loop, &serving, server, .count = 0,
                    .most = count > 1 ? atoi(arguments[1]) : 10);
    connect_all(&address, serving.frame.most);
    pt_loop_run(&loop);
    return EXIT_SUCCESS;
}
