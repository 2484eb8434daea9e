/* script.c - scripts of the model (test/model) on machines: what is outside of their loops is another machine
 * SPDX-License-Identifier: MIT
 *
 *     script                            the outside, at port 7007; for one machine at a time
 *     script 10.0.0.1 FIRST COUNT       a machine that runs the scripts of COUNT seeds from FIRST, one after the other
 *
 * A machine knows the tasks of its script, but no turn of it. The outside lets the time of a turn pass on its own
 * clock, and sends it: by how much time moves, and what is done to the loop from outside. The machine runs the turn,
 * and answers with its events. At the end the outside compares all of them with those of the reference. A machine
 * without an answer connects anew, and begins the script again. A difference is printed, and ends the machine with
 * status 1. It has no libpt, because the model has labels of 16 bits. */
#include "../../model/script.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2000 /* milliseconds */ };

static struct script script;
static struct trace wanted, got;

static void rest(long microseconds)
{
    const struct timespec span = {0, 1000 * microseconds};

    nanosleep(&span, NULL);
}

/* Read SIZE bytes, each in time; whether they have come. */
static bool hear(int fd, void *data, size_t size)
{
    struct pollfd wait = {fd, POLLIN, 0};
    ssize_t n;

    for (char *to = data; size; size -= (size_t)n, to += n)
        if (poll(&wait, 1, PATIENCE) != 1 || (n = read(fd, to, size)) <= 0)
            return false;
    return true;
}

static bool say(int fd, const void *data, size_t size)
{
    ssize_t n;

    for (const char *from = data; size; size -= (size_t)n, from += n)
        if ((n = write(fd, from, size)) <= 0)
            return false;
    return true;
}

/* --- the outside ----------------------------------------------------------------------------- */

/* Whether the events are those that the reference has. */
static bool judge(uint64_t seed)
{
    int difference;

    reference_run(&script, &wanted);
    difference = trace_difference(&wanted, &got);
    if (difference < 0)
        return true;
    printf("seed %d: event %d differs\n", (int)seed, difference);
    event_print(&wanted.events[difference]);
    event_print(&got.events[difference]);
    return false;
}

static bool hear_events(int fd)
{
    int count;

    if (!hear(fd, &count, sizeof count) || count < 0 || count > MODEL_EVENTS - got.count ||
        !hear(fd, &got.events[got.count], (size_t)count * sizeof(struct event)))
        return false;
    got.count += count;
    return true;
}

static void direct(int fd)
{
    uint64_t seed;
    bool right;

    if (!hear(fd, &seed, sizeof seed))
        return;
    script_generate(&script, seed);
    trace_begin(&got);
    for (int i = 0; i < script.turns; i++) {
        rest(script.turn[i].jump);
        if (!say(fd, &script.turn[i], sizeof script.turn[i]) || !hear_events(fd))
            return;
    }
    right = judge(seed);
    say(fd, &right, sizeof right);
}

static int serve(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(7007)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(listener, (struct sockaddr *)&any, sizeof any) || listen(listener, 8))
        return 2;
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        direct(fd);
        close(fd);
    }
}

/* --- a machine ------------------------------------------------------------------------------- */

static bool say_events(int fd, int from)
{
    int count = got.count - from;

    return say(fd, &count, sizeof count) &&
           say(fd, &got.events[from], (size_t)count * sizeof(struct event));
}

/* Whether a script was run to its end, and its outcome is known; a wrong one ends the program. */
static bool run(int fd, uint64_t seed)
{
    bool right;

    if (!say(fd, &seed, sizeof seed))
        return false;
    script_generate(&script, seed);
    memset(script.turn, 0, sizeof script.turn);
    subject_begin(&script, &got);
    for (int i = 0; i < script.turns; i++) {
        int told = got.count;

        if (!hear(fd, &script.turn[i], sizeof script.turn[i]))
            return false;
        subject_turn(i);
        if (i == script.turns - 1)
            subject_end();
        if (!say_events(fd, told))
            return false;
    }
    if (!hear(fd, &right, sizeof right))
        return false;
    if (!right)
        exit(1);
    return true;
}

static void work(const char *address, uint64_t seed, int count)
{
    struct sockaddr_in outside = {.sin_family = AF_INET, .sin_port = htons(7007)};

    inet_pton(AF_INET, address, &outside.sin_addr);
    while (count) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        if (!connect(fd, (struct sockaddr *)&outside, sizeof outside) && run(fd, seed)) {
            seed++;
            count--;
        } else {
            rest(50000);
        }
        close(fd);
    }
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc != 4)
        return serve();
    work(argv[1], strtoull(argv[2], NULL, 10), atoi(argv[3]));
    return 0;
}
