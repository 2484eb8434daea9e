/* guest.c - small programs for the tests of a world: the first word says which
 * SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int starts;

/* A static variable is new at each start. */
static int count(void)
{
    printf("start %d\n", ++starts);
    return 0;
}

/* Both clocks, every second of the monotonic one. */
static int clocks(void)
{
    const struct timespec second = {1, 0};

    for (int i = 0; i < 1000; i++) {
        nanosleep(&second, NULL);
    }
    printf("%ld\n", (long)time(NULL));
    return 0;
}

/* A queue of two places, from which no task takes. */
static int deaf(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(7007)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(fd, (struct sockaddr *)&any, sizeof any) || listen(fd, 1))
        return 1;
    for (;;)
        pause();
}

/* Writes until that fails. */
/* Connected to the server, or -1. */
static int connected(void)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7007)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    signal(SIGPIPE, SIG_IGN);
    inet_pton(AF_INET, "10.0.0.1", &server.sin_addr);
    return connect(fd, (struct sockaddr *)&server, sizeof server) ? -1 : fd;
}

static int shout(void)
{
    int fd = connected();

    if (fd < 0)
        return 1;
    while (write(fd, "a", 1) == 1) {
    }
    puts(strerror(errno));
    return 0;
}

/* Ask once, after a while, and wait for an answer. */
static int ask(void)
{
    int fd = connected();
    char byte;

    if (fd < 0)
        return 1;
    usleep(200000);
    if (write(fd, "a", 1) == 1 && read(fd, &byte, 1) < 0)
        puts(strerror(errno));
    return 0;
}

/* Asks a client after ten seconds of silence, then three times; "most": gives it up after eight seconds. Says a word
 * behind a minute. */
static int keeps(bool most)
{
    static const int options[][3] = {
        {SOL_SOCKET, SO_KEEPALIVE, 1},         {IPPROTO_TCP, TCP_KEEPIDLE, 10},
        {IPPROTO_TCP, TCP_KEEPINTVL, 2},       {IPPROTO_TCP, TCP_KEEPCNT, 3},
        {IPPROTO_TCP, TCP_USER_TIMEOUT, 8000},
    };
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(7007)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), peer;
    char byte;

    if (bind(fd, (struct sockaddr *)&any, sizeof any) || listen(fd, 1))
        return 1;
    peer = accept(fd, NULL, NULL);
    for (int i = most ? 4 : 0; i < (most ? 5 : 4); i++)
        setsockopt(peer, options[i][0], options[i][1], &options[i][2], sizeof options[i][2]);
    if (most) {
        sleep(60);
        send(peer, "a", 1, MSG_NOSIGNAL);
    }
    puts(read(peer, &byte, 1) < 0 ? strerror(errno) : "an end");
    return 0;
}

/* Connects, and says nothing. */
static int silent(void)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7007)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    inet_pton(AF_INET, "10.0.0.1", &server.sin_addr);
    if (connect(fd, (struct sockaddr *)&server, sizeof server))
        return 1;
    for (;;)
        pause();
}

/* Waits for ever, without a call that waits. */
static int spin(void)
{
    while (time(NULL)) {
    }
    return 0;
}

/* Asks the system for what no world has. */
static int strange(void)
{
    char name[64];

    return gethostname(name, sizeof name);
}

/* Would be two processes. */
static int forks(void)
{
    return fork() < 0;
}

/* Tells of an address: another one in each process. */
static int address(void)
{
    printf("%p\n", (void *)&starts);
    return 0;
}

static int by_address(const void *a, const void *b)
{
    uint32_t hashes[2];

    for (int i = 0; i < 2; i++) {
        hashes[i] = (uint32_t)(uintptr_t) * (char *const *)(i ? b : a) * 2654435761u;
        hashes[i] = (hashes[i] ^ hashes[i] >> 13) * 2246822519u;
    }
    return (hashes[0] > hashes[1]) - (hashes[0] < hashes[1]);
}

/* Serves its items in the order of a hash of their addresses, as a table of pointers does. */
static int order(void)
{
    static char items[20];
    char *places[20];

    for (int i = 0; i < 20; i++)
        places[i] = &items[i];
    qsort(places, 20, sizeof *places, by_address);
    for (int i = 0; i < 20; i++)
        printf("%d\n", (int)(places[i] - items));
    return 0;
}

/* Goes by the clock of the processor, which no call reads. */
static int ticks(void)
{
    printf("%llu\n", (unsigned long long)__builtin_ia32_rdtsc());
    return 0;
}

/* Reads what is not there. */
static int crash(void)
{
    return *(volatile int *)8;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    return !strcmp(word, "count")     ? count()
           : !strcmp(word, "clocks")  ? clocks()
           : !strcmp(word, "deaf")    ? deaf()
           : !strcmp(word, "shout")   ? shout()
           : !strcmp(word, "ask")     ? ask()
           : !strcmp(word, "keep")    ? keeps(argc > 2)
           : !strcmp(word, "silent")  ? silent()
           : !strcmp(word, "spin")    ? spin()
           : !strcmp(word, "strange") ? strange()
           : !strcmp(word, "fork")    ? forks()
           : !strcmp(word, "address") ? address()
           : !strcmp(word, "order")   ? order()
           : !strcmp(word, "ticks")   ? ticks()
           : !strcmp(word, "crash")   ? crash()
                                      : 1;
}
