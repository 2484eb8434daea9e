/* client.h - what the clients of the benches share
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

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

static inline double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The processor time of all threads of a process. */
static inline double cpu_of(const char *pid)
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

static inline void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Connect number I to PORT; POLLER reports what comes. */
static inline int dial(int poller, int port, int i)
{
    struct sockaddr_in name;
    struct epoll_event event;
    const int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    name.sin_port = htons((unsigned short)port);
    if (fd < 0 || connect(fd, (struct sockaddr *)&name, sizeof name))
        fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    event.events = EPOLLIN;
    event.data.u32 = (unsigned)i;
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event))
        fail("epoll_ctl");
    return fd;
}

static inline int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

#endif
