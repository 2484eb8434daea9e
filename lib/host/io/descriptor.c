/* descriptor.c - open, make and close descriptors
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptor.h"

#include "../../fork.h"
#include "../../needs.h"
#include "../poll/poller.h"
#include "../../socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Make room for the slot of descriptor FD. */
static bool reserve(struct pt_system *system, int fd)
{
    unsigned count = system->count ? system->count : 64;
    struct pt_slot_ *places;

    if ((unsigned)fd < system->count)
        return true;
    while (count <= (unsigned)fd)
        count *= 2;
    places = realloc(system->places, count * sizeof *places);
    if (!places)
        return false;
    memset(places + system->count, 0, (count - system->count) * sizeof *places);
    system->places = places;
    system->count = count;
    return true;
}

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

void pt_io_clear_(struct pt_io *io)
{
    memset(io, 0, sizeof *io);
    io->fd = io->held = -1;
}

static pt_status adopt(struct pt_io *io, struct pt_system *system, int fd, int kind)
{
    unsigned generation;
    int error = 0;

    PT_NEEDS_SYSTEM_(system, "pt_io_open");
    if (pt_forked_since_(system->forks))
        return PT_EPERM;
    if (!reserve(system, fd))
        return pt_io_fail_(io, ENOMEM);
    if (system->places[fd].io)
        return PT_EBUSY;
    generation = ++system->places[fd].generation;
    if (kind != PT_IO_FILE_)
        error = system->poller->add(system, fd, generation);
    if (error && error != EPERM)
        return pt_io_fail_(io, error);
    system->places[fd].io = io;
    io->system = system;
    io->fd = fd;
    io->polled = kind != PT_IO_FILE_ && !error;
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

/* The kind of a descriptor, or -1 with errno. */
static int kind_of(int fd)
{
    struct stat about;

    if (fstat(fd, &about))
        return -1;
    if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) || S_ISBLK(about.st_mode))
        return PT_IO_FILE_;
    return S_ISSOCK(about.st_mode) ? kind_of_open_socket(fd) : PT_IO_OTHER_;
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

int pt_io_release(struct pt_io *io)
{
    struct pt_system *system = io->system;
    struct pt_slot_ *slot = system ? pt_io_slot_(io) : NULL;
    int fd = io->fd;

    if (!system)
        return -1;
    if (slot && io->polled &&
        !pt_forked_since_(system->forks)) /* a child shares its parent's poller */
        system->poller->remove(system, io->fd);
    if (slot)
        slot->io = NULL;
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
    return fd;
}

pt_status pt_io_close(struct pt_io *io)
{
    int fd = pt_io_release(io);
    bool failed = fd >= 0 && close(fd) && errno != EINTR;

    return failed ? pt_io_fail_(io, errno) : (pt_status)PT_OK;
}

/* --- moves ----------------------------------------------------------------------------------- */

void pt_io_take_(struct pt_io *to, struct pt_io *from)
{
    struct pt_slot_ *slot = from->system ? pt_io_slot_(from) : NULL;

    PT_NEEDS_(!from->system ||
                  (!from->readers.first && !from->writers.first && !from->hangups.first),
              "a task waits for the descriptor: it can move when nobody does", "pt_io_take");
    *to = *from;
    pt_io_clear_(from);
    if (!slot)
        return;
    if (!pt_slot_is_left_(slot))
        slot->missed = 0;
    slot->io = &pt_stand_ins_[to->polled];
    to->readable = to->writable = false; /* so that an operation looks at the slot */
}

/* A copy of the descriptor was closed meanwhile, and made the file blocking. */
static void stay_nonblocking(struct pt_io *io)
{
    int flags = fcntl(io->fd, F_GETFL);

    if (flags < 0 || flags & O_NONBLOCK || fcntl(io->fd, F_SETFL, flags | O_NONBLOCK))
        return;
    io->restores = true;
    io->shares = false;
    io->system->sharing--;
}

bool pt_io_arrives_(struct pt_io *io)
{
    struct pt_slot_ *slot = pt_io_slot_(io);

    if (!slot || !pt_slot_is_left_(slot))
        return false;
    slot->io = io;
    io->readable = io->writable = true;
    io->ended |= (slot->missed & PT_HANGUP_) != 0;
    io->stream &= !(slot->missed & PT_URGENT_);
    if (io->shares)
        stay_nonblocking(io);
    return true;
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

pt_status pt_listen(struct pt_io *io, struct pt_system *system, const struct sockaddr *address,
                    socklen_t length, bool ports_shared)
{
    pt_status status = pt_socket(io, system, address->sa_family, SOCK_STREAM, 0);
    const int on = 1;
    int error;

    if (status != PT_OK)
        return status;
    if (setsockopt(io->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        (ports_shared && setsockopt(io->fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on)) ||
        bind(io->fd, address, length) || listen(io->fd, SOMAXCONN)) {
        error = errno;
        pt_io_close(io);
        return opened(io, pt_io_fail_(io, error));
    }
    return PT_OK;
}
