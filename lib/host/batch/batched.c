/* batched.c - the operations of a connection whose bytes go by a ring of io_uring
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "batch.h"

#ifdef PT_HAVE_URING

#include "../../fork.h"
#include "../../socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

static struct pt_batched_ *batched(const struct pt_io *io)
{
    return io->system->places[io->fd].batched;
}

static struct pt_batches_ *all_of(const struct pt_io *io)
{
    return pt_uring_of_(io->system)->batches;
}

/* Return an ERROR that was noted, as a call of the system does; false: there is none. Behind bytes
 * that are lost nothing is read or written. */
static bool fails(const struct pt_batched_ *it, int *error)
{
    if (!*error)
        return false;
    errno = *error;
    if (!it->lost)
        *error = 0;
    return true;
}

/* --- begin and end --------------------------------------------------------------------------- */

static bool begin(struct pt_io *io)
{
    struct pt_system *system = io->system;
    struct pt_slot_ *slot = &system->places[io->fd];
    struct pt_batched_ *it;

    it = pt_batch_open_(system) ? calloc(1, sizeof *it) : NULL;
    if (!it)
        return false;
    it->links.next = it->links.before = &it->links;
    it->fd = io->fd;
    it->id = ++all_of(io)->ids;
    it->shared = slot->borrowers != NULL;
    it->wants_data = io->readers.first != NULL; /* the new poll does not tell tasks that wait */
    it->wants_room = io->writers.first != NULL;
    pt_batch_queue_(all_of(io), it);
    slot->batched = it;
    pt_uring_change_(system, io->fd);
    return true;
}

static void end(struct pt_io *io)
{
    struct pt_system *system = io->system;
    struct pt_batched_ *it = batched(io);

    system->places[io->fd].batched = NULL;
    if (!pt_forked_since_(system->forks)) {
        pt_batch_cancel_(system, it);
        if (it->in_size)
            pt_batch_give_(all_of(io), it->in_buffer);
        it->shuts = false;
        pt_batch_drop_(all_of(io), it);
    }
    free(it);
}

/* --- waits ----------------------------------------------------------------------------------- */

static int knows(const struct pt_io *io, bool writable)
{
    const struct pt_batched_ *it = batched(io);

    if (writable ? it->out_error : it->in_error || it->in_size)
        return true;
    return (writable ? it->full : it->receiving) ? false : -1;
}

static void want(struct pt_io *io, bool writable)
{
    struct pt_batched_ *it = batched(io);

    *(writable ? &it->wants_room : &it->wants_data) = true;
    pt_batch_queue_(all_of(io), it);
}

/* --- reads ----------------------------------------------------------------------------------- */

/* Copy what was received, as much as PARTS have room for. */
static size_t take(struct pt_batches_ *all, struct pt_batched_ *it, const struct iovec *parts,
                   int count)
{
    size_t sum = 0;

    for (int i = 0; i < count && it->in_size; i++) {
        unsigned size = parts[i].iov_len < it->in_size ? (unsigned)parts[i].iov_len : it->in_size;

        if (size)
            memcpy(parts[i].iov_base, it->in, size);
        it->in += size;
        it->in_size -= size;
        sum += size;
    }
    if (!it->in_size)
        pt_batch_give_(all, it->in_buffer);
    return sum;
}

/* Read what lies behind a buffer that was filled: how much. */
static size_t read_more(struct pt_batched_ *it, char *data, size_t size)
{
    ssize_t got = size ? recv(it->fd, data, size, 0) : 0;

    if (got < 0 && errno != EAGAIN && errno != EINTR)
        it->in_error = errno;
    return got > 0 ? (size_t)got : 0;
}

static ssize_t read_(struct pt_io *io, const struct iovec *parts, int count)
{
    struct pt_batched_ *it = batched(io);
    size_t got;

    if (it->in_size) {
        got = take(all_of(io), it, parts, count);
        if (!it->in_size && it->filled && count == 1)
            got += read_more(it, (char *)parts->iov_base + got, parts->iov_len - got);
        return (ssize_t)got;
    }
    if (fails(it, &it->in_error))
        return -1;
    if (!it->receiving)
        return readv(io->fd, parts, count);
    errno = EAGAIN;
    return -1;
}

/* --- writes ---------------------------------------------------------------------------------- */

/* A send that was prepared has not been submitted, because the kernel had no memory, or the loop
 * has another thread: see to that. */
static void catch_up(struct pt_system *system, const struct pt_batched_ *it)
{
    struct pt_uring_ *uring = pt_uring_of_(system);

    if (uring->made && io_uring_submit(&uring->ring) >= 0)
        pt_batch_take_all_(system);
    if (it->sending) {
        uring->stale = true;
        pt_uring_renew_(system, 0);
    }
}

static bool flush(struct pt_io *io)
{
    struct pt_batched_ *it = batched(io);

    if (it->sending)
        catch_up(io->system, it);
    if (it->out && (!it->full || !pt_batch_works_(io->system)))
        pt_batch_send_(io->system, it);
    errno = EAGAIN;
    return !it->out;
}

/* Copy PARTS behind what was written before: false if there is no room for all. */
static bool add(struct pt_batches_ *all, struct pt_batched_ *it, const struct iovec *parts,
                int count, size_t size)
{
    if (it->full || size > PT_BATCH_ROOM_ - it->end)
        return false;
    if (!it->out && all->free_count)
        it->out = all->free[--all->free_count];
    if (!it->out)
        return false;
    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len)
            memcpy(it->out + it->end, parts[i].iov_base, parts[i].iov_len);
        it->end += (unsigned)parts[i].iov_len;
    }
    pt_batch_queue_(all, it);
    return true;
}

static ssize_t write_(struct pt_io *io, const struct iovec *parts, int count)
{
    struct pt_batched_ *it = batched(io);
    size_t size = 0;

    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    if (it->shuts)
        it->out_error = EPIPE;
    if (fails(it, &it->out_error))
        return -1;
    if (!size || (pt_batch_works_(io->system) && add(all_of(io), it, parts, count, size)))
        return (ssize_t)size;
    if (!flush(io) || fails(it, &it->out_error))
        return -1;
    return pt_socket_send_(io->fd, parts, count);
}

static bool shut(struct pt_io *io)
{
    batched(io)->shuts = !flush(io);
    return !batched(io)->shuts;
}

static bool lingers(struct pt_io *io)
{
    struct pt_batched_ *it = batched(io);
    bool before = it->lingers;

    it->lingers = !flush(io);
    return it->lingers && !before;
}

const struct pt_batching_ pt_batching_ = {begin,  end,   knows, want,   read_,
                                          write_, flush, shut,  lingers};

#else

typedef int pt_batched_is_not_here_;

#endif
