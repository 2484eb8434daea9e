/* descriptors.c - descriptors of a machine, and the calls that every file has
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include "calls.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>

struct file *files_next(struct files *files)
{
    for (; files->process; files->process = files->process->next, files->fd = 0)
        while (files->fd < files->process->descriptors) {
            struct file *file = files->process->files[files->fd++];

            if (file)
                return file;
        }
    return NULL;
}

struct file *file_of(int fd)
{
    struct file *file = (unsigned)fd < DESCRIPTORS ? running->files[fd] : NULL;

    if (!file)
        errno = EBADF;
    return file;
}

struct file *file_at(int fd)
{
    machine_calls();
    thread_meets();
    return file_of(fd);
}

void file_hold(struct hold *hold, struct file *file)
{
    hold->file = file;
    hold->next = running->thread->holds;
    running->thread->holds = hold;
    file->users++;
}

void file_release(struct hold *hold)
{
    running->thread->holds = hold->next;
    file_drop(hold->file, false);
}

void file_put(int fd, struct file *file)
{
    running->files[fd] = file;
    running->closes[fd] = false;
    if (fd >= running->descriptors)
        running->descriptors = fd + 1;
}

int files_limit(void)
{
    return running->limit ? running->limit - 1 : DESCRIPTORS;
}

int file_install(struct file *file, int least, bool closes)
{
    for (int fd = least; fd < files_limit(); fd++)
        if (!running->files[fd]) {
            file_put(fd, file);
            running->closes[fd] = closes;
            file->users++;
            return fd;
        }
    if (!file->users) {
        file->users = 1;
        file_drop(file, false);
    }
    errno = EMFILE;
    return -1;
}

void file_drop(struct file *file, bool crash)
{
    if (--file->users)
        return;
    for (struct watch *next, *watch = file->watches; watch; watch = next) {
        next = watch->next;
        watch->gone(watch);
    }
    file->kind->close(file, crash);
}

void files_drop(struct process *process, bool crash)
{
    for (int fd = 0; fd < process->descriptors; fd++) {
        struct file *file = process->files[fd];

        process->files[fd] = NULL;
        if (file)
            file_drop(file, crash);
    }
    for (const struct thread *thread = process->threads; thread; thread = thread->next)
        for (struct hold *hold = thread->holds; hold; hold = hold->next)
            file_drop(hold->file, crash);
    process->descriptors = 0;
}

void file_watch(struct file *file, struct watch *watch)
{
    watch->file = file;
    watch->next = file->watches;
    file->watches = watch;
}

void file_unwatch(struct watch *watch)
{
    struct watch **link = &watch->file->watches;

    while (*link != watch)
        link = &(*link)->next;
    *link = watch->next;
}

void file_became(struct file *file, unsigned events)
{
    for (struct watch *watch = file->watches; watch; watch = watch->next)
        watch->changed(watch, events);
    machine_wake(file->machine);
}

void file_changed(struct file *file)
{
    file_became(file, UINT_MAX);
}

int call_close(int fd)
{
    struct file *file = file_at(fd);

    if (!file)
        return -1;
    running->files[fd] = NULL;
    file_drop(file, false);
    return 0;
}

/* --- reading and writing --------------------------------------------------------------------- */

ssize_t call_read(int fd, void *data, size_t size)
{
    struct file *file = file_at(fd);

    return file ? AFTER_WAIT(file, file->nonblocking, file->kind->read(file, data, size)) : -1;
}

ssize_t file_write(struct file *file, bool nonblocking, const void *data, size_t size)
{
    size_t done = 0;
    ssize_t put;
    struct hold hold;

    file_hold(&hold, file);
    for (;;) {
        put = file->kind->write(file, (const char *)data + done, size - done);
        done += put > 0 ? (size_t)put : 0;
        if (nonblocking || done == size || (put <= 0 && put != -EAGAIN))
            break;
        if (put == -EAGAIN && !machine_wait(NEVER) && (done || !signals_restart())) {
            put = -EINTR;
            break;
        }
    }
    file_release(&hold);
    return done ? (ssize_t)done : result(put);
}

ssize_t call_write(int fd, const void *data, size_t size)
{
    struct file *file = file_at(fd);
    ssize_t written = file ? file_write(file, file->nonblocking, data, size) : -1;

    if (written < 0 && errno == EPIPE)
        call_raise(SIGPIPE);
    return written;
}

