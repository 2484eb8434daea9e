/* test_whole.c - examples/server.c, canceled in any turn; its pool is full, or too small for all
 * SPDX-License-Identifier: MIT */
#include "host.h"

int whole_main(int argc, char **argv);
#define main whole_main
#include "../../examples/server.c"
#undef main

#include "any_turn.h"

/* Take all items of the pool but FREE, as connections do. */
static void fill(unsigned free)
{
    memset(&clients, 0, sizeof clients);
    pt_pool_owner_(&clients.pool);
    clients.pool.opened = clients.pool.used =
        (unsigned)(sizeof clients.items / sizeof clients.items[0]) - free;
}

static void cancel_in_turn(int poller, int turns, unsigned free)
{
    static PT_TASK(pt_serve) server;
    static PT_TASK(any_turn) end;
    int there[ANY_CLIENTS];
    struct pt_io listener;

    host_open(host_pollers[poller]);
    ck_assert_int_eq(pt_listen_at(&listener, &host.system, "127.0.0.1:0"), PT_OK);
    any_clients(&listener, there);
    host.tick = PT_US(60); /* so that the poller is asked while tasks are ready */
    fill(free);
    PT_START(&host.loop, &server, pt_serve, .listener = &listener, .start = start,
             .pool = &clients.pool);
    PT_START(&host.loop, &end, any_turn, .listener = &listener, .turns = turns);
    ck_assert_int_eq(pt_loop_run(&host.loop), PT_OK);
    host.tick = 0;
    for (int i = 0; i < ANY_CLIENTS; i++)
        close(there[i]);
    host_close();
}

START_TEST(the_whole_server_that_is_canceled_in_any_turn_closes_all_connections)
{
    int before = host_descriptors();

    for (unsigned free = 0; free <= ANY_CLIENTS; free++)
        for (int turns = 0; turns < ANY_TURNS; turns++) {
            cancel_in_turn(_i, turns, free);
            ck_assert_int_eq(host_descriptors(), before);
        }
}
END_TEST

Suite *host_suite_whole(void)
{
    Suite *suite = suite_create("whole");

    host_test(suite, the_whole_server_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
