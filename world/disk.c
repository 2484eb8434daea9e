/* disk.c - files: the calls that open, read, write, sync and name them
 * SPDX-License-Identifier: MIT */
#include "disk.h"

#include "calls.h"

#include <errno.h>

/* An open one. */
struct open_file {
    struct file file;
    struct inode *inode; /* NULL: the folder */
    off_t place;
    int flags;
};

static const struct file_kind disk_kind;

/* --- as a file ------------------------------------------------------------------------------- */

static struct open_file *disk_file_at(int fd)
{
    struct file *file = file_at(fd);

    if (file && file->kind == &disk_kind)
        return (struct open_file *)(void *)file;
    errno = file ? EINVAL : EBADF;
    return NULL;
}

static ssize_t read_at(const struct open_file *open, void *data, size_t size, off_t place)
{
    const struct bytes *bytes;

    if (!open->inode)
        return -EISDIR;
    if ((open->flags & O_ACCMODE) == O_WRONLY)
        return -EBADF;
    bytes = &open->inode->now;
    if (place < 0 || (size_t)place >= bytes->size)
        return place < 0 ? -EINVAL : 0;
    if (size > bytes->size - (size_t)place)
        size = bytes->size - (size_t)place;
    memcpy(data, bytes->data + place, size);
    return (ssize_t)size;
}

/* A full disk takes the bytes for which it has room. */
static ssize_t write_at(const struct open_file *open, const void *data, size_t size, off_t place)
{
    struct world_machine *machine = open->file.machine;
    size_t end, old;

    if (!open->inode || (open->flags & O_ACCMODE) == O_RDONLY)
        return -EBADF;
    if (place < 0 || !size)
        return place < 0 ? -EINVAL : 0;
    old = open->inode->now.size;
    end = (size_t)place + size;
    if (end > old && end - old > machine->spare) {
        end = old + (size_t)machine->spare;
        if (end <= (size_t)place)
            return -ENOSPC;
        size = end - (size_t)place;
    }
    if (end > old && machine->spare != NEVER)
        machine->spare -= end - old;
    if (end > old)
        bytes_resize(&open->inode->now, end);
    memcpy(open->inode->now.data + place, data, size);
    return (ssize_t)size;
}

static unsigned events(struct file *file)
{
    return EPOLLIN | EPOLLOUT;
}

static ssize_t read_(struct file *file, void *data, size_t size)
{
    struct open_file *open = (struct open_file *)(void *)file;
    ssize_t got = read_at(open, data, size, open->place);

    open->place += got > 0 ? got : 0;
    return got;
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    struct open_file *open = (struct open_file *)(void *)file;
    ssize_t put;

    if (open->flags & O_APPEND && open->inode)
        open->place = (off_t)open->inode->now.size;
    put = write_at(open, data, size, open->place);
    open->place += put > 0 ? put : 0;
    return put;
}

static void close_(struct file *file, bool crash)
{
    struct open_file *open = (struct open_file *)(void *)file;

    if (open->inode)
        open->inode->users--;
    disk_sweep(file->machine);
    free(open);
}

static const struct file_kind disk_kind = {S_IFREG, events, read_, write_, close_};

static off_t size_of(const struct file *file)
{
    const struct open_file *open = (const struct open_file *)(const void *)file;

    return file->kind == &disk_kind && open->inode ? (off_t)open->inode->now.size : 0;
}

/* --- calls ----------------------------------------------------------------------------------- */

static int open_file(const char *name, int flags)
{
    bool folder = !strcmp(name, ".");
    struct inode *inode = inode_find(here, name);
    struct open_file *open;

    if (flags &
        ~(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_CLOEXEC | O_DIRECTORY | O_NONBLOCK))
        world_unknown("open with flags %#o", (unsigned)flags);
    if (flags & O_DIRECTORY && !folder)
        world_unknown("open of a folder other than \".\", the one that a disk has");
    if (!folder) {
        if (inode && inode->is_socket)
            return (int)result(-ENXIO);
        if (inode && flags & O_CREAT && flags & O_EXCL)
            return (int)result(-EEXIST);
        if (!inode && !(flags & O_CREAT))
            return (int)result(-ENOENT);
        inode = inode ? inode : inode_create(here, name);
    }
    open = calloc(1, sizeof *open);
    if (!open)
        abort();
    open->file.kind = &disk_kind;
    open->file.machine = here;
    open->inode = inode;
    open->flags = flags;
    if (inode)
        inode->users++;
    if (inode && flags & O_TRUNC)
        bytes_resize(&inode->now, 0);
    return file_install(&open->file, 0);
}

