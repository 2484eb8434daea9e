/* test_gateway.c - the gateway of examples/, canceled in any turn
 * SPDX-License-Identifier: MIT */
#include "../host.h"

int gateway_main(int argc, char **argv);
#define main gateway_main
#include "../../../examples/http/gateway.c"
#undef main

#include "../any_turn.h"

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

    host_test(suite, gateway_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
