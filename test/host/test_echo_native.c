/* test_echo_native.c - the echo server on stacks of examples/, canceled in any turn
 * SPDX-License-Identifier: MIT */
#include "host.h"

int echo_native_main(int argc, char **argv);
#define main echo_native_main
#include "../../examples/servers/echo-native.c"
#undef main

#include "any_turn.h"

START_TEST(echo_native_that_is_canceled_in_any_turn_closes_all_connections)
{
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_GUARDED);
    any_turn_of_it(_i, HOST_accept, 0);
}
END_TEST

Suite *host_suite_echo_native(void)
{
    Suite *suite = suite_create("echo_native");

    host_test(suite, echo_native_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
