/* test_gateway.c - what the clients of the gateway of examples/ get
 * SPDX-License-Identifier: MIT */
#include "host.h"

int gateway_main(int argc, char **argv);
#define main gateway_main
#include "../../examples/servers/gateway.c"
#undef main

#include "any_turn.h"

static struct serve_next from;
static PT_TASK(connection) task;
static int listener, ends[2];
static char got[512];

/* The other server answers when the client has room for no more. The client reads when the answer is there. */
struct other {
    struct pt pt;
};

static PT_ASYNC(other, self)
{
    int asked;

    (void)self;
    while (host.room)
        PT_YIELD();
    asked = accept(listener, NULL, NULL);
    host_put(asked, "HTTP/1.0 200 OK\r\n\r\nhello");
    close(asked);
    while (pt_task_alive(&task.frame.ask.task))
        PT_YIELD();
    host.narrow = 0;
    ck_assert_int_eq(read(ends[1], got, sizeof got), 10);
}
PT_END

/* A client has shut down its writing side, so that it gets signs that it is waited for; it has room for 10
 * bytes of one. */
START_TEST(a_sign_that_is_written_in_part_is_finished_before_the_reply)
{
    static PT_TASK(other) answers;
    const struct pt_address address = serve_address(0);
    struct sockaddr_in name;
    socklen_t length = sizeof name;

    listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (const struct sockaddr *)&address.name, address.length), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)(void *)&name, &length), 0);
    target = ntohs(name.sin_port);
    ck_assert_int_eq(pt_system_open(&serve_system, &serve_loop, host_pollers[_i]), PT_OK);
    host_pair(ends);
    serve_clients_init(&serve_clients);
    from.clients = &serve_clients;
    ck_assert_int_eq(pt_io_open(&from.peer, &serve_system, ends[0]), PT_OK);
    host_put(ends[1], "GET /x HTTP/1.1\r\nConnection: close\r\n\r\n");
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0);
    host.now = HOST_START;
    host.tick = PT_US(60); /* so that the poller is asked while tasks are ready */
    host.real = false;
    host.narrow = ends[0];
    host.room = 10;
    PT_START(&serve_loop, &task, connection, .client = serve_take(&from));
    PT_START(&serve_loop, &answers, other);
    ck_assert_int_eq(pt_loop_run(&serve_loop), PT_OK);
    host.real = true;
    host.tick = 0;
    ck_assert_int_gt(read(ends[1], got + 10, sizeof got - 10), 0);
    ck_assert_ptr_eq(strstr(got, "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"), got);
    close(ends[1]);
    close(listener);
    pt_system_close(&serve_system);
}
END_TEST

START_TEST(gateway_that_is_canceled_in_any_turn_closes_all_connections)
{
    int held = any_target(&target);

    any_turn_of_it(_i, HOST_accept, 0);
    close(held);
}
END_TEST

Suite *host_suite_gateway(void)
{
    Suite *suite = suite_create("gateway");

    host_test(suite, a_sign_that_is_written_in_part_is_finished_before_the_reply);
    host_test(suite, gateway_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
