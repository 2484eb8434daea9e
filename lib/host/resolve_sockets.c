/* resolve_sockets.c - the sockets of a query of c-ares, which a task can wait for
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "resolve_sockets.h"

#ifdef PT_HAVE_CARES

#include "../socket.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* --- what c-ares calls instead of the system ------------------------------------------------- */

/* If this fails, c-ares asks another server, if there is one. The callback for its
 * directions comes later, when nothing must fail any more. */
static ares_socket_t make(int domain, int type, int protocol, void *data)
{
    struct pt_resolve *self = data;
    int fd = pt_socket_make_(domain, type, protocol);

    if (fd < 0) {
        self->error = errno;
    } else if (pt_pollset_set(&self->set, fd, POLLIN) != PT_OK) {
        self->error = self->set.error;
        close(fd);
        fd = ARES_SOCKET_BAD;
    }
    errno = self->error;
    return fd;
}

static int unmake(ares_socket_t fd, void *data)
{
    struct pt_resolve *self = data;

    pt_pollset_set(&self->set, fd, 0);
    return close(fd);
}

static int begin(ares_socket_t fd, const struct sockaddr *to, ares_socklen_t length, void *data)
{
    (void)data;
    return connect(fd, to, length);
}

static ares_ssize_t take(ares_socket_t fd, void *bytes, size_t size, int flags,
                         struct sockaddr *from, ares_socklen_t *length, void *data)
{
    (void)data;
    return recvfrom(fd, bytes, size, flags, from, length);
}

static ares_ssize_t put(ares_socket_t fd, const struct iovec *parts, int count, void *data)
{
    struct msghdr message;

    (void)data;
    memset(&message, 0, sizeof message);
    message.msg_iov = (struct iovec *)(uintptr_t)parts;
    message.msg_iovlen = (size_t)count;
    return sendmsg(fd, &message, PT_NO_SIGNAL_);
}

void pt_resolve_want_(void *data, ares_socket_t fd, int readable, int writable)
{
    struct pt_resolve *self = data;

    if (readable || writable)
        pt_pollset_set(&self->set, fd, (readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
}

void pt_resolve_use_sockets_(struct pt_resolve *self, ares_channel channel)
{
    static const struct ares_socket_functions functions = {make, unmake, begin, take, put};

    ares_set_socket_functions(channel, &functions, self);
}

#else

typedef int pt_cares_is_not_here_;

#endif
