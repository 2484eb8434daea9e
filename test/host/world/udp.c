/* udp.c - datagrams: questions that are asked again, and a count of what arrives
 * SPDX-License-Identifier: MIT
 *
 *     udp                        answers each number with its square, at port 7007
 *     udp 10.0.0.1 COUNT         asks for the squares of 1 to COUNT; ends with status 1 at a wrong one
 *     udp tell 10.0.0.1 COUNT    sends the numbers of 1 to COUNT, one each millisecond
 *     udp count                  prints how many came, came twice, and came late, when nothing has come for a second
 *     udp refused 10.0.0.1       sends to a port that has no socket, and prints what it learns of that */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { NUMBERS = 10000 };

static int open_socket(int port, const char *peer)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    if (peer)
        inet_pton(AF_INET, peer, &name.sin_addr);
    if (peer ? connect(fd, (struct sockaddr *)&name, sizeof name)
             : bind(fd, (struct sockaddr *)&name, sizeof name))
        exit(2);
    return fd;
}

/* A number that comes within a time, or -1. */
static long hear(int fd, int patience)
{
    struct pollfd wait = {fd, POLLIN, 0};
    long number;

    return poll(&wait, 1, patience) == 1 && read(fd, &number, sizeof number) == sizeof number
               ? number
               : -1;
}

static int serve(void)
{
    int fd = open_socket(7007, NULL);

    for (;;) {
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        long question[2];

        if (recvfrom(fd, question, sizeof *question, 0, (struct sockaddr *)&from, &length) !=
            sizeof *question)
            return 1;
        question[1] = *question * *question;
        sendto(fd, question, sizeof question, 0, (struct sockaddr *)&from, length);
    }
}

static int ask(const char *server, long count)
{
    int fd = open_socket(7007, server);

    for (long number = 1; number <= count; number++) {
        struct pollfd wait = {fd, POLLIN, 0};
        long answer[2] = {0, 0};

        while (answer[0] != number) { /* an answer can be one to an earlier question */
            ssize_t got = send(fd, &number, sizeof number, 0);

            if (got == sizeof number && poll(&wait, 1, 50) == 1)
                got = recv(fd, answer, sizeof answer, 0);
            if (got == sizeof answer && answer[1] != answer[0] * answer[0]) {
                printf("%ld squared: %ld\n", answer[0], answer[1]);
                return 1;
            }
        }
    }
    return 0;
}

static int tell(const char *peer, long count)
{
    const struct timespec millisecond = {0, 1000000};
    int fd = open_socket(7007, peer);

    for (long number = 1; number <= count; number++) {
        send(fd, &number, sizeof number, 0);
        nanosleep(&millisecond, NULL);
    }
    return 0;
}

static int count(void)
{
    static char seen[NUMBERS];
    int fd = open_socket(7007, NULL), all = 0, twice = 0, late = 0;
    long last = 0, number;

    while ((number = hear(fd, all ? 1000 : -1)) > 0) {
        all++;
        twice += seen[number];
        late += !seen[number] && number < last;
        seen[number] = 1;
        last = number > last ? number : last;
    }
    printf("%d %d %d\n", all - twice, twice, late);
    return 0;
}

static int refused(const char *peer)
{
    int fd = open_socket(7008, peer);
    char byte = 0;

    send(fd, &byte, 1, 0);
    puts(recv(fd, &byte, 1, 0) < 0 ? strerror(errno) : "nothing");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return serve();
    if (!strcmp(argv[1], "tell"))
        return tell(argv[2], atol(argv[3]));
    if (!strcmp(argv[1], "count"))
        return count();
    if (!strcmp(argv[1], "refused"))
        return refused(argv[2]);
    return ask(argv[1], atol(argv[2]));
}
