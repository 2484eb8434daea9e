/* send_file.c - send a file to a socket or a pipe
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../sites.h"

#include "../../needs.h"
#include "../../socket.h"
#include "attempt.h"

#include <pt/host/blocking.h>

#include <unistd.h>
#if defined(__linux__) && !defined(PT_PLAIN_UNIX)
#include <sys/sendfile.h>
#endif

/* The most bytes of an attempt, so that other tasks run; and of one that copies them. */
enum { PART = 128 << 10, COPIED_PART = 16 << 10 };

/* As sendfile(2), which each system has in another form, if at all. */
static ssize_t send_directly(int to, int from, off_t offset, size_t size)
{
#if defined(__linux__) && !defined(PT_PLAIN_UNIX)
    return sendfile(to, from, &offset, size < PART ? size : (size_t)PART);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* The same by a read and a write. What is read and not written is read again. */
static ssize_t copy(const struct pt_io *io, int from, off_t offset, size_t size)
{
    char data[COPIED_PART];
    ssize_t got = pread(from, data, size < sizeof data ? size : sizeof data, offset);

    if (got <= 0)
        return got;
    if (io->socket)
        return sendto(io->fd, data, (size_t)got, PT_NO_SIGNAL_, NULL, 0);
    return write(io->fd, data, (size_t)got);
}

/* One attempt: whether the task must suspend. */
static bool send_part(struct pt_task *task, struct pt_send_file *self)
{
    off_t offset = self->offset + (off_t)self->put;
    size_t left = self->size - self->put;
    ssize_t sent = -1;
    bool suspend;

    self->step = 0;
    if (!may_try(task, &self->pt, self->io, true, &suspend, "pt_send_file"))
        return suspend;
    if (self->io->batched && !self->io->system->poller->batching->flush(self->io))
        return failed(task, &self->pt, self->io, true);
    if (!self->copies)
        sent = send_directly(self->io->fd, self->fd, offset, left);
    if (!self->copies && sent < 0)
        self->copies = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
    if (self->copies)
        sent = copy(self->io, self->fd, offset, left);
    if (sent < 0)
        return failed(task, &self->pt, self->io, true);
    self->step = (size_t)sent;
    return false;
}

PT_ASYNC(pt_send_file, self)
{
    PT_NEEDS_FIELD_(self, io, "pt_send_file");
    self->copies = false;
    for (self->put = 0; self->put < self->size; self->put += self->step) {
        PT_IO_(self->io, send_part(pt_current_, self));
        if (self->pt.status != PT_OK)
            PT_RETURN(self->pt.status);
        if (!self->step)
            PT_RETURN(PT_ERANGE);
    }
}
PT_END
