/* test_gateway_native.c - the gateway on stacks of examples/, canceled in any turn
 * SPDX-License-Identifier: MIT */
#include "../host.h"

int gateway_native_main(int argc, char **argv);
#define main gateway_native_main
#include "../../../examples/http/gateway-native.c"
#undef main

#include "../any_turn.h"

START_TEST(gateway_native_that_is_canceled_in_any_turn_closes_all_connections)
{
    int held = any_target(&target);

    pt_stacks_init(&stacks, 32 << 10, PT_STACKS_GUARDED);
    any_turn_of_it(_i, HOST_accept, 0);
    close(held);
}
END_TEST

Suite *host_suite_gateway_native(void)
{
    Suite *suite = suite_create("gateway_native");

    host_test(suite, gateway_native_that_is_canceled_in_any_turn_closes_all_connections);
    return suite;
}
