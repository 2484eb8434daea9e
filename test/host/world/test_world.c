/* test_world.c - programs that know nothing of it, in a world
 * SPDX-License-Identifier: MIT */
#include "../../../world/kernel.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 200 };

/* A server, and a client that asks it COUNT times. */
struct pair {
    struct world *world;
    struct world_machine *server, *client;
};

static struct pair begin(uint64_t seed, const char *words)
{
    struct pair pair;

    pair.world = world_open(seed);
    world_show(pair.world, getenv("WORLD_SHOW") ? stderr : NULL);
    pair.server = world_add(pair.world, "server", "echo.so", "--port 7007 --idle 10");
    pair.client = world_add(pair.world, "client", "asker.so", words);
    world_start(pair.server);
    world_run(pair.world, WORLD_MS);
    world_start(pair.client);
    return pair;
}

static void cut(struct world_machine *one, struct world_machine *other)
{
    world_cut(one, other);
    world_cut(other, one);
}

static void heal(struct world_machine *one, struct world_machine *other)
{
    world_heal(one, other);
    world_heal(other, one);
}

/* The client gets all its answers; the server ends in order. */
static void end(struct pair *pair)
{
    ck_assert_msg(world_run_to_end(pair->client, 600 * WORLD_S), "%s", world_output(pair->client));
    ck_assert_msg(world_status(pair->client) == 0, "%s", world_output(pair->client));
    world_signal(pair->server, SIGTERM);
    ck_assert(world_run_to_end(pair->server, 10 * WORLD_S));
    ck_assert_int_eq(world_status(pair->server), 0);
    ck_assert_ptr_nonnull(strstr(world_output(pair->server), "closed\n"));
    world_close(pair->world);
}

static bool said(const struct world_machine *machine, const char *text)
{
    return strstr(world_output(machine), text) != NULL;
}

/* --- programs -------------------------------------------------------------------------------- */

START_TEST(an_unchanged_server_answers_an_unchanged_client)
{
    struct pair pair = begin(1, "10.0.0.1 7007 20");

    ck_assert(world_run_to_end(pair.client, WORLD_S));
    ck_assert_str_eq(world_output(pair.client), "20 answers\n");
    ck_assert(world_now(pair.world) > 4 * WORLD_MS); /* 20 ways to and fro, of 0.2 ms at least */
    world_run(pair.world, WORLD_S);
    ck_assert_int_eq(world_descriptors(pair.server), 8); /* as before the client came */
    end(&pair);
}
END_TEST

START_TEST(each_start_has_fresh_static_variables)
{
    struct world *world = world_open(1);
    struct world_machine *one = world_add(world, "one", "guest.so", "count");
    struct world_machine *other = world_add(world, "other", "guest.so", "count");

    for (int i = 0; i < 3; i++) {
        world_start(one);
        ck_assert(world_run_to_end(one, WORLD_S));
    }
    world_start(other);
    ck_assert(world_run_to_end(other, WORLD_S));
    ck_assert_str_eq(world_output(one), "start 1\nstart 1\nstart 1\n");
    ck_assert_str_eq(world_output(other), "start 1\n");
    world_close(world);
}
END_TEST

/* A thousand seconds of its own are up to 100 ms more or less than the world's. */
START_TEST(each_machine_has_a_clock_of_its_own)
{
    struct world *world = world_open(1);
    uint64_t least = UINT64_MAX, most = 0;

    for (int i = 0; i < 10; i++) {
        struct world_machine *machine = world_add(world, "clock", "guest.so", "clocks");
        uint64_t begin = world_now(world), took;

        world_start(machine);
        ck_assert(world_run_to_end(machine, 2000 * WORLD_S));
        took = world_now(world) - begin;
        least = took < least ? took : least;
        most = took > most ? took : most;
    }
    ck_assert(least < 1000 * WORLD_S && least > 1000 * WORLD_S - 150 * WORLD_MS);
    ck_assert(most > 1000 * WORLD_S && most < 1000 * WORLD_S + 150 * WORLD_MS);
    world_close(world);
}
END_TEST

START_TEST(an_unknown_call_stops_the_world)
{
    struct world *world = world_open(1);

    world_start(world_add(world, "stranger", "guest.so", "strange"));
    world_run(world, WORLD_S);
}
END_TEST

START_TEST(a_program_that_never_waits_stops_the_world)
{
    struct world *world = world_open(1);

    world_start(world_add(world, "spinner", "guest.so", "spin"));
    world_run(world, WORLD_S);
}
END_TEST

/* --- the seed -------------------------------------------------------------------------------- */

