/* servers.c - a test for pt-sim of each server of examples/: what SERVER and the others name, whatever happens
 * SPDX-License-Identifier: MIT
 *
 * Both clients end with status 0. Then the server has the descriptors that it had at first, and ends in order. A THIRD
 * machine is a client that reads for ever, or the server behind a proxy. */
#include "world.h"

#include <signal.h>

void world_test(struct world *world)
{
    struct world_machine *server = world_add(world, "server", SERVER, SERVER_WORDS), *clients[2],
                         *third;
    int descriptors;

    clients[0] = world_add(world, "one", CLIENT, CLIENT_WORDS);
    clients[1] = world_add(world, "other", CLIENT, CLIENT_WORDS);
    third = world_add(world, "third", THIRD, THIRD_WORDS);
    world_forward(server, 7008, third);
    world_start(server);
    world_run(world, 10 * WORLD_MS);
    descriptors = world_descriptors(server);
    world_start(third);
    world_run(world, 10 * WORLD_MS);
    world_start(clients[0]);
    world_start(clients[1]);
    world_disturb(world, 8, 4 * WORLD_S);
    for (int i = 0; i < 2; i++) {
        world_check(world, world_run_to_end(clients[i], 3600 * WORLD_S), "a client ends");
        world_check(world, world_status(clients[i]) == 0, "it has all answers");
    }
    world_run(world, 20 * WORLD_S);
    world_check(world, world_status(third) == -1, "the third goes on");
    world_signal(third, SIGKILL);
    world_run(world, 100 * WORLD_S);
    world_check(world, world_descriptors(server) == descriptors,
                "the server has closed all connections");
    world_signal(server, SIGTERM);
    world_check(world, world_run_to_end(server, 60 * WORLD_S), "the server ends");
    world_check(world, world_status(server) == 0, "it ends in order");
}