/* Room for all PARTS in one: or NULL with errno. */
static char *join(const struct iovec *parts, int count, size_t *size)
{
    char *joined;

    *size = 0;
    if (count < 0 || count > IOV_MAX) {
        errno = EINVAL;
        return NULL;
    }
    for (int i = 0; i < count; i++)
        *size += parts[i].iov_len;
    joined = call_malloc(*size + 1); /* gone with the program, if a wait ends it */
    if (!joined)
        abort();
    return joined;
}

/* One read, or one write, so that a datagram stays one, and no other thread comes between the parts. */
ssize_t call_readv(int fd, const struct iovec *parts, int count)
{
    size_t size, piece;
    char *joined = join(parts, count, &size);
    const char *from = joined;
    ssize_t got = joined ? call_read(fd, joined, size) : -1;

    for (ssize_t left = got; left > 0; left -= (ssize_t)piece, parts++) {
        piece = parts->iov_len < (size_t)left ? parts->iov_len : (size_t)left;
        memcpy(parts->iov_base, from, piece);
        from += piece;
    }
    call_free(joined);
    return got;
}

ssize_t call_writev(int fd, const struct iovec *parts, int count)
{
    size_t size;
    char *joined = join(parts, count, &size), *to = joined;
    ssize_t put = -1;

    for (int i = 0; joined && i < count; i++)
        to = (char *)mempcpy(to, parts[i].iov_base, parts[i].iov_len);
    if (joined)
        put = call_write(fd, joined, size);
    call_free(joined);
    return put;
}

/* --- about descriptors ----------------------------------------------------------------------- */

int call_dup(int fd)
{
    struct file *file = file_at(fd);

    return file ? file_install(file, 0, false) : -1;
}

int call_dup3(int fd, int to, int flags)
{
    struct file *file = file_at(fd);

    if (flags & ~O_CLOEXEC || fd == to)
        return (int)result(-EINVAL);
    if (!file || to < 0 || to >= files_limit())
        return (int)result(-EBADF);
    file->users++; /* both can be one file */
    if (running->files[to])
        file_drop(running->files[to], false);
    file_put(to, file);
    running->closes[to] = flags & O_CLOEXEC;
    return to;
}

int call_dup2(int fd, int to)
{
    if (fd == to)
        return file_at(fd) ? to : -1;
    return call_dup3(fd, to, 0);
}

int call_fcntl(int fd, int what, ...)
{
    struct file *file = file_at(fd);
    va_list arguments;
    int value;

    va_start(arguments, what);
    value = va_arg(arguments, int);
    va_end(arguments);
    if (!file)
        return -1;
    switch (what) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (value < 0 || value >= files_limit())
            return (int)result(-EINVAL);
        return file_install(file, value, what == F_DUPFD_CLOEXEC);
    case F_GETFD: return running->closes[fd] ? FD_CLOEXEC : 0;
    case F_SETFD: running->closes[fd] = value & FD_CLOEXEC; return 0;
    case F_GETFL: return file->flags | (file->nonblocking ? O_NONBLOCK : 0);
    case F_SETFL:
        file->nonblocking = (value & O_NONBLOCK) != 0;
        file->flags = (file->flags & O_ACCMODE) | (value & O_APPEND);
        return 0;
    default: world_unknown("fcntl with command %d", what);
    }
}

int call_getrlimit(__rlimit_resource_t what, struct rlimit *limit)
{
    if (what != RLIMIT_NOFILE)
        world_unknown("getrlimit of resource %d", (int)what);
    limit->rlim_cur = (rlim_t)files_limit();
    limit->rlim_max = DESCRIPTORS;
    return 0;
}

int call_setrlimit(__rlimit_resource_t what, const struct rlimit *limit)
{
    if (what != RLIMIT_NOFILE)
        world_unknown("setrlimit of resource %d", (int)what);
    if (limit->rlim_cur > limit->rlim_max)
        return (int)result(-EINVAL);
    if (limit->rlim_max > DESCRIPTORS)
        return (int)result(-EPERM);
    if (limit->rlim_max < DESCRIPTORS)
        world_unknown("setrlimit of the hard limit");
    running->limit = (int)limit->rlim_cur + 1;
    return 0;
}
