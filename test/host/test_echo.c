/* test_echo.c - the echo server of examples/, canceled in any turn, and without memory
 * SPDX-License-Identifier: MIT */
#include "host.h"

int echo_main(int argc, char **argv);
#define main echo_main
#include "../../examples/servers/echo.c"
#undef main

#include "any_turn.h"

START_TEST(echo_that_is_canceled_in_any_turn_closes_all_connections)
{
    any_turn_of_it(_i, HOST_accept, 0);
}
END_TEST

START_TEST(echo_without_memory_or_descriptors_in_any_turn_closes_all_connections)
{
    any_turn_of_it(_i, HOST_realloc, ENOMEM);
    any_turn_of_it(_i, HOST_accept4, EMFILE);
    any_turn_of_it(_i, HOST_accept, EMFILE);
    any_turn_of_it(_i, HOST_fcntl, EMFILE);
}
END_TEST

Suite *host_suite_echo(void)
{
    Suite *suite = suite_create("echo");

    host_test(suite, echo_that_is_canceled_in_any_turn_closes_all_connections);
    host_test(suite, echo_without_memory_or_descriptors_in_any_turn_closes_all_connections);
    return suite;
}
