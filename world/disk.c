/* disk.c - the disk of a machine: a folder of files; what was not synced is lost at a crash, or torn
 * SPDX-License-Identifier: MIT
 *
 * A file has its bytes as programs see them, and as they are safe. fsync makes them the same. At a crash each block
 * that differs is the new one, the old one, or the begin of the new one, by the seed, and the size is one of the two,
 * or between. Names are as careful: fsync of the folder makes them safe; at a crash all that changed since then stays,
 * or none of it. A program that is killed loses nothing. */
#include "kernel.h"

#include "calls.h"

#include <errno.h>

enum { BLOCK = 512 };

struct bytes {
    char *data;
    size_t size;
};

/* A file on a disk, or the folder. It is gone when it has no name and no descriptor. */
struct inode {
    struct inode *next;
    char *name, *safe_name; /* NULL: it has none */
    struct bytes now, safe;
    int users;
};

/* An open one. */
struct open_file {
    struct file file;
    struct inode *inode; /* NULL: the folder */
    off_t place;
    int flags;
};

static const struct file_kind disk_kind;

/* --- bytes and names ------------------------------------------------------------------------- */

static void resize(struct bytes *bytes, size_t size)
{
    char *data = realloc(bytes->data, size + 1);

    if (!data)
        abort();
    if (size > bytes->size)
        memset(data + bytes->size, 0, size - bytes->size);
    bytes->data = data;
    bytes->size = size;
}

static void set_bytes(struct bytes *to, const struct bytes *from)
{
    resize(to, from->size);
    if (from->size)
        memcpy(to->data, from->data, from->size);
}

static void set_name(char **name, const char *to)
{
    char *copy = to ? strdup(to) : NULL;

    free(*name);
    *name = copy;
}

static struct inode *find(const struct world_machine *machine, const char *name)
{
    struct inode *inode = machine->disk;

    while (inode && (!inode->name || strcmp(inode->name, name) != 0))
        inode = inode->next;
    return inode;
}

/* Free the files that nobody can reach any more. */
static void sweep(struct world_machine *machine)
{
    for (struct inode **link = &machine->disk, *inode; (inode = *link);) {
        if (inode->name || inode->safe_name || inode->users) {
            link = &inode->next;
            continue;
        }
        *link = inode->next;
        free(inode->now.data);
        free(inode->safe.data);
        free(inode);
    }
}

/* --- a crash --------------------------------------------------------------------------------- */

/* What is left of a file: of each block the old bytes, the new ones, or the begin of the new ones. */
static bool lose(struct world *world, struct inode *inode)
{
    struct bytes left = {NULL, 0};
    size_t old = inode->safe.size, new = inode->now.size, least = old < new ? old : new,
           most = old < new ? new : old, sizes[] = {old, new, 0};
    bool lost;

    if (old == new && (!new || !memcmp(inode->now.data, inode->safe.data, new)))
        return false;
    sizes[2] = least + world_chance(world, most - least + 1);
    resize(&inode->now, most);
    resize(&inode->safe, most);
    resize(&left, most);
    for (size_t first = 0; first < most; first += BLOCK) {
        size_t size = most - first < BLOCK ? most - first : BLOCK,
               kept[] = {0, size, world_chance(world, size + 1)};

        memcpy(left.data + first, inode->safe.data + first, size);
        memcpy(left.data + first, inode->now.data + first, kept[world_chance(world, 3)]);
    }
    resize(&left, sizes[world_chance(world, 3)]);
    lost = left.size != new || memcmp(left.data, inode->now.data, new) != 0;
    set_bytes(&inode->now, &left);
    set_bytes(&inode->safe, &left);
    free(left.data);
    return lost;
}

