/* supervised.c - a test for pt-sim: a server that is started again and again, by examples/system/supervisor.c
 * SPDX-License-Identifier: MIT
 *
 * The clients have all answers, whichever of its processes is killed, and the supervisor ends when it is asked to. A
 * program whose supervisor was killed goes on, and has the port: no other one is left. */
#include "world.h"

#include <signal.h>

void world_test(struct world *world)
{
    struct world_machine *server =
        world_add(world, "server", "supervisor.so", "1000 echo --port 7007 --idle 10");
    struct world_machine *clients[2];

    clients[0] = world_add(world, "one", "asker.so", "10.0.0.1 7007 {60}");
    clients[1] = world_add(world, "other", "asker.so", "10.0.0.1 7007 {60}");
    world_start(server);
    world_run(world, 10 * WORLD_MS);
    world_start(clients[0]);
    world_start(clients[1]);
    world_disturb(world, 12, 4 * WORLD_S);
    for (int i = 0; i < 2; i++) {
        world_check(world, world_run_to_end(clients[i], 3600 * WORLD_S), "a client ends");
        world_check(world, world_status(clients[i]) == 0, "it has all answers");
    }
    world_run(world, 20 * WORLD_S);
    world_check(world, world_descriptors(server) <= 8,
                "the supervisor has closed what it needs no more");
    world_signal(server, SIGTERM);
    world_check(world, world_run_to_end(server, 60 * WORLD_S), "the supervisor ends");
    world_check(world, world_processes(server) <= 1, "it leaves no program of its own");
}
