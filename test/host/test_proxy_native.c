/* test_proxy_native.c - the proxy on stacks of examples/, canceled in any turn
 * SPDX-License-Identifier: MIT */
#include "host.h"

int proxy_native_main(int argc, char **argv);
#define main proxy_native_main
#include "../../examples/servers/proxy-native.c"
#undef main

#include "any_turn.h"

START_TEST(proxy_native_that_is_canceled_in_any_turn_closes_all_connections)
{
    int held = any_target(&target);

    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    any_turn_of_it(_i, HOST_accept, 0);
    close(held);
}
END_TEST

Suite *host_suite_proxy_native(void)
{
    Suite *suite = suite_create("proxy_native");

    host_test(suite, proxy_native_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
