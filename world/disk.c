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
};

enum { FOLDER = 1 << 30 /* its number: no file has it */ };

static const struct file_kind disk_kind;

static bool is_folder(const char *name)
{
    return !strcmp(name, ".");
}

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
    if ((open->file.flags & O_ACCMODE) == O_WRONLY)
        return -EBADF;
    bytes = &open->inode->now;
    if ((size_t)place >= bytes->size)
        return 0;
    if (size > bytes->size - (size_t)place)
        size = bytes->size - (size_t)place;
    memcpy(data, bytes->data + place, size);
    return (ssize_t)size;
}

/* Where a write begins: with O_APPEND at the end, also one by pwrite, as in Linux. */
static off_t begin_of(const struct open_file *open, off_t place)
{
    return open->inode && open->file.flags & O_APPEND ? (off_t)open->inode->now.size : place;
}

/* A full disk takes the bytes for which it has room. */
static ssize_t write_at(const struct open_file *open, const void *data, size_t size, off_t place)
{
    uint64_t spare = disk_spare(open->file.machine);
    size_t end, old;

    if (!open->inode || (open->file.flags & O_ACCMODE) == O_RDONLY)
        return -EBADF;
    if (!size)
        return 0;
    place = begin_of(open, place);
    old = open->inode->now.size;
    end = (size_t)place + size;
    if (end > old && end - old > spare) {
        end = old + (size_t)spare;
        if (end <= (size_t)place)
            return -ENOSPC;
        size = end - (size_t)place;
    }
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
    off_t begin = begin_of(open, open->place);
    ssize_t put = write_at(open, data, size, begin);

    if (put > 0)
        open->place = begin + put;
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

static off_t size_of(const struct open_file *open)
{
    return open->inode ? (off_t)open->inode->now.size : 0;
}

/* --- calls ----------------------------------------------------------------------------------- */

static int open_file(const char *name, int flags)
{
    bool folder = is_folder(name);
    struct inode *inode = inode_find(here, name);
    struct open_file *open;

    if (flags &
        ~(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_CLOEXEC | O_DIRECTORY | O_NONBLOCK))
        world_unknown("open with flags %#o", (unsigned)flags);
    if (flags & O_DIRECTORY && !folder)
        world_unknown("open of a folder other than \".\", the one that a disk has");
    if ((inode || folder) && flags & O_CREAT && flags & O_EXCL)
        return (int)result(-EEXIST);
    if (folder && (flags & (O_CREAT | O_TRUNC) || (flags & O_ACCMODE) != O_RDONLY))
        return (int)result(-EISDIR);
    if (!folder) {
        if (inode && inode->is_socket)
            return (int)result(-ENXIO);
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
    open->file.flags = flags & (O_ACCMODE | O_APPEND);
    if (inode)
        inode->users++;
    if (inode && flags & O_TRUNC)
        bytes_resize(&inode->now, 0);
    return file_install(&open->file, 0, flags & O_CLOEXEC);
}

int call_open(const char *path, int flags, ...)
{
    machine_calls();
    if (!strncmp(path, "/proc/", strlen("/proc/")))
        return (int)result(-ENOENT);
    return strcmp(path, "/dev/null") ? open_file(path, flags)
                                     : null_open(flags & (O_ACCMODE | O_APPEND | O_CLOEXEC));
}

ssize_t call_pread(int fd, void *data, size_t size, off_t place)
{
    const struct open_file *open = place < 0 ? NULL : disk_file_at(fd);

    if (place < 0)
        return result(-EINVAL);
    return open ? result(read_at(open, data, size, place)) : -1;
}

ssize_t call_pwrite(int fd, const void *data, size_t size, off_t place)
{
    const struct open_file *open = place < 0 ? NULL : disk_file_at(fd);

    if (place < 0)
        return result(-EINVAL);
    return open ? result(write_at(open, data, size, place)) : -1;
}

off_t call_lseek(int fd, off_t place, int from)
{
    struct open_file *open = disk_file_at(fd);

    if (!open)
        return -1;
    if (from != SEEK_SET)
        place += from == SEEK_CUR ? open->place : size_of(open);
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
    if (!open->inode || size < 0 || (open->file.flags & O_ACCMODE) == O_RDONLY)
        return (int)result(-EINVAL);
    old = open->inode->now.size;
    if ((size_t)size > old && (size_t)size - old > disk_spare(here))
        return (int)result(-ENOSPC);
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
    if (is_folder(from) || is_folder(to))
        return (int)result(-EBUSY);
    if (!inode)
        return (int)result(-ENOENT);
    if (old && old != inode)
        name_set(&old->name, NULL);
    name_set(&inode->name, to);
    disk_sweep(here);
    return 0;
}

/* A file that is removed has no links. INODE: NULL for the folder. */
static void describe(const struct inode *inode, struct stat *about)
{
    memset(about, 0, sizeof *about);
    about->st_mode = !inode ? S_IFDIR | 0700 : inode->is_socket ? S_IFSOCK | 0600 : S_IFREG | 0600;
    about->st_nlink = inode && !inode->name ? 0 : 1;
    about->st_ino = inode ? inode->number : FOLDER;
    about->st_size = inode ? (off_t)inode->now.size : 0;
}

int call_stat(const char *name, struct stat *about)
{
    const struct inode *inode = inode_find(here, name);

    machine_calls();
    if (!inode && !is_folder(name))
        return (int)result(-ENOENT);
    describe(inode, about);
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

    if (!file)
        return -1;
    if (file->kind == &disk_kind) {
        describe(((struct open_file *)(void *)file)->inode, about);
        return 0;
    }
    memset(about, 0, sizeof *about);
    about->st_mode = file->kind->mode | 0600;
    about->st_nlink = 1;
    return 0;
}

/* No file has an owner, or other rights than 0600. */
int call_chmod(const char *name, mode_t mode)
{
    machine_calls();
    return inode_find(here, name) || is_folder(name) ? 0 : (int)result(-ENOENT);
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
    if (is_folder(name))
        return (int)result(-EISDIR);
    if (!inode)
        return (int)result(-ENOENT);
    name_set(&inode->name, NULL);
    disk_sweep(here);
    return 0;
}
