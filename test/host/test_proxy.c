/* test_proxy.c - the proxy of examples/, canceled in any turn
 * SPDX-License-Identifier: MIT */
#include "host.h"

int proxy_main(int argc, char **argv);
#define main proxy_main
#include "../../examples/servers/proxy.c"
#undef main

#include "any_turn.h"

START_TEST(proxy_that_is_canceled_in_any_turn_closes_all_connections)
{
    int held = any_target(&target);

    any_turn_of_it(_i, HOST_accept, 0);
    close(held);
}
END_TEST

Suite *host_suite_proxy(void)
{
    Suite *suite = suite_create("proxy");

    host_test(suite, proxy_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
