/* server.c - a whole server: it sends back what it receives, to 1,000 clients at a time
 * SPDX-License-Identifier: MIT
 *
 *     cc server.c $(pkg-config --cflags --libs pt) -o server && ./server 127.0.0.1:7007
 *     nc localhost 7007
 *
 * While all tasks of the pool are in use, the others wait in the listener's queue. At SIGTERM or
 * Ctrl-C no client comes any more, and the present ones have five seconds; each closes what it has. */
#include <pt/host.h>

#include <stdio.h>

struct echo {
    struct pt pt;
    struct pt_io io; /* its connection */
    struct pt_writer out;
    struct pt_write_all put;
    size_t got;
    char data[512];
};

static PT_ASYNC(echo, self)
{
    pt_writer_init(&self->out, pt_io_stream(&self->io), NULL, 0);
    for (;;) {
        PT_READ(&self->io, self->data, sizeof self->data, &self->got);
        if (self->pt.status != PT_OK)
            break; /* PT_ECLOSED: the client has ended */
        PT_TRY(&self->put, pt_write_all, .writer = &self->out, .data = self->data,
               .size = self->got);
    }
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(echo, 1000) clients;

static struct pt_task *start(struct pt_loop *loop, struct pt_io *peer, void *context)
{
    pt_status status = PT_START_FROM(loop, &clients, echo, .io = pt_io_take(peer));

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
    PT_START(&loop, &server, pt_serve, .listener = &listener, .start = start, .pool = &clients.pool,
             .grace = PT_SEC(5));
    pt_run_until_signal(&sys, &server.task);
    pt_system_close(&sys);
    return 0;
}
