/* any_turn.h - a server of examples/ that is canceled in any of its turns, while clients come
 * SPDX-License-Identifier: MIT
 *
 * The file that includes this has included the server before, with another name for its main. */
#ifndef ANY_TURN_H
#define ANY_TURN_H

#include "host.h"

#include <netinet/in.h>

/* Cancels all tasks of the loop in its turn TURNS. */
struct any_turn {
    struct pt pt;
    struct pt_io *listener;
    int turns;
};

static PT_ASYNC(any_turn, self)
{
    while (self->turns-- > 0)
        PT_YIELD();
    pt_loop_cancel(pt_current_->loop, PT_ECANCELED);
    pt_io_close(self->listener);
}
PT_END

enum { ANY_TURNS = 16, ANY_CLIENTS = 3 };

static inline void any_clients(const struct pt_io *listener, int there[ANY_CLIENTS])
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;

    ck_assert_int_eq(getsockname(listener->fd, (struct sockaddr *)&address, &length), 0);
    for (int i = 0; i < ANY_CLIENTS; i++) {
        there[i] = socket(AF_INET, SOCK_STREAM, 0);
        ck_assert_int_eq(connect(there[i], (struct sockaddr *)&address, length), 0);
        host_put(there[i], i ? "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n" : "GET /");
    }
}

/* Whose addresses the servers that have a target are given: it accepts nothing. */
static inline int any_target(int *port)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, length), 0);
    ck_assert_int_eq(listen(listener, ANY_CLIENTS), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return listener;
}

#ifdef SERVE_H
/* Check that the server leaves no descriptor open, whenever it is canceled. If ERROR is not 0, a call
 * of KIND fails. */
static inline void any_turn_of_it(int poller, enum host_call kind, int error)
{
    static char *words[] = {(char *)(uintptr_t) "test"};
    static PT_TASK(server) server;
    static PT_TASK(any_turn) end;
    int before = host_descriptors(), there[ANY_CLIENTS];

    setenv("PT_POLLER", host_pollers[poller], 1);
    for (int turns = 0; turns < ANY_TURNS; turns++) {
        host.now = HOST_START;
        host.real = false;
        serve_open(1, words, "", NULL, 0);
        any_clients(&serve_listener, there);
        host.tick = PT_US(60); /* so that the poller is asked while tasks are ready */
        PT_START(&serve_loop, &server, server);
        PT_START(&serve_loop, &end, any_turn, .listener = &serve_listener, .turns = turns);
        if (error)
            host_fail(kind, turns % 4, 1, error);
        ck_assert_int_eq(serve_run(), 0);
        host.fault.times = 0;
        host.tick = 0;
        host.real = true;
        for (int i = 0; i < ANY_CLIENTS; i++)
            close(there[i]);
        trace_take();
        ck_assert_int_eq(host_descriptors(), before);
    }
}
#endif

#endif