static uint64_t story(uint64_t seed)
{
    struct pair pair = begin(seed, "10.0.0.1 7007 20");
    uint64_t hash;

    world_run(pair.world, 5 * WORLD_MS);
    world_crash(pair.server);
    world_run(pair.world, 2 * WORLD_MS);
    world_start(pair.server);
    world_run_to_end(pair.client, 600 * WORLD_S);
    hash = world_hash(pair.world);
    world_close(pair.world);
    return hash;
}

START_TEST(the_same_seed_gives_the_same_trace)
{
    ck_assert_uint_eq(story(17), story(17));
}
END_TEST

START_TEST(another_seed_gives_another_trace)
{
    ck_assert_uint_ne(story(17), story(18));
}
END_TEST

/* With faults that are all left out, and without any. */
START_TEST(a_fault_that_is_left_out_changes_nothing)
{
    uint64_t hashes[2];

    world_faults_kept = "none";
    for (int i = 0; i < 2; i++) {
        struct pair pair = begin(18, "10.0.0.1 7007 20");

        if (i)
            world_disturb(pair.world, 8, WORLD_S);
        world_run(pair.world, WORLD_S);
        hashes[i] = world_hash(pair.world);
        world_close(pair.world);
    }
    world_faults_kept = NULL;
    ck_assert_uint_eq(hashes[0], hashes[1]);
}
END_TEST

/* --- the network ----------------------------------------------------------------------------- */

START_TEST(a_short_cut_delays_and_loses_nothing)
{
    struct pair pair = begin(2, "10.0.0.1 7007 100");

    world_run(pair.world, 5 * WORLD_MS);
    cut(pair.server, pair.client);
    world_run(pair.world, WORLD_S);
    heal(pair.server, pair.client);
    ck_assert(world_run_to_end(pair.client, 10 * WORLD_S));
    ck_assert_str_eq(world_output(pair.client), "100 answers\n");
    ck_assert(world_now(pair.world) > 1400 * WORLD_MS); /* sent again 0.2, 0.4 and 0.8 s later */
    end(&pair);
}
END_TEST

START_TEST(a_connect_over_a_cut_times_out)
{
    struct pair pair = begin(3, "10.0.0.1 7007 1");

    cut(pair.server, pair.client);
    world_run(pair.world, 126 * WORLD_S);
    ck_assert_str_eq(world_output(pair.client), "");
    world_run(pair.world, 10 * WORLD_S);
    ck_assert(said(pair.client, "connect: Connection timed out\n"));
    heal(pair.server, pair.client);
    end(&pair);
}
END_TEST

START_TEST(a_cut_of_one_way_is_half_a_cut)
{
    struct pair pair = begin(4, "10.0.0.1 7007 2000");

    world_run(pair.world, 5 * WORLD_MS);
    world_cut(pair.server, pair.client);
    world_run(pair.world, 6 * WORLD_S);
    ck_assert(said(pair.client, "the connection is gone\n"));
    world_heal(pair.server, pair.client);
    end(&pair);
}
END_TEST

START_TEST(a_connect_to_a_closed_port_is_refused)
{
    struct pair pair = begin(5, "10.0.0.1 7008 1");

    world_run(pair.world, 50 * WORLD_MS);
    ck_assert_str_eq(world_output(pair.client), "connect: Connection refused\n");
    world_close(pair.world);
}
END_TEST

START_TEST(a_reset_reaches_both_ends)
{
    struct pair pair = begin(6, "10.0.0.1 7007 100");

    world_run(pair.world, 5 * WORLD_MS);
    ck_assert_int_eq(world_descriptors(pair.server), 9);
    world_reset(pair.server, pair.client);
    world_run(pair.world, WORLD_MS / 5);
    ck_assert_int_eq(world_descriptors(pair.server), 8);
    ck_assert(said(pair.client, "the connection is gone\n"));
    end(&pair);
}
END_TEST

/* Two places, and one more as in Linux. */
START_TEST(a_full_queue_drops_connects)
{
    struct world *world = world_open(7);
    struct world_machine *server = world_add(world, "deaf", "guest.so", "deaf"), *clients[4];

    world_start(server);
    world_run(world, WORLD_MS);
    for (int i = 0; i < 4; i++) {
        clients[i] = world_add(world, "client", "asker.so", "10.0.0.1 7007 1");
        world_start(clients[i]);
        world_run(world, 20 * WORLD_MS);
    }
    world_run(world, 4900 * WORLD_MS);
    ck_assert_str_eq(world_output(clients[0]), "");
    world_run(world, 400 * WORLD_MS);
    ck_assert(said(clients[0], "question 0: the connection is gone\n"));
    ck_assert(said(clients[1], "question 0: the connection is gone\n"));
    ck_assert_str_eq(world_output(clients[2]), "");
    ck_assert_str_eq(world_output(clients[3]), "");
    world_run(world, 200 * WORLD_S);
    ck_assert(said(clients[3], "connect: Connection timed out\n"));
    world_close(world);
}
END_TEST