int call_open(const char *path, int flags, ...)
{
    machine_calls();
    if (!strncmp(path, "/proc/", strlen("/proc/")))
        return (int)result(-ENOENT);
    return strcmp(path, "/dev/null") ? open_file(path, flags) : null_open();
}

ssize_t call_pread(int fd, void *data, size_t size, off_t place)
{
    const struct open_file *open = disk_file_at(fd);

    return open ? result(read_at(open, data, size, place)) : -1;
}

ssize_t call_pwrite(int fd, const void *data, size_t size, off_t place)
{
    const struct open_file *open = disk_file_at(fd);

    return open ? result(write_at(open, data, size, place)) : -1;
}

off_t call_lseek(int fd, off_t place, int from)
{
    struct open_file *open = disk_file_at(fd);

    if (!open)
        return -1;
    if (from != SEEK_SET)
        place += from == SEEK_CUR ? open->place : size_of(&open->file);
    if (place < 0)
        return result(-EINVAL);
    return open->place = place;
}

int call_ftruncate(int fd, off_t size)
{
    struct open_file *open = disk_file_at(fd);
    size_t old;

    if (!open)
        return -1;
    if (!open->inode || size < 0 || (open->flags & O_ACCMODE) == O_RDONLY)
        return (int)result(-EINVAL);
    old = open->inode->now.size;
    if ((size_t)size > old && (size_t)size - old > here->spare)
        return (int)result(-ENOSPC);
    if (here->spare != NEVER)
        here->spare += old - (size_t)size; /* which wraps, if it grows */
    bytes_resize(&open->inode->now, (size_t)size);
    return 0;
}

/* It takes up to two milliseconds, in which the machine can crash. */
int call_fsync(int fd)
{
    struct world *world = here->world;
    uint64_t until = world->now + 50 * WORLD_US + world_chance(world, 2 * WORLD_MS);
    struct open_file *open = disk_file_at(fd);
    struct hold hold;

    if (!open)
        return -1;
    file_hold(&hold, &open->file);
    while (world->now < until)
        machine_wait(until);
    if (open->inode) {
        bytes_set(&open->inode->safe, &open->inode->now);
        trace(here, "has synced %s: %zu bytes", open->inode->name ? open->inode->name : "a file",
              open->inode->now.size);
    } else {
        for (struct inode *inode = here->disk; inode; inode = inode->next)
            name_set(&inode->safe_name, inode->name);
        trace(here, "has synced the names of its files");
    }
    file_release(&hold);
    return 0;
}

int call_fdatasync(int fd)
{
    return call_fsync(fd);
}

int call_rename(const char *from, const char *to)
{
    struct inode *inode = inode_find(here, from), *old = inode_find(here, to);

    machine_calls();
    if (!inode)
        return (int)result(-ENOENT);
    if (old && old != inode)
        name_set(&old->name, NULL);
    name_set(&inode->name, to);
    disk_sweep(here);
    return 0;
}

int call_stat(const char *name, struct stat *about)
{
    const struct inode *inode = inode_find(here, name);

    machine_calls();
    if (!inode)
        return (int)result(-ENOENT);
    memset(about, 0, sizeof *about);
    about->st_mode = (inode->is_socket ? S_IFSOCK : S_IFREG) | 0600;
    about->st_ino = inode->number;
    about->st_size = (off_t)inode->now.size;
    return 0;
}

/* There are no links. */
int call_lstat(const char *name, struct stat *about)
{
    return call_stat(name, about);
}

int call_fstat(int fd, struct stat *about)
{
    struct file *file = file_at(fd);

    memset(about, 0, sizeof *about);
    if (file) {
        about->st_mode = file->kind->mode | 0600;
        about->st_size = size_of(file);
    }
    return file ? 0 : -1;
}

/* No file has an owner, or other rights than 0600. */
int call_chmod(const char *name, mode_t mode)
{
    machine_calls();
    return inode_find(here, name) ? 0 : (int)result(-ENOENT);
}

int call_fchown(int fd, uid_t user, gid_t group)
{
    return disk_file_at(fd) ? 0 : -1;
}

int call_fchmod(int fd, mode_t mode)
{
    return disk_file_at(fd) ? 0 : -1;
}

int call_unlink(const char *name)
{
    struct inode *inode = inode_find(here, name);

    machine_calls();
    if (!inode)
        return (int)result(-ENOENT);
    name_set(&inode->name, NULL);
    disk_sweep(here);
    return 0;
}
