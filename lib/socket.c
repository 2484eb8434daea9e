/* socket.c - sockets that do not block and that no child process inherits
 * SPDX-License-Identifier: MIT
 *
 * Where the system knows the flags, a socket is born so; else (macOS) it is told in two steps more, and
 * a process that another thread starts in between inherits it. PT_PLAIN_UNIX has Linux built and
 * tested the second way. */
#define _GNU_SOURCE
#include "socket.h"

#if defined(SOCK_NONBLOCK) && !defined(PT_PLAIN_UNIX)

#include <stddef.h>

int pt_socket_make_(int domain, int type, int protocol)
{
    return socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

int pt_socket_accept_(int fd)
{
    return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* FD as it shall be, or -1 with errno, and it is closed. */
static int prepared(int fd)
{
    int error;

    if (fd < 0 || (!fcntl(fd, F_SETFD, FD_CLOEXEC) && !fcntl(fd, F_SETFL, O_NONBLOCK)))
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

int pt_socket_make_(int domain, int type, int protocol)
{
    return prepared(socket(domain, type, protocol));
}

int pt_socket_accept_(int fd)
{
    return prepared(accept(fd, NULL, NULL));
}

#endif
