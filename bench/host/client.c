/* client.c - the client of the echo bench: each connection sends 64 bytes and waits for the echo
 * SPDX-License-Identifier: MIT
 *
 *     client PORT CONNECTIONS REQUESTS PID
 *
 * Prints requests per second, the median and the 99th percentile of their times in microseconds,
 * and the processor time, in nanoseconds, that the server PID took for each. */
#define _GNU_SOURCE
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 64, MOST = 10000, EVENTS = 256 };

static int fds[MOST];
static double began[MOST];
static double *times;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The processor time of all threads of a process. */
static double cpu_of(const char *pid)
{
    char path[64];
    double sum = 0;
    struct dirent *entry;
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%.16s/task", pid);
    threads = opendir(path);
    while (threads && (entry = readdir(threads)) != NULL) {
        unsigned long long spent = 0;
        FILE *file;

        snprintf(path, sizeof path, "/proc/%.16s/task/%.16s/schedstat", pid, entry->d_name);
        file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (file && fscanf(file, "%llu", &spent) == 1)
            sum += (double)spent;
        if (file)
            fclose(file);
    }
    if (threads)
        closedir(threads);
    return sum;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void say(int i)
{
    static const char message[SIZE];

    began[i] = now();
    if (write(fds[i], message, SIZE) != SIZE)
        fail("write");
}

static void connect_all(int poller, int port, int count)
{
    struct sockaddr_in name;
    struct epoll_event event;
    const int on = 1;

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    name.sin_port = htons((unsigned short)port);
    for (int i = 0; i < count; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (fds[i] < 0 || connect(fds[i], (struct sockaddr *)&name, sizeof name))
            fail("connect");
        setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        event.events = EPOLLIN;
        event.data.u32 = (unsigned)i;
        if (epoll_ctl(poller, EPOLL_CTL_ADD, fds[i], &event))
            fail("epoll_ctl");
    }
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

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
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
