/* close.c - close descriptors; what was written to one without room goes out first
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "descriptor.h"
#include "../../fork.h"
#include "../../needs.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

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

/* The tasks that wait for IO get PT_ECLOSED. */
static void end_waits(struct pt_io *io)
{
    pt_wait_list_complete_all_(&io->readers, PT_ECLOSED, 0);
    pt_wait_list_complete_all_(&io->writers, PT_ECLOSED, 0);
    pt_wait_list_complete_all_(&io->hangups, PT_ECLOSED, 0);
}

/* Close IO, but not its descriptor: the result. CLOSES: its close comes next. */
static int leave(struct pt_io *io, bool closes)
{
    struct pt_system *system = io->system;
    struct pt_slot_ *slot = system ? pt_io_slot_(io) : NULL;
    int fd = io->fd;

    if (!system)
        return -1;
    if (slot && io->batched)
        system->poller->batching->end(io);
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
    io->batched = false;
    if (slot)
        end_waits(io);
    if (slot && io->watched)
        pt_polled_tell_(pt_polled_of_(io), POLLNVAL);
    return fd;
}

int pt_io_release(struct pt_io *io)
{
    PT_NEEDS_(!io->batched, "the system has bytes of the pt_io: see pt_io_batch", "pt_io_release");
    return leave(io, false);
}

/* How long the other side may take for it: as long as Linux keeps such a socket by itself. */
#define LINGER PT_SEC(60)

struct pt_linger_ {
    struct pt pt;
    struct pt_io io;
    pt_time until;
    struct pt_scope limit;
    struct pt_group ending;
};

/* A program that ends cancels all tasks. The cleanup of this one goes on, in a block that another
 * such cancel ends. */
static PT_ASYNC(pt_linger_, self)
{
    self->until = PT_NOW() + LINGER;
    PT_WITH_DEADLINE(&self->limit, self->until)
        PT_WAIT_WRITABLE(&self->io);
    PT_FINALLY
    if (self->pt.result != PT_OK)
        PT_WITH_GROUP(&self->ending, PT_GROUP_ALL) {
            PT_WITH_DEADLINE(&self->limit, self->until)
                PT_WAIT_WRITABLE(&self->io);
        }
    self->io.system->lingering--;
    pt_io_close(&self->io);
}
PT_END

/* If its socket has no room for what was written, a task sends that and then closes IO, which is
 * closed for the caller: PT_OK. PT_ENOMEM: there is no such task, and it is lost. */
static pt_status linger(struct pt_io *io)
{
    struct pt_system *system = io->system;
    pt_status status;

    if (pt_forked_since_(system->forks) || !system->poller->batching->lingers(io))
        return PT_OK;
    end_waits(io);
    status = PT_START_NEW(system->loop, pt_linger_, .io = pt_io_take(io));
    system->lingering += status == PT_OK;
    return status;
}

pt_status pt_io_close(struct pt_io *io)
{
    struct pt_slot_ *slot = io->system && !io->borrowed ? pt_io_slot_(io) : NULL;
    pt_status left = PT_OK;
    bool failed;
    int fd;

    while (slot && slot->borrowers)
        pt_io_release(slot->borrowers);
    if (slot && io->batched)
        left = linger(io);
    fd = leave(io, !io->borrowed);
    failed = fd >= 0 && !io->borrowed && close(fd) && errno != EINTR;
    if (left != PT_OK) {
        io->error = ENOMEM;
        return PT_EIO;
    }
    return failed ? pt_io_fail_(io, errno) : (pt_status)PT_OK;
}
