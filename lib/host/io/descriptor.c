/* descriptor.c - open, make and close descriptors
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptor.h"

#include "../../fork.h"
#include "../../needs.h"
#include "../../socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

pt_status pt_io_fail_(struct pt_io *io, int error)
{
    io->error = error;
    return error == ENOMEM ? PT_ENOMEM : PT_EIO;
}

/* A pt_io that was closed has no descriptor, -1; a zeroed one seems to have descriptor 0. */
pt_status pt_io_closed_(const struct pt_io *io, const char *name)
{
    PT_NEEDS_(io->fd < 0, "the pt_io was never opened: see pt_io_open, pt_listen, PT_ACCEPT", name);
    return io->refused ? (pt_status)io->refused : (pt_status)PT_ECLOSED;
}

/* The end of an opening: remember its code for the operations that follow, if it is ignored. */
static pt_status opened(struct pt_io *io, pt_status status)
{
    io->refused = (int8_t)status;
    return status;
}

pt_status pt_io_refuse_(struct pt_io *io, pt_status status, int error)
{
    pt_io_clear_(io);
    io->error = error;
    return opened(io, status);
}

static pt_status adopt(struct pt_io *io, struct pt_system *system, int fd, int kind)
{
    int error;

    PT_NEEDS_SYSTEM_(system, io->borrowed ? "pt_io_borrow" : "pt_io_open");
    if (pt_forked_since_(system->forks))
        return PT_EPERM;
    if (!io->borrowed && (unsigned)fd < system->count && system->places[fd].io)
        return PT_EBUSY;
    error = pt_slot_enter_(io, system, fd, kind == PT_IO_FILE_);
    if (error)
        return pt_io_fail_(io, error);
    io->socket = kind == PT_IO_TCP_ || kind == PT_IO_SOCKET_;
    io->stream = kind == PT_IO_TCP_;
    io->readable = io->writable = true;
    io->share = 32;
    return PT_OK;
}

pt_status pt_io_adopt_(struct pt_io *io, struct pt_system *system, int fd, int kind)
{
    pt_io_clear_(io);
    return opened(io, adopt(io, system, fd, kind));
}

/* The kind of a socket. SCTP keeps message boundaries, but has the same domain and type as TCP. */
static int kind_of_socket(int domain, int type, int protocol)
{
    bool internet = domain == AF_INET || domain == AF_INET6;

    return internet && type == SOCK_STREAM && protocol == IPPROTO_TCP ? PT_IO_TCP_ : PT_IO_SOCKET_;
}

static int kind_of_open_socket(int fd)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof(int), name_length = sizeof name;
    int type, protocol = IPPROTO_TCP;

    name.ss_family = AF_UNSPEC;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) ||
        getsockname(fd, (struct sockaddr *)&name, &name_length))
        return -1;
#ifdef SO_PROTOCOL
    length = sizeof protocol;
    if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length))
        return -1;
#endif
    return kind_of_socket(name.ss_family, type, protocol);
}

int pt_io_kind_(int fd)
{
    struct stat about;

    if (fstat(fd, &about))
        return -1;
    if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) || S_ISBLK(about.st_mode))
        return PT_IO_FILE_;
    return S_ISSOCK(about.st_mode) ? PT_IO_SOCKET_ : PT_IO_OTHER_;
}

/* The kind of a descriptor, or -1 with errno. */
static int kind_of(int fd)
{
    int kind = pt_io_kind_(fd);

    return kind == PT_IO_SOCKET_ ? kind_of_open_socket(fd) : kind;
}

