/* socket.c - sockets and pipes that do not block and that no child process inherits
 * SPDX-License-Identifier: MIT
 *
 * Where the system has the flags, one call makes such a socket. Elsewhere (macOS) it takes two more
 * calls, and a process that another thread starts in between inherits the socket. PT_PLAIN_UNIX
 * builds and tests the second way on Linux. */
#define _GNU_SOURCE
#include "socket.h"

#include <stdint.h>
#include <string.h>

ssize_t pt_socket_send_(int fd, const struct iovec *parts, int count)
{
    struct msghdr message;

    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    return sendmsg(fd, &message, PT_NO_SIGNAL_);
}

#if defined(SOCK_NONBLOCK) && !defined(PT_PLAIN_UNIX)

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

int pt_socket_make_(int domain, int type, int protocol)
{
    return socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

int pt_socket_accept_(int fd)
{
    return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int pt_pipe_make_(int ends[2])
{
    return pipe2(ends, O_NONBLOCK | O_CLOEXEC);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Make FD non-blocking and close-on-exec. On failure FD is closed: -1 with errno. */
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

int pt_pipe_make_(int ends[2])
{
    int error;

    if (pipe(ends))
        return -1;
    if (prepared(ends[0]) < 0) {
        error = errno;
        close(ends[1]);
    } else if (prepared(ends[1]) < 0) {
        error = errno;
        close(ends[0]);
    } else {
        return 0;
    }
    errno = error;
    return -1;
}

#endif
