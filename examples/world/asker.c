/* asker.c - asks an echo server COUNT times by blocking calls, again after a failure
 * SPDX-License-Identifier: MIT
 *
 *     asker 10.0.0.1 7007 100
 *
 * It ends with status 0 when it has all answers, and with 1 at a wrong one. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 3000, PATIENCE = 5000 /* milliseconds */ };

static int open_connection(char **words)
{
    struct sockaddr_in server = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    server.sin_port = htons((unsigned short)atoi(words[2]));
    inet_pton(AF_INET, words[1], &server.sin_addr);
    if (!connect(fd, (struct sockaddr *)&server, sizeof server))
        return fd;
    printf("connect: %s\n", strerror(errno));
    close(fd);
    return -1;
}

/* The bytes that have come; none after PATIENCE, and at the end. */
static ssize_t hear(int fd, char *answer, size_t room)
{
    struct pollfd wait = {fd, POLLIN, 0};

    return poll(&wait, 1, PATIENCE) == 1 ? read(fd, answer, room) : 0;
}

/* Whether the server has said it all again; a wrong answer ends the program. */
static int ask(int fd, unsigned number)
{
    char question[SIZE], answer[SIZE];
    size_t size = 1 + number * 7919 % SIZE;

    for (size_t i = 0; i < size; i++)
        question[i] = (char)(number + i * 31);
    for (size_t put = 0; put < size;) {
        ssize_t n = write(fd, question + put, size - put);

        if (n < 0)
            return 0;
        put += (size_t)n;
    }
    for (size_t got = 0; got < size;) {
        ssize_t n = hear(fd, answer + got, size - got);

        if (n <= 0)
            return 0;
        if (memcmp(answer + got, question + got, (size_t)n) != 0) {
            printf("question %u: a wrong answer\n", number);
            exit(1);
        }
        got += (size_t)n;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const struct timespec pause = {0, 100000000};
    int fd = -1, count = argc == 4 ? atoi(argv[3]) : 0;

    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < count;) {
        if (fd < 0 && (fd = open_connection(argv)) < 0) {
            nanosleep(&pause, NULL);
        } else if (ask(fd, (unsigned)i)) {
            i++;
        } else {
            printf("question %d: %s\n", i, "the connection is gone");
            close(fd);
            fd = -1;
        }
    }
    printf("%d answers\n", count);
    return 0;
}
