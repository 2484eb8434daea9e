/* test.c - echo.c answers its client and leaves no connection open, whatever happens to them: a test for pt-sim
 * SPDX-License-Identifier: MIT
 *
 *     CFLAGS=-Iexamples/servers pt-sim --world examples/world/test.c examples/servers/echo.c examples/world/asker.c */
#include "world.h"

void world_test(struct world *world)
{
    struct world_machine *server = world_add(world, "server", "echo.so", "--port 7007 --idle 10");
    struct world_machine *client = world_add(world, "client", "asker.so", "10.0.0.1 7007 {60}");
    int descriptors;

    world_start(server);
    world_run(world, 10 * WORLD_MS);
    descriptors = world_descriptors(server);
    world_start(client);
    world_disturb(world, 8, 2 * WORLD_S);
    world_check(world, world_run_to_end(client, 600 * WORLD_S), "the client ends");
    world_check(world, world_status(client) == 0, "it has all answers");
    world_run(world, 30 * WORLD_S);
    world_check(world, world_descriptors(server) == descriptors,
                "the server has closed all connections");
}