/* --- datagrams ------------------------------------------------------------------------------- */

START_TEST(datagrams_are_lost_come_twice_and_overtake_each_other)
{
    struct world *world = world_open(20);
    struct world_machine *hearer = world_add(world, "hearer", "udp.so", "count"),
                         *teller = world_add(world, "teller", "udp.so", "tell 10.0.0.1 5000");
    int came, twice, late;

    world_latency(world, 100 * WORLD_US, 3 * WORLD_MS);
    world_start(hearer);
    world_start(teller);
    ck_assert(world_run_to_end(hearer, 60 * WORLD_S));
    ck_assert_int_eq(sscanf(world_output(hearer), "%d %d %d", &came, &twice, &late), 3);
    ck_assert_int_ge(came, 4850);
    ck_assert_int_le(came, 4950);
    ck_assert_int_ge(twice, 50);
    ck_assert_int_le(twice, 150);
    ck_assert_int_ge(late, 1000);
    world_close(world);
}
END_TEST

START_TEST(a_datagram_to_a_port_without_a_socket_is_refused)
{
    struct world *world = world_open(21);
    struct world_machine *server = world_add(world, "server", "udp.so", ""),
                         *client = world_add(world, "client", "udp.so", "refused 10.0.0.1");

    world_start(server);
    world_start(client);
    ck_assert(world_run_to_end(client, WORLD_S));
    ck_assert_str_eq(world_output(client), "Connection refused\n");
    world_close(world); /* with datagrams that wait, or are under way */
}
END_TEST

/* --- machines -------------------------------------------------------------------------------- */

START_TEST(a_crash_tells_nobody_until_the_machine_is_back)
{
    struct pair pair = begin(8, "10.0.0.1 7007 100");

    world_run(pair.world, 5 * WORLD_MS);
    world_crash(pair.server);
    world_run(pair.world, 4 * WORLD_S);
    ck_assert_str_eq(world_output(pair.client), "");
    world_start(pair.server);
    world_run(pair.world, 3 * WORLD_S);
    ck_assert(said(pair.client, "the connection is gone\n"));
    end(&pair);
}
END_TEST

START_TEST(a_program_that_is_killed_closes_its_connections)
{
    struct pair pair = begin(9, "10.0.0.1 7007 100");

    world_run(pair.world, 5 * WORLD_MS);
    world_signal(pair.server, SIGKILL);
    ck_assert_int_eq(world_status(pair.server), 128 + SIGKILL);
    world_run(pair.world, 20 * WORLD_MS);
    ck_assert(said(pair.client, "the connection is gone\nconnect: Connection refused\n"));
    world_start(pair.server);
    end(&pair);
}
END_TEST

START_TEST(a_reset_that_is_lost_is_heard_by_the_next_probe)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct world *world = world_open(seed);
        struct world_machine *server = world_add(world, "deaf", "guest.so", "deaf"),
                             *client = world_add(world, "client", "guest.so", "shout");

        world_start(server);
        world_run(world, WORLD_MS);
        world_start(client);
        world_run(world, 100 * WORLD_MS);
        world_cut(server, client);
        world_signal(server, SIGKILL);
        world_run(world, 100 * WORLD_MS);
        world_heal(server, client);
        world_run(world, 10 * WORLD_S);
        ck_assert_str_eq(world_output(client), "Connection reset by peer\n");
        world_close(world);
    }
}
END_TEST

/* Wherever the reset is when the way is cut: the question is sent again until one has arrived. */
START_TEST(a_question_to_a_program_that_is_gone_is_sent_again_until_its_reset_is_heard)
{
    for (int step = 0; step < 100; step++) {
        struct world *world = world_open(1);
        struct world_machine *server = world_add(world, "deaf", "guest.so", "deaf"),
                             *client = world_add(world, "client", "guest.so", "ask");

        world_start(server);
        world_run(world, WORLD_MS);
        world_start(client);
        world_run(world, 100 * WORLD_MS);
        world_crash(server);
        world_start(server);
        world_run(world, 100 * WORLD_MS + (uint64_t)step * 50 * WORLD_US);
        world_cut(server, client);
        world_run(world, WORLD_S);
        world_heal(server, client);
        world_run(world, WORLD_S);
        ck_assert_str_eq(world_output(client), "Connection reset by peer\n");
        world_close(world);
    }
}
END_TEST

static struct pair begin_guests(const char *server, const char *client)
{
    struct pair pair;

    pair.world = world_open(1);
    world_show(pair.world, getenv("WORLD_SHOW") ? stderr : NULL);
    pair.server = world_add(pair.world, "server", "guest.so", server);
    pair.client = world_add(pair.world, "client", "guest.so", client);
    world_start(pair.server);
    world_run(pair.world, WORLD_MS);
    world_start(pair.client);
    return pair;
}

