/* server.c - a whole server: it sends back what it receives, to 1,000 clients at a time
 * SPDX-License-Identifier: MIT
 *
 *     cc server.c $(pkg-config --cflags --libs pt) -o server && ./server 7007
 *     nc localhost 7007
 *
 * What to notice:
 *   - The pool limits the connections. While all its tasks are in use the server holds one accepted
 *     client, and the others wait in the listener's queue.
 *   - The server hands each connection over: pt_io_take moves it into the frame of the new task. So
 *     each has one owner at any time, which closes it.
 *   - SIGTERM, or Ctrl-C, ends it: it cancels all tasks, each runs its PT_FINALLY, where it closes what
 *     it has opened, and the loop has no task left. */
#include <pt/host.h>

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct server {
    struct pt pt;
    struct pt_io listener, peer;
};

static PT_POOL(echo, 1000) clients;

static PT_ASYNC(server, self)
{
    for (;;) {
        PT_ACCEPT(&self->listener, &self->peer);
        if (self->pt.status != PT_OK)
            break;
        PT_SPAWN_WHEN_FREE(&clients, echo, .io = pt_io_take(&self->peer));
        pt_io_close(&self->peer); /* of no effect, unless no task could start */
    }
    PT_FINALLY
    pt_io_close(&self->peer);
    pt_io_close(&self->listener);
}
PT_END

/* Waits for a signal, and then ends all tasks. */
struct ender {
    struct pt pt;
    struct pt_loop *loop;
    struct pt_signals signals;
    int number;
};

static PT_ASYNC(ender, self)
{
    PT_WAIT_SIGNAL(&self->signals, &self->number);
    pt_loop_cancel(self->loop, PT_ECANCELED);
    PT_FINALLY
    pt_signals_close(&self->signals);
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(server) server;
    static PT_TASK(ender) ender;
    struct sockaddr_in address = {0};
    char *end = "";
    long port = argc > 1 ? strtol(argv[1], &end, 10) : 7007;
    struct pt_system sys;
    struct pt_loop loop;
    pt_status status;
    int error;

    if (argc > 2 || port < 1 || port > 65535 || *end) {
        fprintf(stderr, "usage: server [PORT]    1 to 65535; 7007\n");
        return 2;
    }
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK); /* INADDR_ANY: also for other machines */
    if ((status = pt_system_open(&sys, &loop, NULL)) != PT_OK ||
        (status = pt_listen(&server.frame.listener, &sys, (const struct sockaddr *)&address,
                            sizeof address, false)) != PT_OK ||
        (status = pt_signals_open(&ender.frame.signals, &sys)) != PT_OK ||
        (status = pt_signals_watch(&ender.frame.signals, SIGTERM)) != PT_OK ||
        (status = pt_signals_watch(&ender.frame.signals, SIGINT)) != PT_OK ||
        (status = PT_START(&loop, &ender, ender, PT_KEEP, .loop = &loop)) != PT_OK ||
        (status = PT_START(&loop, &server, server, PT_KEEP)) != PT_OK) {
        error = server.frame.listener.error ? server.frame.listener.error : errno;
        fprintf(stderr, "server: port %ld: %s\n", port,
                status == PT_EIO ? strerror(error) : pt_status_text(status));
        return 1;
    }
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
