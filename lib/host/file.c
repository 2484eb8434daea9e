/* file.c - files, read and written by worker threads
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "../needs.h"

#include <pt/host/blocking.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The code for ERROR, an errno or 0. */
static pt_status status_of(int error)
{
    return error == ENOMEM ? PT_ENOMEM : error ? PT_EIO : PT_OK;
}

/* Let a thread call WORK with SELF, and wait until that has returned. */
#define CALL(self, function)                                                                   \
    PT_WAIT_COMPLETE(&(self)->call, pt_blocking, .workers = (self)->workers, .work = function, \
                     .argument = self)

/* --- in a thread: 0, or an errno ------------------------------------------------------------- */

/* Open; -1 with errno. */
static int open_file(const char *path, int flags, mode_t mode)
{
    return open(path, flags | O_CLOEXEC, mode ? mode : 0666);
}

static int read_at(int fd, void *data, size_t size, off_t offset, size_t *got)
{
    ssize_t step = 1;

    for (*got = 0; *got < size && step; *got += (size_t)step) {
        step = pread(fd, (char *)data + *got, size - *got, offset + (off_t)*got);
        if (step < 0)
            return errno;
    }
    return 0;
}

static int write_at(int fd, const void *data, size_t size, off_t offset, size_t *put)
{
    ssize_t step;

    for (*put = 0; *put < size; *put += (size_t)step) {
        step = pwrite(fd, (const char *)data + *put, size - *put, offset + (off_t)*put);
        if (step < 0)
            return errno;
    }
    return 0;
}

/* Close FD; ERROR, or that of the close. */
static int close_file(int fd, int error)
{
    if (close(fd) && errno != EINTR && !error)
        error = errno;
    return error;
}

/* --- a descriptor ---------------------------------------------------------------------------- */

static void do_open(void *argument)
{
    struct pt_file_open *self = argument;

    self->fd = open_file(self->path, self->flags, self->mode);
    self->error = self->fd < 0 ? errno : 0;
}

PT_ASYNC(pt_file_open, self)
{
    PT_NEEDS_FIELD_(self, path, "pt_file_open");
    self->fd = -1;
    self->error = 0;
    CALL(self, do_open);
    PT_RETURN(status_of(self->error));
    PT_FINALLY
    if (self->pt.result != PT_OK && self->fd >= 0) {
        close(self->fd);
        self->fd = -1;
    }
}
PT_END

static void do_read(void *argument)
{
    struct pt_file_read *self = argument;

    self->error = read_at(self->fd, self->data, self->size, self->offset, &self->got);
}

PT_ASYNC(pt_file_read, self)
{
    self->got = 0;
    self->error = 0;
    CALL(self, do_read);
    PT_RETURN(status_of(self->error));
}
PT_END

static void do_write(void *argument)
{
    struct pt_file_write *self = argument;

    self->error = write_at(self->fd, self->data, self->size, self->offset, &self->put);
    if (!self->error && self->sync && fsync(self->fd))
        self->error = errno;
}

PT_ASYNC(pt_file_write, self)
{
    self->put = 0;
    self->error = 0;
    CALL(self, do_write);
    PT_RETURN(status_of(self->error));
}
PT_END

/* --- a whole file ---------------------------------------------------------------------------- */

/* ERANGE, which no read returns: there is a byte more. */
static int load(int fd, struct pt_file_load *self)
{
    int error = read_at(fd, self->data, self->size, 0, &self->length);
    size_t more = 0;
    char beyond;

    if (!error && self->length == self->size)
        error = read_at(fd, &beyond, 1, (off_t)self->size, &more);
    return more ? ERANGE : error;
}

/* O_NONBLOCK: the open of a named pipe waits for a writer otherwise, and nothing ends that. */
static void do_load(void *argument)
{
    struct pt_file_load *self = argument;
    int fd = open_file(self->path, O_RDONLY | O_NONBLOCK, 0);

    self->error = fd < 0 ? errno : load(fd, self);
    if (fd >= 0)
        close(fd);
}