/* As long as it is there, it can be silent. */
static struct pair keep(void)
{
    struct pair pair = begin_guests("keep", "silent");

    world_run(pair.world, 1000 * WORLD_S);
    ck_assert_int_eq(world_status(pair.server), -1);
    return pair;
}

START_TEST(a_silent_client_that_has_crashed_is_found_by_questions)
{
    struct pair pair = keep();
    uint64_t least, most = world_now(pair.world) + 16 * WORLD_S;

    least = most - 11 * WORLD_S; /* a question was due within ten seconds */
    world_crash(pair.client);
    ck_assert(world_run_to_end(pair.server, 60 * WORLD_S));
    ck_assert(world_now(pair.world) > least && world_now(pair.world) < most + WORLD_MS);
    ck_assert_str_eq(world_output(pair.server), "Connection timed out\n");
    world_close(pair.world);

    pair = keep();
    world_crash(pair.client);
    world_start(pair.client);
    ck_assert(world_run_to_end(pair.server, 11 * WORLD_S));
    ck_assert_str_eq(world_output(pair.server), "Connection reset by peer\n");
    world_close(pair.world);
}
END_TEST

/* It would be sent again for a quarter of an hour. */
START_TEST(what_is_not_acknowledged_is_given_up_in_time)
{
    struct pair pair = begin_guests("keep most", "silent");

    world_run(pair.world, 30 * WORLD_S);
    world_crash(pair.client);
    world_run(pair.world, 37 * WORLD_S);
    ck_assert_int_eq(world_status(pair.server), -1);
    world_run(pair.world, 2 * WORLD_S);
    ck_assert_int_eq(world_status(pair.server), 0);
    ck_assert_str_eq(world_output(pair.server), "Connection timed out\n");
    world_close(pair.world);
}
END_TEST

START_TEST(a_connect_without_an_answer_goes_on_behind_a_crash)
{
    struct pair pair = begin(19, "10.0.0.1 7007 10");

    world_run(pair.world, 200 * WORLD_US); /* the server has heard of it */
    world_cut(pair.server, pair.client);
    world_run(pair.world, 2 * WORLD_MS);
    world_crash(pair.server);
    world_heal(pair.server, pair.client);
    world_run(pair.world, 10 * WORLD_MS);
    world_start(pair.server);
    end(&pair);
}
END_TEST

START_TEST(a_paused_server_answers_later)
{
    struct pair pair = begin(10, "10.0.0.1 7007 100");

    world_run(pair.world, 5 * WORLD_MS);
    world_pause(pair.server);
    world_run(pair.world, 3 * WORLD_S);
    ck_assert_str_eq(world_output(pair.client), "");
    world_resume(pair.server);
    end(&pair);
}
END_TEST

/* What a seed does to the pair: a fault, then peace. */
static void disturb(struct pair *pair, unsigned number)
{
    switch (number % 5) {
    case 0: world_reset(pair->server, pair->client); break;
    case 1: cut(pair->server, pair->client); break;
    case 2: world_cut(pair->client, pair->server); break;
    case 3: world_crash(pair->server); break;
    case 4: world_pause(pair->server); break;
    }
    world_run(pair->world, number * WORLD_MS);
    heal(pair->server, pair->client);
    if (number % 5 == 3)
        world_start(pair->server);
    world_resume(pair->server);
}

START_TEST(whatever_happens_no_answer_is_wrong_and_no_descriptor_is_left)
{
    struct pair pair = begin((uint64_t)_i, "10.0.0.1 7007 60");

    for (int i = 0; i < 5; i++) {
        world_run(pair.world, world_chance(pair.world, 10) * WORLD_MS);
        disturb(&pair, (unsigned)world_chance(pair.world, 500));
    }
    ck_assert_msg(world_run_to_end(pair.client, 600 * WORLD_S), "%s", world_output(pair.client));
    world_run(pair.world, 12 * WORLD_S);
    ck_assert_int_eq(world_descriptors(pair.server), 8);
    end(&pair);
}
END_TEST

/* --- disks ----------------------------------------------------------------------------------- */

/* What a program of files.c prints that runs on the machine now. */
static const char *files(struct world_machine *machine, const char *words)
{
    static char line[2048];
    const char *output;

    free(machine->words);
    machine->words = strdup(words);
    machine->printed = machine->line = 0;
    world_start(machine);
    world_run_to_end(machine, WORLD_S);
    output = world_output(machine);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(output, "\n"), output);
    return line;
}

/* A machine whose program has written, and waits; then it crashes. */
static struct world_machine *crashed(uint64_t seed, const char *words)
{
    struct world_machine *machine = world_add(world_open(seed), "machine", "files.so", "");

