/* pipe.c - pipes and eventfds, within a machine
 * SPDX-License-Identifier: MIT */
#include "files.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>

enum { PIPE = 65536 };

/* What two ends share. */
struct pipe {
    struct pipe_end {
        struct file file;
        struct pipe *pipe;
        bool open;
    } ends[2]; /* to read, to write */
    size_t used;
    char bytes[PIPE];
};

/* A pipe promises room for PIPE_BUF bytes. */
static bool is_writable(const struct pipe *pipe)
{
    return pipe->used <= PIPE - PIPE_BUF;
}

static unsigned pipe_events(struct file *file)
{
    struct pipe_end *end = (struct pipe_end *)(void *)file;
    const struct pipe *pipe = end->pipe;

    if (end == &pipe->ends[0])
        return (pipe->used ? EPOLLIN : 0) | (pipe->ends[1].open ? 0 : EPOLLHUP);
    return (is_writable(pipe) ? EPOLLOUT : 0) | (pipe->ends[0].open ? 0 : EPOLLERR);
}

static ssize_t pipe_read(struct file *file, void *data, size_t size)
{
    struct pipe_end *end = (struct pipe_end *)(void *)file;
    struct pipe *pipe = end->pipe;

    bool was_writable = is_writable(pipe);

    if (end != &pipe->ends[0])
        return -EBADF;
    if (!pipe->used)
        return size && pipe->ends[1].open ? -EAGAIN : 0;
    if (size > pipe->used)
        size = pipe->used;
    memcpy(data, pipe->bytes, size);
    pipe->used -= size;
    memmove(pipe->bytes, pipe->bytes + size, pipe->used);
    if (pipe->ends[1].open && !was_writable && is_writable(pipe))
        file_became(&pipe->ends[1].file, EPOLLOUT);
    machine_wake(file->machine);
    return (ssize_t)size;
}

static ssize_t pipe_write(struct file *file, const void *data, size_t size)
{
    struct pipe_end *end = (struct pipe_end *)(void *)file;
    struct pipe *pipe = end->pipe;

    if (end != &pipe->ends[1])
        return -EBADF;
    if (!size)
        return 0;
    if (!pipe->ends[0].open)
        return -EPIPE;
    if (pipe->used == PIPE || (size <= PIPE_BUF && size > PIPE - pipe->used))
        return -EAGAIN;
    if (size > PIPE - pipe->used)
        size = PIPE - pipe->used;
    memcpy(pipe->bytes + pipe->used, data, size);
    pipe->used += size;
    file_became(&pipe->ends[0].file, EPOLLIN);
    return (ssize_t)size;
}

static void pipe_close(struct file *file, bool crash)
{
    struct pipe_end *end = (struct pipe_end *)(void *)file;
    struct pipe *pipe = end->pipe;
    struct pipe_end *other = &pipe->ends[end == pipe->ends];

    end->open = false;
    if (!other->open)
        free(pipe);
    else
        file_changed(&other->file);
}

static const struct file_kind pipe_kind = {S_IFIFO, pipe_events, pipe_read, pipe_write, pipe_close};

int call_pipe2(int ends[2], int flags)
{
    struct pipe *pipe = calloc(1, sizeof *pipe);

    if (flags & ~(O_NONBLOCK | O_CLOEXEC)) {
        free(pipe);
        return (int)result(-EINVAL);
    }
    if (!pipe)
        return -1;
    for (int i = 0; i < 2; i++) {
        pipe->ends[i].file.kind = &pipe_kind;
        pipe->ends[i].file.machine = here;
        pipe->ends[i].file.flags = i ? O_WRONLY : O_RDONLY;
        pipe->ends[i].file.nonblocking = (flags & O_NONBLOCK) != 0;
        pipe->ends[i].pipe = pipe;
        pipe->ends[i].open = true;
    }
    ends[0] = file_install(&pipe->ends[0].file, 0, flags & O_CLOEXEC);
    if (ends[0] < 0) {
        free(pipe);
        return -1;
    }
    ends[1] = file_install(&pipe->ends[1].file, 0, flags & O_CLOEXEC);
    if (ends[1] >= 0)
        return 0;
    call_close(ends[0]);
    errno = EMFILE;
    return -1;
}

int call_pipe(int ends[2])
{
    return call_pipe2(ends, 0);
}

/* --- eventfd --------------------------------------------------------------------------------- */

struct counter {
    struct file file;
    uint64_t count;
    bool single; /* EFD_SEMAPHORE */
};

static unsigned counter_events(struct file *file)
{
    const struct counter *counter = (struct counter *)(void *)file;

    return (counter->count ? EPOLLIN : 0) | (counter->count < UINT64_MAX - 1 ? EPOLLOUT : 0);
}

static ssize_t counter_read(struct file *file, void *data, size_t size)
{
    struct counter *counter = (struct counter *)(void *)file;
    uint64_t taken = counter->single ? 1 : counter->count;

    if (size < sizeof taken)
        return -EINVAL;
    if (!counter->count)
        return -EAGAIN;
    memcpy(data, &taken, sizeof taken);
    counter->count -= taken;
    file_became(file, EPOLLOUT);
    return sizeof taken;
}

static ssize_t counter_write(struct file *file, const void *data, size_t size)
{
    struct counter *counter = (struct counter *)(void *)file;
    uint64_t more;

    if (size != sizeof more) /* before Linux 6.6 more bytes were ignored */
        return -EINVAL;
    memcpy(&more, data, sizeof more);
    if (more == UINT64_MAX)
        return -EINVAL;
    if (more > UINT64_MAX - 1 - counter->count)
        return -EAGAIN;
    counter->count += more;
    file_became(file, EPOLLIN);
    return sizeof more;
}

static void counter_close(struct file *file, bool crash)
{
    free(file);
}

static const struct file_kind counter_kind = {0, counter_events, counter_read, counter_write,
                                              counter_close};

int call_eventfd(unsigned count, int flags)
{
    struct counter *counter = calloc(1, sizeof *counter);

    if (flags & ~(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE)) {
        free(counter);
        return (int)result(-EINVAL);
    }
    if (!counter)
        return -1;
    counter->file.kind = &counter_kind;
    counter->file.machine = here;
    counter->file.flags = O_RDWR;
    counter->file.nonblocking = (flags & EFD_NONBLOCK) != 0;
    counter->count = count;
    counter->single = (flags & EFD_SEMAPHORE) != 0;
    return file_install(&counter->file, 0, flags & EFD_CLOEXEC);
}
