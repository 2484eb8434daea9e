/* test_long_poll.c - the server of requests that wait of examples/, canceled in any turn
 * SPDX-License-Identifier: MIT */
#include "../host.h"

int long_poll_main(int argc, char **argv);
#define main long_poll_main
#include "../../../examples/http/long-poll.c"
#undef main

#include "../any_turn.h"

START_TEST(long_poll_that_is_canceled_in_any_turn_closes_all_connections)
{
    any_turn_of_it(_i, HOST_accept, 0);
}
END_TEST

Suite *host_suite_long_poll(void)
{
    Suite *suite = suite_create("long_poll");

    host_test(suite, long_poll_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