    files(machine, words);
    ck_assert_int_eq(machine->state, RUNS);
    world_crash(machine);
    return machine;
}

START_TEST(what_is_synced_survives_a_crash)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct world_machine *machine =
            crashed(seed, "write log old sync log sync . write log new sync log wait");

        ck_assert_str_eq(files(machine, "read log"), "oldnew");
        world_close(machine->world);
    }
}
END_TEST

START_TEST(what_is_not_synced_is_lost_torn_or_there_after_a_crash)
{
    int lost = 0, there = 0, torn = 0;

    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct world_machine *machine =
            crashed(seed, "write log old sync log sync . write log 0123456789 wait");
        const char *found = files(machine, "read log");

        ck_assert_int_eq(strncmp(found, "old", 3), 0);
        lost += !strcmp(found, "old");
        there += !strcmp(found, "old0123456789");
        torn += !strncmp(found, "old01", 5) && strlen(found) < strlen("old0123456789");
        world_close(machine->world);
    }
    ck_assert_int_gt(lost, 20);
    ck_assert_int_gt(there, 10);
    ck_assert_int_gt(torn, 10);
}
END_TEST

START_TEST(a_program_that_is_killed_loses_nothing_that_it_has_written)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world_machine *machine = world_add(world_open(seed), "machine", "files.so", "");

        files(machine, "write log all wait");
        world_signal(machine, SIGKILL);
        ck_assert_str_eq(files(machine, "read log"), "all");
        world_close(machine->world);
    }
}
END_TEST

/* Renamed over an old file: one of both is there, whole, as long as the new one was synced. */
START_TEST(a_name_that_is_not_synced_stays_or_does_not)
{
    static const char *const begin = "write log old sync log sync . write new fresh sync new",
                             *const after[] = {"rename new log wait", "rename new log sync . wait"};
    int old = 0;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        char words[256];
        struct world_machine *machine;
        const char *found;

        snprintf(words, sizeof words, "%s %s", begin, after[seed % 2]);
        machine = crashed(seed, words);
        found = files(machine, "read log");
        old += !strcmp(found, "old");
        ck_assert(!strcmp(found, "fresh") || (seed % 2 == 0 && !strcmp(found, "old")));
        world_close(machine->world);
    }
    ck_assert_int_gt(old, 10);
    ck_assert_int_lt(old, 40);
}
END_TEST

START_TEST(a_crash_during_a_sync_is_one_before_it)
{
    int lost = 0;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct world_machine *machine = world_add(world_open(seed), "machine", "files.so",
                                                  "write log x sync log sync . read log");

        world_start(machine);
        world_run(machine->world, world_chance(machine->world, 4 * WORLD_MS));
        world_crash(machine);
        lost += strcmp(files(machine, "read log"), "x") != 0;
        world_close(machine->world);
    }
    ck_assert_int_gt(lost, 20);
    ck_assert_int_lt(lost, 100);
}
END_TEST

START_TEST(a_full_disk_takes_what_it_has_room_for)
{
    struct world_machine *machine = world_add(world_open(1), "machine", "files.so", "");

    world_fill(machine, 4);
    ck_assert_str_eq(files(machine, "write log abcdef"), "write: No space left on device");
    ck_assert_str_eq(files(machine, "read log"), "abcd");
    ck_assert_str_eq(files(machine, "cut log 1 write log xyz read log"), "axyz");
    world_fill(machine, UINT64_MAX);
    ck_assert_str_eq(files(machine, "write log 2345 read log"), "axyz2345");
    world_fill(machine,
               2); /* room that is given back is there again, once the file is open nowhere */
    ck_assert_str_eq(files(machine, "write two 123"), "write: No space left on device");
    ck_assert_str_eq(files(machine, "remove log write two 3"), "write: No space left on device");
    ck_assert_str_eq(files(machine, "write two 3456789a read two"), "123456789a");
    ck_assert_str_eq(files(machine, "write two bcd"), "write: No space left on device");
    ck_assert_str_eq(files(machine, "cut two 0 write two 123 read two"), "123");
    world_close(machine->world);
}
END_TEST

START_TEST(files_are_as_in_linux)
{
    struct world_machine *machine = world_add(world_open(1), "machine", "files.so", "");

    ck_assert_str_eq(files(machine, "read log"), "open: No such file or directory");
    ck_assert_str_eq(files(machine, "calls"), "done");
    world_close(machine->world);
}
END_TEST

/* --- threads --------------------------------------------------------------------------------- */

