/* resolve_sockets.c - the sockets of a query of c-ares, which a task can wait for
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "resolve_sockets.h"

#ifdef PT_HAVE_CARES

#include "../socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The socket in the list with descriptor FD; -1: a closed one, to use again. */
static struct pt_resolve_socket_ *find(const struct pt_resolve *self, int fd)
{
    struct pt_resolve_socket_ *it = self->sockets;

    while (it && it->io.fd != fd)
        it = it->next;
    return it;
}

/* Add a closed socket to the list; NULL with self->error. */
static struct pt_resolve_socket_ *add(struct pt_resolve *self)
{
    struct pt_resolve_socket_ *it = NULL;

    if (self->known < PT_RESOLVE_SOCKETS_)
        it = calloc(1, sizeof *it);
    if (!it) {
        self->error = self->known < PT_RESOLVE_SOCKETS_ ? ENOMEM : EMFILE;
        return NULL;
    }
    it->io.fd = -1;
    it->next = self->sockets;
    self->sockets = it;
    self->known++;
    return it;
}

/* --- what c-ares calls instead of the system ------------------------------------------------- */

/* If this fails, c-ares asks another server, if there is one. */
static ares_socket_t make(int domain, int type, int protocol, void *data)
{
    struct pt_resolve *self = data;
    struct pt_resolve_socket_ *it = find(self, -1);

    if (!it)
        it = add(self);
    if (it && pt_socket(&it->io, self->system, domain, type, protocol) == PT_OK) {
        it->reads = it->writes = false;
        return it->io.fd;
    }
    if (it)
        self->error = it->io.error;
    errno = self->error;
    return ARES_SOCKET_BAD;
}

static int unmake(ares_socket_t fd, void *data)
{
    pt_io_close(&find(data, fd)->io);
    return 0;
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
    struct pt_resolve_socket_ *it = find(data, fd);

    if (it) {
        it->reads = readable;
        it->writes = writable;
    }
}

void pt_resolve_use_sockets_(struct pt_resolve *self, ares_channel channel)
{
    static const struct ares_socket_functions functions = {make, unmake, begin, take, put};

    ares_set_socket_functions(channel, &functions, self);
}

#else

typedef int pt_cares_is_not_here_;

#endif
