/* echo_ev.c - the echo server on libev
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "listen.h"

#include <ev.h>
#include <stdlib.h>

static void on_read(struct ev_loop *loop, ev_io *watcher, int events)
{
    char data[64];
    ssize_t got = read(watcher->fd, data, sizeof data);

    (void)events;
    if (got > 0 && write(watcher->fd, data, (size_t)got) == got)
        return;
    ev_io_stop(loop, watcher);
    close(watcher->fd);
    free(watcher);
}

static void on_connection(struct ev_loop *loop, ev_io *listener, int events)
{
    ev_io *watcher = malloc(sizeof *watcher);

    (void)events;
    ev_io_init(watcher, on_read, accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK), EV_READ);
    ev_io_start(loop, watcher);
}

int main(void)
{
    struct ev_loop *loop = ev_default_loop(EVBACKEND_EPOLL);
    ev_io listener;

    ev_io_init(&listener, on_connection, bench_listen(), EV_READ);
    ev_io_start(loop, &listener);
    return ev_run(loop, 0);
}
