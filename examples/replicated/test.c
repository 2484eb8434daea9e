/* test.c - a replicated store forgets nothing and shows one order, whatever happens to its servers: for pt-sim
 * SPDX-License-Identifier: MIT
 *
 *     cd examples/replicated; pt-sim --world test.c store.c+raft.c+log.c client.c+history.c+log.c */
#include "world.h"

#define THREE "10.0.0.1:7007 10.0.0.2:7007 10.0.0.3:7007"
#define FIVE THREE " 10.0.0.4:7007 10.0.0.5:7007"

enum { MOST = 5 };

/* Some servers crash in one moment, and begin again one after the other. */
static void fail_power(struct world *world, struct world_machine **servers, int count)
{
    uint64_t dark = world_chance(world, 1 << MOST);

    for (int i = 0; i < count; i++)
        if (dark >> i & 1)
            world_crash(servers[i]);
    for (int i = 0; i < count; i++)
        if (dark >> i & 1) {
            world_run(world, world_chance(world, 50 * WORLD_MS));
            world_crash(servers[i]); /* a fault has perhaps started it */
            world_start(servers[i]);
        }
}

/* One server, perhaps the leader, is cut off from the others for a while; clients reach it. */
static void cut_off(struct world *world, struct world_machine **servers, int count)
{
    struct world_machine *one = servers[world_chance(world, (uint64_t)count)];

    for (int i = 0; i < count; i++) {
        world_cut(one, servers[i]);
        world_cut(servers[i], one);
    }
    world_run(world, world_chance(world, 2 * WORLD_S));
    for (int i = 0; i < count; i++) {
        world_heal(one, servers[i]);
        world_heal(servers[i], one);
    }
}

void world_test(struct world *world)
{
    static const char *const names[] = {"one", "two", "three", "four", "five"};
    int count = world_chance(world, 3) ? 3 : MOST;
    const char *addresses = count == 3 ? THREE : FIVE;
    struct world_machine *servers[MOST], *client;
    char words[200];

    for (int i = 0; i < count; i++) {
        snprintf(words, sizeof words, "%d %s", i + 1, addresses);
        servers[i] = world_add(world, names[i], "store.so", words);
        world_start(servers[i]);
    }
    world_run(world, 10 * WORLD_MS);
    world_disturb(world, 8, 3 * WORLD_S);
    snprintf(words, sizeof words, "{40} %s", addresses);
    client = world_add(world, "client", "client.so", words);
    world_disturb(world, 4, 3 * WORLD_S);
    world_start(client);
    for (uint64_t troubles = world_chance(world, 8); troubles; troubles--) {
        world_run(world, world_chance(world, 300 * WORLD_MS));
        (world_chance(world, 3) ? fail_power : cut_off)(world, servers, count);
    }
    world_check(world, world_run_to_end(client, 120 * WORLD_S), "the client ends");
    world_check(world, world_status(client) == 0, "what it has seen is linear");
}
