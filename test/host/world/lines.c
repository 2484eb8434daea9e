/* lines.c - clients of the servers of examples/ whose clients send lines
 * SPDX-License-Identifier: MIT
 *
 *     lines ask 10.0.0.1 COUNT       asks one line after the other: each answer is a line, with what was sent, or of
 *                                    many.c
 *     lines speak 10.0.0.1 COUNT     says COUNT lines to a chat, and reads what the others say
 *     lines listen 10.0.0.1          reads for ever
 *
 * Over a new connection after a failure. They end with status 1 at a wrong answer: of each guest of a chat the lines
 * that one connection hears are numbered without a gap. */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 5000 /* milliseconds */, GUESTS = 1000 };

static const char *address;
static char room[65536]; /* what has come, and is not a whole line yet */
static size_t used;
static int heard[GUESTS]; /* the number of the last line of a guest */

static int open_connection(void)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(7007)};
    const struct timespec pause = {0, 100000000};

    inet_pton(AF_INET, address, &server.sin_addr);
    used = 0;
    memset(heard, 0, sizeof heard);
    for (;;) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        if (!connect(fd, (struct sockaddr *)&server, sizeof server))
            return fd;
        close(fd);
        nanosleep(&pause, NULL);
    }
}

static int say(int fd, const char *text)
{
    ssize_t put;

    for (size_t left = strlen(text); left; left -= (size_t)put, text += put)
        if ((put = write(fd, text, left)) < 0)
            return 0;
    return 1;
}

/* The next line within PATIENCE, without its end; NULL if there is none. WAITED: none within that time. */
static char *hear(int fd, int patience, int *waited)
{
    static char line[65536];
    struct pollfd wait = {fd, POLLIN, 0};
    char *end;

    *waited = 0;
    while (!(end = memchr(room, '\n', used))) {
        ssize_t got;

        if (poll(&wait, 1, patience) != 1) {
            *waited = 1;
            return NULL;
        }
        got = read(fd, room + used, sizeof room - used);
        if (got <= 0)
            return NULL;
        used += (size_t)got;
    }
    memcpy(line, room, (size_t)(end - room));
    line[end - room] = '\0';
    used -= (size_t)(end + 1 - room);
    memmove(room, end + 1, used);
    return line;
}

static int ask(int count)
{
    int fd = open_connection(), waited;

    for (int i = 0; i < count;) {
        char question[32];
        const char *answer;

        snprintf(question, sizeof question, "line %d\n", i);
        answer = say(fd, question) ? hear(fd, PATIENCE, &waited) : NULL;
        question[strlen(question) - 1] = '\0';
        if (answer && strncmp(answer, "l: ", 3) != 0 && !strstr(answer, question)) {
            printf("%s: %s\n", question, answer);
            return 1;
        }
        i += answer != NULL;
        if (answer)
            continue;
        close(fd);
        fd = open_connection();
    }
    return 0;
}

/* Hear what there is, without a wait if QUICK; whether the connection goes on. */
static int follow(int fd, int quick)
{
    const char *line;
    int waited, guest, number;

    while ((line = hear(fd, quick ? 0 : PATIENCE, &waited)))
        if (sscanf(line, "guest %d: line %d", &guest, &number) == 2 && guest < GUESTS) {
            if (heard[guest] && number != heard[guest] + 1) {
                printf("guest %d: line %d after %d\n", guest, number, heard[guest]);
                exit(1);
            }
            heard[guest] = number;
        }
    return waited;
}

static int talk(int count)
{
    const struct timespec pause = {0, 5000000};
    int fd = open_connection();

    for (int i = 1; count < 0 || i <= count; i++) {
        char text[32];

        snprintf(text, sizeof text, "line %d\n", i);
        if (follow(fd, count > 0) && (count < 0 || say(fd, text))) {
            nanosleep(&pause, NULL);
            continue;
        }
        close(fd);
        fd = open_connection();
        i = 0;
    }
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc < 3)
        return 2;
    address = argv[2];
    return argc == 3 ? talk(-1) : strcmp(argv[1], "ask") ? talk(atoi(argv[3])) : ask(atoi(argv[3]));
}