/* What a program prints; it ends. */
static const char *printed(uint64_t seed, const char *image, const char *words, uint64_t *hash)
{
    static char output[256];
    struct world *world = world_open(seed);
    struct world_machine *machine = world_add(world, "machine", image, words);

    world_show(world, getenv("WORLD_SHOW") ? stderr : NULL);
    world_start(machine);
    ck_assert(world_run_to_end(machine, 600 * WORLD_S));
    snprintf(output, sizeof output, "%s", world_output(machine));
    if (hash)
        *hash = world_hash(world);
    world_close(world);
    return output;
}

static const char *threads(uint64_t seed, const char *words, uint64_t *hash)
{
    return printed(seed, "threads.so", words, hash);
}

START_TEST(sockets_with_a_name_on_the_disk_are_as_in_linux)
{
    struct world *world = world_open(1);
    struct world_machine *machine = world_add(world, "machine", "unix.so", "");

    world_show(world, getenv("WORLD_SHOW") ? stderr : NULL);
    world_start(machine);
    ck_assert(world_run_to_end(machine, WORLD_S));
    ck_assert_str_eq(world_output(machine), "done\n");
    world_close(world);
}
END_TEST

/* Its name is there without a listener; behind a crash it can be gone. */
START_TEST(a_unix_socket_is_left_by_a_kill_or_a_crash)
{
    int left = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *world = world_open(seed);
        struct world_machine *machine = world_add(world, "machine", "unix.so", "again");

        for (int i = 0; i < 3; i++) {
            world_start(machine);
            world_run(world, WORLD_MS);
            if (i)
                world_crash(machine);
            else
                world_signal(machine, SIGKILL);
        }
        ck_assert(!strncmp(world_output(machine),
                           "No such file or directory\nlistens\n"
                           "Connection refused\nlistens\n",
                           54));
        left += said(machine, "refused\nlistens\nConnection refused\nlistens\n");
        world_close(world);
    }
    ck_assert(left > 0 && left < 20);
}
END_TEST

START_TEST(programs_that_start_programs_get_what_they_get_in_linux)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *world = world_open(seed);
        struct world_machine *machine = world_add(world, "machine", "child.so", "");

        world_show(world, getenv("WORLD_SHOW") ? stderr : NULL);
        world_start(machine);
        ck_assert(world_run_to_end(machine, WORLD_S));
        ck_assert_str_eq(world_output(machine), "done\n");
        ck_assert_int_eq(world_processes(machine), 0);
        world_close(world);
    }
}
END_TEST

START_TEST(a_program_that_is_killed_leaves_what_it_has_started_and_a_crash_ends_all)
{
    struct world *world = world_open(1);
    struct world_machine *machine = world_add(world, "machine", "child.so", "watch");

    world_start(machine);
    world_run(world, WORLD_MS);
    ck_assert_int_eq(world_processes(machine), 2);
    world_signal(machine, SIGKILL);
    world_run(world, WORLD_S);
    ck_assert_int_eq(world_processes(machine), 1);
    world_start(machine);
    world_run(world, WORLD_MS);
    ck_assert_int_eq(world_processes(machine), 3);
    world_crash(machine);
    ck_assert_int_eq(world_processes(machine), 0);
    world_close(world);
}
END_TEST

/* Of its two processes the one that it has started is killed by half of the kills, and started again. */
START_TEST(a_kill_by_the_seed_is_of_any_process)
{
    struct world *world = world_open(1);
    struct world_machine *machine = world_add(world, "machine", "child.so", "watch");

    world_start(machine);
    world_disturb(world, 60, 60 * WORLD_S);
    world_run(world, 120 * WORLD_S);
    ck_assert(said(machine, "ended by 9\n"));
    ck_assert_int_gt(world_processes(machine), 1);
    world_close(world);
}
END_TEST

START_TEST(the_calls_of_threads_return_what_they_return_in_linux)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ck_assert_str_eq(threads(seed, "calls", NULL), "done\n");
        ck_assert_str_eq(threads(seed, "pair", NULL), "done\n");
        ck_assert_str_eq(threads(seed, "queue 20", NULL), "done\n");
    }
}
END_TEST

START_TEST(what_worlds_had_otherwise_is_as_in_linux)
{
    for (uint64_t seed = 1; seed <= 30; seed++)
        ck_assert_str_eq(printed(seed, "linux.so", "all", NULL), "done\n");
}
END_TEST

START_TEST(signals_are_pending_ignored_awaited_and_handled_as_in_linux)
{
    for (uint64_t seed = 1; seed <= 30; seed++)
        ck_assert_str_eq(printed(seed, "signals.so", "", NULL), "done\n");
}
END_TEST

START_TEST(epoll_pipes_eventfds_and_descriptors_are_as_in_linux)
{
    for (uint64_t seed = 1; seed <= 30; seed++)
        ck_assert_str_eq(printed(seed, "ready.so", "", NULL), "done\n");
}
END_TEST

