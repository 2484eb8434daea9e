/* echo_event.c - the echo server on libevent
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "listen.h"

#include <event2/event.h>

static struct event_base *base;

static void on_read(int fd, short events, void *argument)
{
    struct event **self = argument;
    char data[64];
    ssize_t got = read(fd, data, sizeof data);

    (void)events;
    if (got > 0 && write(fd, data, (size_t)got) == got)
        return;
    event_free((struct event *)self);
    close(fd);
}

static void on_connection(int listener, short events, void *argument)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);

    (void)events;
    (void)argument;
    event_add(event_new(base, fd, EV_READ | EV_PERSIST, on_read, event_self_cbarg()), NULL);
}

int main(void)
{
    base = event_base_new();
    event_add(event_new(base, bench_listen(), EV_READ | EV_PERSIST, on_connection, NULL), NULL);
    return event_base_dispatch(base);
}
