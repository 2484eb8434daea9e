/* server-native.c - server.c with an ordinary function, on a stack of its own, for each connection
 * SPDX-License-Identifier: MIT
 *
 *     cc server-native.c $(pkg-config --cflags --libs pt) -o server && ./server 127.0.0.1:7007
 *     nc localhost 7007
 *
 * The pool limits the clients, and the end gives them five seconds, as in server.c. */
#include <pt/host.h>
#include <pt/net/native_net.h>

#include <stdio.h>

static struct pt_stacks stacks;

static pt_status echo(struct pt_native *self)
{
    struct pt_io *io = (struct pt_io *)self->argument;
    struct pt_writer out;
    char data[512];
    size_t got;
    pt_status status;

    pt_writer_init(&out, pt_io_stream(io), NULL, 0);
    while ((status = pt_native_read(self, io, data, sizeof data, &got)) == PT_OK &&
           (status = pt_native_write_all(self, &out, data, got)) == PT_OK) {
    }
    return status; /* PT_ECLOSED: the client has ended */
}

static PT_POOL(pt_native_connection, 1000) clients;

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    pt_status status = PT_START_FROM(loop, &clients, pt_native_connection, .io = pt_io_take(peer),
                                     .function = echo, .stacks = &stacks);

    (void)context;
    return status == PT_OK ? &clients.taken->task : NULL;
}

int main(int argc, char **argv)
{
    static PT_TASK(pt_serve) server;
    const char *at = argc > 1 ? argv[1] : "127.0.0.1:7007";
    struct pt_io listener = {0};
    struct pt_system sys;
    struct pt_loop loop;
    pt_status status;

    if ((status = pt_system_open(&sys, &loop, NULL)) != PT_OK ||
        (status = pt_listen_at(&listener, &sys, at)) != PT_OK) {
        fprintf(stderr, "server: %s: %s\n", at, pt_io_error_text(&listener, status));
        pt_system_close(&sys);
        return 1;
    }
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_GUARDED);
    PT_START(&loop, &server, pt_serve, .listener = &listener, .start = start, .pool = &clients.pool,
             .grace = PT_SEC(5));
    pt_run_until_signal(&sys, &server.task);
    pt_stacks_close(&stacks);
    pt_system_close(&sys);
    return 0;
}