START_TEST(a_view_of_a_loop_drops_who_asks_or_takes_nothing_for_ten_seconds)
{
    for (uint64_t seed = 1; seed <= 5; seed++)
        ck_assert_str_eq(printed(seed, "watched.so", "", NULL), "done\n");
}
END_TEST

START_TEST(threads_go_on_in_an_order_by_the_seed)
{
    static const char *const orders[] = {"a\nb\nc\n", "a\nc\nb\n", "b\na\nc\n",
                                         "b\nc\na\n", "c\na\nb\n", "c\nb\na\n"};
    int seen[6] = {0};

    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t once, again;
        const char *output = threads(seed, "order", &once);

        for (int i = 0; i < 6; i++)
            seen[i] += !strcmp(output, orders[i]);
        threads(seed, "order", &again);
        ck_assert_uint_eq(once, again);
    }
    for (int i = 0; i < 6; i++)
        ck_assert_int_gt(seen[i], 0);
}
END_TEST

/* Another thread was faster, or there was no signal. */
START_TEST(a_thread_that_does_not_look_again_behind_a_wait_is_found)
{
    int found = 0;

    for (uint64_t seed = 1; seed <= 20; seed++)
        found += !strncmp(threads(seed, "hasty 20", NULL), "not so: ", 8);
    ck_assert_int_gt(found, 15);
}
END_TEST

START_TEST(a_signal_for_the_wrong_thread_ends_in_a_deadlock)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        threads(seed, "dozy 20", NULL);
}
END_TEST

/* Main blocks it, and reads from a pipe whose descriptor another thread has closed. */
START_TEST(a_signal_reaches_the_thread_that_does_not_block_it)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *world = world_open(seed);
        struct world_machine *machine = world_add(world, "machine", "threads.so", "serve");

        world_start(machine);
        world_run(world, 100 * WORLD_MS);
        ck_assert_int_eq(world_descriptors(machine), 4); /* one of the two of the pipe */
        world_signal(machine, SIGTERM);
        ck_assert(world_run_to_end(machine, WORLD_S));
        ck_assert_str_eq(world_output(machine), "served\n");
        world_close(world);
    }
}
END_TEST

START_TEST(threads_end_with_their_program_or_machine)
{
    struct world *world = world_open(1);
    struct world_machine *machine = world_add(world, "machine", "threads.so", "serve");

    for (int i = 0; i < 4; i++) {
        world_start(machine);
        world_run(world, 10 * WORLD_MS);
        if (i % 2)
            world_signal(machine, SIGKILL);
        else
            world_crash(machine);
        ck_assert_int_eq(world_descriptors(machine), 0);
        ck_assert(!world_run(world, WORLD_S)); /* nothing goes on */
    }
    world_close(world);
}
END_TEST

START_TEST(tasks_that_call_in_threads_get_each_answer_once_or_leave)
{
    for (uint64_t seed = 1; seed <= 50; seed++)
        ck_assert_str_eq(printed(seed, "calling.so", "", NULL), "done\n");
}
END_TEST

START_TEST(posts_between_the_loops_of_a_team_wake_each_of_them)
{
    for (uint64_t seed = 1; seed <= 50; seed++)
        ck_assert_str_eq(printed(seed, "team.so", "", NULL), "80 hops\n");
}
END_TEST

/* Two of three threads stand still in the middle, and go on. */
START_TEST(a_paused_program_goes_on_with_all_its_threads)
{
    struct world *world = world_open(1);
    struct world_machine *machine = world_add(world, "machine", "threads.so", "queue 200");

    world_start(machine);
    world_run(world, WORLD_MS);
    world_pause(machine);
    world_run(world, WORLD_S);
    ck_assert_str_eq(world_output(machine), "");
    world_resume(machine);
    ck_assert(world_run_to_end(machine, WORLD_S));
    ck_assert_str_eq(world_output(machine), "done\n");
    world_close(world);
}
END_TEST

START_TEST(five_hundred_machines_are_a_world)
{
    struct world *world = world_open(11);
    struct world_machine *server = world_add(world, "server", "echo.so", "--port 7007"),
                         *clients[499];

    world_start(server);
    world_run(world, WORLD_MS);
    for (int i = 0; i < 499; i++) {
        clients[i] = world_add(world, "client", "asker.so", "10.0.0.1 7007 10");
        world_start(clients[i]);
    }
    for (int i = 0; i < 499; i++) {
        ck_assert(world_run_to_end(clients[i], 600 * WORLD_S));
        ck_assert_int_eq(world_status(clients[i]), 0);
    }
    world_close(world);
}
END_TEST

/* A test case of its own for each test, so that CK_RUN_CASE chooses one. */
static TCase *test(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);

    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return tests;
}

