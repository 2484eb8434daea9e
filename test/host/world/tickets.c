/* tickets.c - a server of tickets, and a client that takes COUNT of them: each is to be above the one before
 * SPDX-License-Identifier: MIT
 *
 *     tickets                      serves at port 7007; forgets the last one when it ends: the bug
 *     tickets 10.0.0.1 COUNT       ends with status 1 at a ticket that is not above the one before */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2000 /* milliseconds */ };

/* Read SIZE bytes, each in time; whether they have come. */
static int hear(int fd, void *data, size_t size)
{
    struct pollfd wait = {fd, POLLIN, 0};
    ssize_t got;

    for (char *to = data; size; size -= (size_t)got, to += got)
        if (poll(&wait, 1, PATIENCE) != 1 || (got = read(fd, to, size)) <= 0)
            return 0;
    return 1;
}

static int serve(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(7007)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    uint32_t ticket = 0;

    if (bind(listener, (struct sockaddr *)&any, sizeof any) || listen(listener, 8))
        return 1;
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        char question;

        while (hear(fd, &question, 1)) {
            ticket++;
            if (write(fd, &ticket, sizeof ticket) != sizeof ticket)
                break;
        }
        close(fd);
    }
}

static int take(const char *address, int count)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7007)};
    const struct timespec pause = {0, 50000000};
    uint32_t last = 0;

    inet_pton(AF_INET, address, &server.sin_addr);
    while (count) {
        int fd = socket(AF_INET, SOCK_STREAM, 0),
            talks = !connect(fd, (struct sockaddr *)&server, sizeof server);

        while (talks && count) {
            uint32_t ticket = 0;

            talks = write(fd, "?", 1) == 1 && hear(fd, &ticket, sizeof ticket);
            if (talks && ticket <= last) {
                printf("ticket %u after %u\n", ticket, last);
                return 1;
            }
            last = talks ? ticket : last;
            count -= talks;
        }
        close(fd);
        if (count)
            nanosleep(&pause, NULL);
    }
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    return argc == 3 ? take(argv[1], atoi(argv[2])) : serve();
}
