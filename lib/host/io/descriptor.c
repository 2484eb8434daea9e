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

/* Neither a listener nor a socket whose connect has not ended. */
static bool is_connected(int fd)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof name;

    return !getpeername(fd, (struct sockaddr *)&name, &length);
}

void pt_io_batch(struct pt_io *io)
{
    const struct pt_batching_ *batching = io->system ? io->system->poller->batching : NULL;

    if (!batching || io->batched || io->borrowed || !io->stream || !is_connected(io->fd) ||
        pt_forked_since_(io->system->forks))
        return;
    pt_io_arrives_(io);
    io->batched = batching->begin(io);
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
