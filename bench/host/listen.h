/* listen.h - opens the listening socket of the servers in C, and prints its port
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_LISTEN_H
#define BENCH_LISTEN_H

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static inline int bench_listen(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name;
    socklen_t length = sizeof name;

    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, (struct sockaddr *)&name, length) || listen(fd, 4096) ||
        getsockname(fd, (struct sockaddr *)&name, &length))
        return -1;
    printf("%d\n", ntohs(name.sin_port));
    fflush(stdout);
    return fd;
}

#endif
