/* client.c - the client of the echo bench: each connection sends 64 bytes and waits for the echo
 * SPDX-License-Identifier: MIT
 *
 *     client PORT CONNECTIONS REQUESTS PID
 *
 * Prints requests per second, the median and the 99th percentile of their times in microseconds,
 * and the processor time, in nanoseconds, that the server PID took for each. */
#define _GNU_SOURCE
#include "client.h"

enum { SIZE = 64, MOST = 10000, EVENTS = 256 };

static int fds[MOST];
static double began[MOST];
static double *times;

static void say(int i)
{
    static const char message[SIZE];

    began[i] = now();
    if (write(fds[i], message, SIZE) != SIZE)
        fail("write");
}

static void connect_all(int poller, int port, int count)
{
    for (int i = 0; i < count; i++)
        fds[i] = dial(poller, port, i);
}

/* Run until COUNT answers have arrived; each connection sends again while requests remain. */
static void ask(int poller, int open, long count)
{
    struct epoll_event events[EVENTS];
    char data[SIZE];
    long asked = 0, done = 0;

    for (int i = 0; i < open && asked < count; i++, asked++)
        say(i);
    while (done < count) {
        int ready = epoll_wait(poller, events, EVENTS, -1);

        for (int i = 0; i < ready; i++) {
            int which = (int)events[i].data.u32;

            if (read(fds[which], data, SIZE) != SIZE)
                fail("read");
            times[done++] = now() - began[which];
            if (asked < count) {
                say(which);
                asked++;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int poller = epoll_create1(0), open = argc > 4 ? atoi(argv[2]) : 0;
    long count = argc > 4 ? atol(argv[3]) : 0;
    double start, spent, cpu;

    if (open < 1 || open > MOST || count < open)
        return 2;
    times = calloc((size_t)count, sizeof *times);
    connect_all(poller, atoi(argv[1]), open);
    ask(poller, open, open); /* a first request on each connection, not measured */
    cpu = cpu_of(argv[4]);
    start = now();
    ask(poller, open, count);
    spent = now() - start;
    cpu = cpu_of(argv[4]) - cpu;
    qsort(times, (size_t)count, sizeof *times, compare);
    printf("%.0f %.1f %.1f %.1f\n", (double)count * 1e9 / spent, times[count / 2] / 1e3,
           times[count / 100 * 99] / 1e3, cpu / (double)count);
    return 0;
}
