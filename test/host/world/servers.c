/* servers.c - a test for pt-sim of each server of examples/: what SERVER and the others name, whatever happens
 * SPDX-License-Identifier: MIT
 *
 * Both clients end with status 0. Then the server has the descriptors that it had at first, and ends in order. A THIRD
 * machine is a client that reads or spoils for ever, or the server behind a proxy. A server whose words name a page has
 * it: the numbers from 1000 to 1999. A client that gives up is started again, up to TRIES times. AGAIN: a server whose
 * pool closes what was idle for long when it is asked again. */
#include "world.h"

#include <signal.h>
#include <string.h>

static struct world_machine *add(struct world *world, const char *name, const char *image,
                                 const char *words)
{
    struct world_machine *machine = world_add(world, name, image, words);
    char page[4001];

    for (int i = 0; i < 1000; i++)
        snprintf(page + 4 * i, 5, "%d", 1000 + i);
    if (strstr(words, "page"))
        world_file(machine, "page", page);
    return machine;
}

/* Each page that pages.c says it has. */
static bool pages_are_right(const char *output)
{
    static const char right[] = " 200, text/html, 4000 bytes, sum b940e42c\n";

    while ((output = strstr(output, " 200, ")) && !strncmp(output, right, sizeof right - 1))
        output++;
    return !output;
}

void world_test(struct world *world)
{
    struct world_machine *server = add(world, "server", SERVER, SERVER_WORDS), *clients[2], *third;
    int descriptors;

    clients[0] = world_add(world, "one", CLIENT, CLIENT_WORDS);
    clients[1] = world_add(world, "other", CLIENT, CLIENT_WORDS);
    third = add(world, "third", THIRD, THIRD_WORDS);
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
        for (int tries = TRIES; tries && world_status(clients[i]); tries--) {
            world_run(world, WORLD_S);
            world_start(clients[i]);
            world_check(world, world_run_to_end(clients[i], 60 * WORLD_S),
                        "a client ends, or gives up");
        }
        world_check(world, pages_are_right(world_output(clients[i])), "it has no wrong page");
        world_check(world, world_status(clients[i]) == 0, "it has all answers");
    }
    world_run(world, 20 * WORLD_S);
    world_check(world, world_status(third) == -1, "the third goes on");
    world_signal(third, SIGKILL);
    world_run(world, 100 * WORLD_S);
    if (AGAIN) {
        world_start(clients[0]);
        world_check(world, world_run_to_end(clients[0], 60 * WORLD_S),
                    "a client hears at once that the third is gone");
        world_run(world, WORLD_S);
    }
    world_check(world, world_descriptors(server) == descriptors,
                "the server has closed all connections");
    world_signal(server, SIGTERM);
    world_check(world, world_run_to_end(server, 60 * WORLD_S), "the server ends");
    world_check(world, world_status(server) == 0, "it ends in order");
}