pt_status pt_io_open(struct pt_io *io, struct pt_system *system, int fd)
{
    int kind = kind_of(fd), flags;
    bool blocking;

    pt_io_clear_(io);
    if (kind < 0)
        return opened(io, pt_io_fail_(io, errno));
    flags = fcntl(fd, F_GETFL);
    blocking = !(flags & O_NONBLOCK);
    if (flags < 0 || (blocking && fcntl(fd, F_SETFL, flags | O_NONBLOCK)))
        return opened(io, pt_io_fail_(io, errno));
    if (pt_io_adopt_(io, system, fd, kind) == PT_OK) {
        io->restores = blocking;
        io->shares = !blocking;
        system->sharing += io->shares;
    } else if (blocking) {
        fcntl(fd, F_SETFL, flags);
    }
    return io->refused;
}

pt_status pt_io_borrow(struct pt_io *io, struct pt_system *system, int fd)
{
    int kind = kind_of(fd);

    pt_io_clear_(io);
    io->borrowed = true;
    return opened(io, kind < 0 ? pt_io_fail_(io, errno) : adopt(io, system, fd, kind));
}

/* Make a descriptor that was blocking so again. Its copies share that, and the other pt_io of a
 * copy found it non-blocking: then it stays so, and that pt_io restores it. */
static void restore(struct pt_system *system, int fd)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
        return;
    for (unsigned i = 0; system->sharing && i < system->count; i++) {
        struct pt_io *other = system->places[i].io;

        if (!other || !other->shares || fcntl((int)i, F_GETFL) & O_NONBLOCK)
            continue;
        /* A copy follows. Another file is blocking because somebody has made it so since. */
        fcntl(fd, F_SETFL, flags);
        if (!(fcntl((int)i, F_GETFL) & O_NONBLOCK)) {
            fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
            continue;
        }
        other->restores = true;
        other->shares = false;
        system->sharing--;
        return;
    }
}

/* Close IO, but not its descriptor: the result. CLOSES: its close comes next. */
static int leave(struct pt_io *io, bool closes)
{
    struct pt_system *system = io->system;
    struct pt_slot_ *slot = system ? pt_io_slot_(io) : NULL;
    int fd = io->fd;

    if (!system)
        return -1;
    if (slot)
        pt_slot_leave_(slot, io);
    if (slot && io->polled && !pt_slot_first_(slot) &&
        !pt_forked_since_(system->forks)) /* a child shares its parent's poller */
        system->poller->remove(system, io->fd, closes);
    if (slot && io->restores && !pt_forked_since_(system->forks))
        restore(system, io->fd);
    system->sharing -= slot && io->shares;
    if (io->held >= 0)
        close(io->held);
    io->system = NULL;
    io->fd = io->held = -1;
    if (slot) {
        pt_wait_list_complete_all_(&io->readers, PT_ECLOSED, 0);
        pt_wait_list_complete_all_(&io->writers, PT_ECLOSED, 0);
        pt_wait_list_complete_all_(&io->hangups, PT_ECLOSED, 0);
    }
    if (slot && io->watched)
        pt_polled_tell_(pt_polled_of_(io), POLLNVAL);
    return fd;
}

int pt_io_release(struct pt_io *io)
{
    return leave(io, false);
}

pt_status pt_io_close(struct pt_io *io)
{
    struct pt_slot_ *slot = io->system && !io->borrowed ? pt_io_slot_(io) : NULL;
    bool failed;
    int fd;

    while (slot && slot->borrowers)
        pt_io_release(slot->borrowers);
    fd = leave(io, !io->borrowed);
    failed = fd >= 0 && !io->borrowed && close(fd) && errno != EINTR;
    return failed ? pt_io_fail_(io, errno) : (pt_status)PT_OK;
}

/* --- sockets --------------------------------------------------------------------------------- */

pt_status pt_socket(struct pt_io *io, struct pt_system *system, int domain, int type, int protocol)
{
    int fd = pt_socket_make_(domain, type, protocol);
    pt_status status;

    pt_io_clear_(io);
    if (fd < 0)
        return opened(io, pt_io_fail_(io, errno));
    status = pt_io_adopt_(io, system, fd,
                          kind_of_socket(domain, type, protocol ? protocol : IPPROTO_TCP));
    if (status != PT_OK)
        close(fd);
    return status;
}