static Suite *suite(void)
{
    Suite *world = suite_create("world");

#define TEST(name) tcase_add_test(test(world, #name), name)
#define EXIT_TEST(name, status) tcase_add_exit_test(test(world, #name), name, status)
#define LOOP_TEST(name, count) tcase_add_loop_test(test(world, #name), name, 0, count)
    TEST(an_unchanged_server_answers_an_unchanged_client);
    TEST(each_start_has_fresh_static_variables);
    TEST(each_machine_has_a_clock_of_its_own);
    EXIT_TEST(an_unknown_call_stops_the_world, 3);
    EXIT_TEST(a_program_that_never_waits_stops_the_world, 2);
    TEST(the_same_seed_gives_the_same_trace);
    TEST(another_seed_gives_another_trace);
    TEST(a_fault_that_is_left_out_changes_nothing);
    TEST(a_short_cut_delays_and_loses_nothing);
    TEST(a_connect_over_a_cut_times_out);
    TEST(a_cut_of_one_way_is_half_a_cut);
    TEST(a_connect_to_a_closed_port_is_refused);
    TEST(a_reset_reaches_both_ends);
    TEST(a_full_queue_drops_connects);
    TEST(datagrams_are_lost_come_twice_and_overtake_each_other);
    TEST(a_datagram_to_a_port_without_a_socket_is_refused);
    TEST(a_crash_tells_nobody_until_the_machine_is_back);
    TEST(a_program_that_is_killed_closes_its_connections);
    TEST(a_reset_that_is_lost_is_heard_by_the_next_probe);
    TEST(a_question_to_a_program_that_is_gone_is_sent_again_until_its_reset_is_heard);
    TEST(a_silent_client_that_has_crashed_is_found_by_questions);
    TEST(what_is_not_acknowledged_is_given_up_in_time);
    TEST(a_connect_without_an_answer_goes_on_behind_a_crash);
    TEST(a_paused_server_answers_later);
    LOOP_TEST(whatever_happens_no_answer_is_wrong_and_no_descriptor_is_left, SEEDS);
    TEST(what_is_synced_survives_a_crash);
    TEST(what_is_not_synced_is_lost_torn_or_there_after_a_crash);
    TEST(a_program_that_is_killed_loses_nothing_that_it_has_written);
    TEST(a_name_that_is_not_synced_stays_or_does_not);
    TEST(a_crash_during_a_sync_is_one_before_it);
    TEST(a_full_disk_takes_what_it_has_room_for);
    TEST(files_are_as_in_linux);
    TEST(sockets_with_a_name_on_the_disk_are_as_in_linux);
    TEST(a_unix_socket_is_left_by_a_kill_or_a_crash);
    TEST(programs_that_start_programs_get_what_they_get_in_linux);
    TEST(a_program_that_is_killed_leaves_what_it_has_started_and_a_crash_ends_all);
    TEST(a_kill_by_the_seed_is_of_any_process);
    TEST(the_calls_of_threads_return_what_they_return_in_linux);
    TEST(what_worlds_had_otherwise_is_as_in_linux);
    TEST(signals_are_pending_ignored_awaited_and_handled_as_in_linux);
    TEST(epoll_pipes_eventfds_and_descriptors_are_as_in_linux);
    TEST(a_view_of_a_loop_drops_who_asks_or_takes_nothing_for_ten_seconds);
    TEST(threads_go_on_in_an_order_by_the_seed);
    TEST(a_thread_that_does_not_look_again_behind_a_wait_is_found);
    EXIT_TEST(a_signal_for_the_wrong_thread_ends_in_a_deadlock, 1);
    TEST(a_signal_reaches_the_thread_that_does_not_block_it);
    TEST(threads_end_with_their_program_or_machine);
    TEST(tasks_that_call_in_threads_get_each_answer_once_or_leave);
    TEST(posts_between_the_loops_of_a_team_wake_each_of_them);
    TEST(a_paused_program_goes_on_with_all_its_threads);
    TEST(five_hundred_machines_are_a_world);
    return world;
}

/* `test_world story`: the hash of one story; `test_world hash PROGRAM WORDS`: that of a world with
 * this program; otherwise the tests. */
int main(int argc, char **argv)
{
    SRunner *runner;
    int failed;

    if (argc == 2) {
        printf("%016llx\n", (unsigned long long)story(17));
        return 0;
    }
    if (argc == 4) {
        struct world *world = world_open(1);

        world_start(world_add(world, "machine", argv[2], argv[3]));
        world_run(world, WORLD_S);
        printf("%016llx\n", (unsigned long long)world_hash(world));
        world_close(world);
        return 0;
    }
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_VERBOSE);
    failed = srunner_ntests_failed(runner);
    printf("%d passed, %d failed\n", srunner_ntests_run(runner) - failed, failed);
    srunner_free(runner);
    return failed != 0;
}
