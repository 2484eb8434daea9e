/* test_many.c - the server of examples/ with several loops, in threads, and its clients in another process
 * SPDX-License-Identifier: MIT */
#include "host.h"

int many_main(int argc, char **argv);
#define main many_main
#include "../../examples/servers/many.c"
#undef main

#include <netinet/in.h>
#include <sys/wait.h>

enum { CLIENTS = 12, WORDS = 20 };

/* Connect as soon as the server listens. */
static int reach(const struct sockaddr_in *server)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    while (connect(fd, (const struct sockaddr *)(const void *)server, sizeof *server)) {
        close(fd);
        fd = socket(AF_INET, SOCK_STREAM, 0);
        sched_yield();
    }
    return fd;
}

/* Clients that ask at the same time. The last answer to all of them is the number of their words. */
static bool all_are_counted(const struct sockaddr_in *server)
{
    int fds[CLIENTS], most = 0;

    for (int i = 0; i < CLIENTS; i++)
        fds[i] = reach(server);
    for (int word = 0; word < WORDS; word++) {
        for (int i = 0; i < CLIENTS; i++)
            host_put(fds[i], "word\n");
        for (int i = 0; i < CLIENTS; i++) {
            char line[96] = "";
            int count = 0;

            if (read(fds[i], line, sizeof line - 1) > 0 && sscanf(line, "w: %d,", &count) == 1)
                most = count > most ? count : most;
        }
    }
    for (int i = 0; i < CLIENTS; i++)
        close(fds[i]);
    return most == CLIENTS * WORDS;
}

START_TEST(many_loops_count_the_words_of_all_clients)
{
    const struct pt_address any = serve_address(0);
    struct sockaddr_in server;
    socklen_t length = sizeof server;
    int probe = socket(AF_INET, SOCK_STREAM, 0), status = 0;
    char port[8];
    char *words[] = {(char *)(uintptr_t) "many", (char *)(uintptr_t) "--port", port,
                     (char *)(uintptr_t) "3"};
    pid_t clients;

    ck_assert_int_eq(bind(probe, (const struct sockaddr *)&any.name, any.length), 0);
    ck_assert_int_eq(getsockname(probe, (struct sockaddr *)(void *)&server, &length), 0);
    close(probe);
    snprintf(port, sizeof port, "%d", ntohs(server.sin_port));
    setenv("PT_POLLER", host_one_of_many(_i), 1);
    host.real = true;
    fflush(stdout);
    clients = fork();
    if (!clients) {
        bool good;

        alarm(600); /* if the server does not come */
        good = all_are_counted(&server);
        kill(getppid(), SIGTERM);
        _exit(!good);
    }
    ck_assert_int_eq(many_main(4, words), 0);
    ck_assert_int_eq(waitpid(clients, &status, 0), clients);
    ck_assert_int_eq(status, 0);
}
END_TEST

Suite *host_suite_many(void)
{
    Suite *suite = suite_create("many");

    host_test(suite, many_loops_count_the_words_of_all_clients);
    return suite;
}