void disk_crash(struct world_machine *machine)
{
    bool lost = false, changed = false, back;

    for (struct inode *inode = machine->disk; inode; inode = inode->next) {
        changed |= !inode->name != !inode->safe_name ||
                   (inode->name && strcmp(inode->name, inode->safe_name) != 0);
        if (lose(machine->world, inode)) {
            trace(machine, "loses what was not synced of %s: %zu bytes are left",
                  inode->name ? inode->name : "a file without a name", inode->now.size);
            lost = true;
        }
    }
    back = changed && world_chance(machine->world, 2);
    if (back)
        trace(machine, "loses the names that were not synced");
    for (struct inode *inode = machine->disk; inode; inode = inode->next)
        if (back)
            set_name(&inode->name, inode->safe_name);
        else
            set_name(&inode->safe_name, inode->name);
    sweep(machine);
    if (machine->disk)
        tally(TALLY_UNSYNCED, lost || back);
}

void disk_free(struct world_machine *machine)
{
    for (struct inode *inode = machine->disk; inode; inode = inode->next) {
        set_name(&inode->name, NULL);
        set_name(&inode->safe_name, NULL);
    }
    sweep(machine);
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
        resize(&open->inode->now, end);
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
    sweep(file->machine);
    free(open);
}

static const struct file_kind disk_kind = {S_IFREG, events, read_, write_, close_};

off_t disk_size(struct file *file)
{
    const struct open_file *open = (struct open_file *)(void *)file;

    return file->kind == &disk_kind && open->inode ? (off_t)open->inode->now.size : 0;
}

/* --- calls ----------------------------------------------------------------------------------- */

static struct inode *create(struct world_machine *machine, const char *name)
{
    struct inode *inode = calloc(1, sizeof *inode);

    if (!inode)
        abort();
    set_name(&inode->name, name);
    inode->next = machine->disk;
    machine->disk = inode;
    return inode;
}

int disk_open(const char *name, int flags)
{
    bool folder = !strcmp(name, ".");
    struct inode *inode = find(here, name);
    struct open_file *open;

    if (flags &
        ~(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_CLOEXEC | O_DIRECTORY | O_NONBLOCK))
        world_unknown("open with flags %#o", (unsigned)flags);
    if (flags & O_DIRECTORY && !folder)
        world_unknown("open of a folder other than \".\", the one that a disk has");
    if (!folder) {
        if (inode && flags & O_CREAT && flags & O_EXCL)
            return (int)result(-EEXIST);
        if (!inode && !(flags & O_CREAT))
            return (int)result(-ENOENT);
        inode = inode ? inode : create(here, name);
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
        resize(&inode->now, 0);
    return file_install(&open->file, 0);
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
        place += from == SEEK_CUR ? open->place : disk_size(&open->file);
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
    resize(&open->inode->now, (size_t)size);
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
        set_bytes(&open->inode->safe, &open->inode->now);
        trace(here, "has synced %s: %zu bytes", open->inode->name ? open->inode->name : "a file",
              open->inode->now.size);
    } else {
        for (struct inode *inode = here->disk; inode; inode = inode->next)
            set_name(&inode->safe_name, inode->name);
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
    struct inode *inode = find(here, from), *old = find(here, to);

    machine_calls();
    if (!inode)
        return (int)result(-ENOENT);
    if (old && old != inode)
        set_name(&old->name, NULL);
    set_name(&inode->name, to);
    sweep(here);
    return 0;
}

int call_stat(const char *name, struct stat *about)
{
    const struct inode *inode = find(here, name);

    machine_calls();
    if (!inode)
        return (int)result(-ENOENT);
    memset(about, 0, sizeof *about);
    about->st_mode = S_IFREG | 0600;
    about->st_size = (off_t)inode->now.size;
    return 0;
}

/* No file has an owner, or other rights than 0600. */
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
    struct inode *inode = find(here, name);

    machine_calls();
    if (!inode)
        return (int)result(-ENOENT);
    set_name(&inode->name, NULL);
    sweep(here);
    return 0;
}

/* --- for tests ------------------------------------------------------------------------------- */

void world_file(struct world_machine *machine, const char *name, const char *text)
{
    const struct bytes bytes = {(char *)text, strlen(text)};
    struct inode *inode = find(machine, name);

    inode = inode ? inode : create(machine, name);
    set_name(&inode->safe_name, name);
    set_bytes(&inode->now, &bytes);
    set_bytes(&inode->safe, &bytes);
}

void world_fill(struct world_machine *machine, uint64_t spare)
{
    machine->spare = spare;
}