PT_ASYNC(pt_file_load, self)
{
    PT_NEEDS_FIELD_(self, path, "pt_file_load");
    self->length = 0;
    self->error = 0;
    CALL(self, do_load);
    PT_RETURN(self->error == ERANGE ? (pt_status)PT_ERANGE : status_of(self->error));
}
PT_END

/* Write the directory that PATH is in to the disk. NAME has room for PATH. Some file systems do not
 * have that, and say EINVAL. */
static int sync_directory(const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    int fd, error;

    memcpy(name, path, length);
    strcpy(name + length, ".");
    fd = open_file(name, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return errno;
    error = fsync(fd) && errno != EINVAL ? errno : 0;
    return close_file(fd, error);
}

/* Make a file that does not exist yet, beside PATH; NAME gets its name. A number that is in use is
 * that of another thread, or was left by a process that was killed. */
static int make_beside(const char *path, mode_t mode, char *name, size_t room)
{
    static unsigned last;
    int fd;

    do {
        unsigned number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);

        snprintf(name, room, "%s.%ld-%u.tmp", path, (long)getpid(), number);
        fd = open_file(name, O_WRONLY | O_CREAT | O_EXCL, mode);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

/* Give the file FD owner, group and mode of the OLD one. If it cannot have both of the former, it
 * must not run with the rights of another owner or group. A write, and a change of the owner, can
 * clear these bits of the mode: so the mode comes last. */
static int inherit(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 07777;

    if (fchown(fd, old->st_uid, old->st_gid)) {
        mode &= 01777;
        if (fchown(fd, (uid_t)-1, old->st_gid))
            errno = 0; /* the group of this process */
    }
    return fchmod(fd, mode) ? errno : 0;
}

/* Write the file FD up to the disk, to be what OLD is, unless that is NULL. */
static int fill(int fd, const struct pt_file_replace *self, const struct stat *old)
{
    size_t put;
    int error = write_at(fd, self->data, self->size, 0, &put);

    if (!error && old)
        error = inherit(fd, old);
    if (!error && fsync(fd))
        error = errno;
    return close_file(fd, error);
}

static int replace(struct pt_file_replace *self, char *name, size_t room)
{
    struct stat about, *old = stat(self->path, &about) ? NULL : &about;
    int fd = make_beside(self->path, old ? 0600 : self->mode, name, room), error;

    if (fd < 0)
        return errno;
    error = fill(fd, self, old);
    self->done = !error && !rename(name, self->path);
    if (self->done)
        return sync_directory(self->path, name);
    error = error ? error : errno;
    unlink(name);
    return error;
}

static void do_replace(void *argument)
{
    struct pt_file_replace *self = argument;
    size_t room = strlen(self->path) + sizeof ".-.tmp" + 2 * 3 * sizeof(long);
    char *name = malloc(room);

    self->error = name ? replace(self, name, room) : ENOMEM;
    free(name);
}

PT_ASYNC(pt_file_replace, self)
{
    PT_NEEDS_FIELD_(self, path, "pt_file_replace");
    self->done = false;
    self->error = 0;
    CALL(self, do_replace);
    PT_RETURN(status_of(self->error));
}
PT_END

/* --- names ----------------------------------------------------------------------------------- */

static void do_rename(void *argument)
{
    struct pt_file_rename *self = argument;
    char *name = malloc(strlen(self->to) + sizeof ".");

    self->done = name && !rename(self->from, self->to);
    self->error = self->done ? sync_directory(self->to, name) : name ? errno : ENOMEM;
    free(name);
}

PT_ASYNC(pt_file_rename, self)
{
    PT_NEEDS_FIELD_(self, from, "pt_file_rename");
    PT_NEEDS_FIELD_(self, to, "pt_file_rename");
    self->done = false;
    self->error = 0;
    CALL(self, do_rename);
    PT_RETURN(status_of(self->error));
}
PT_END

static void do_remove(void *argument)
{
    struct pt_file_remove *self = argument;

    self->done = !unlink(self->path);
    self->error = self->done ? 0 : errno;
}

PT_ASYNC(pt_file_remove, self)
{
    PT_NEEDS_FIELD_(self, path, "pt_file_remove");
    self->done = false;
    self->error = 0;
    CALL(self, do_remove);
    PT_RETURN(status_of(self->error));
}
PT_END
