/* connections.c - a server with many connections to itself, each of which waits to read
 * SPDX-License-Identifier: MIT
 *
 *     connections COUNT [native]     prints "end", then waits in its loop; native: each connection reads on a stack */
#include "attach.h"

#include <pt/host.h>
#include <pt/host/native_io.h>

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

static struct pt_stacks stacks;

struct talker {
    struct pt pt;
    struct pt_io io;
    void *stack;
    struct pt_native body;
};

__attribute__((noinline)) static pt_status hear(struct pt_native *self, char *data, size_t bytes)
{
    struct talker *talker = self->argument;
    size_t got;
    pt_status status = pt_native_read(self, &talker->io, data, bytes, &got);

    __asm__ volatile("" : "+r"(status));
    return status;
}

static pt_status talk(struct pt_native *self)
{
    char data[64];
    pt_status status = hear(self, data, sizeof data);

    __asm__ volatile("" : "+r"(status));
    return status;
}

PT_ASYNC(talker, self)
{
    self->stack = pt_stack_take(&stacks, "talker");
    PT_WAIT_COMPLETE(&self->body, pt_native, .function = talk, .argument = self,
                     .stack = self->stack, .bytes = stacks.bytes);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

struct server {
    struct pt pt;
    struct pt_io listener, peer;
    int count, most;
    bool native;
};

PT_ASYNC(server, self)
{
    while (self->count < self->most) {
        PT_ACCEPT(&self->listener, &self->peer);
        if (self->native)
            PT_SPAWN_NEW(talker, .io = pt_io_take(&self->peer));
        else
            PT_SPAWN_NEW(connection, .io = pt_io_take(&self->peer));
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
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_GUARDED);
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
    (void)!PT_START(&loop, &serving, server, PT_KEEP, .count = 0,
                    .most = count > 1 ? atoi(arguments[1]) : 10, .native = count > 2);
    connect_all(&address, serving.frame.most);
    pt_loop_run(&loop);
    return EXIT_SUCCESS;
}
