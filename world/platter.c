/* platter.c - what is on the disk of a machine, a folder of files, and what is left of it after a crash
 * SPDX-License-Identifier: MIT
 *
 * A file has its bytes as programs see them, and as they are safe. fsync makes them the same. At a crash each block
 * that differs is the new one, the old one, or the begin of the new one, by the seed, and the size is one of the two,
 * or between. Names are as careful: fsync of the folder makes them safe; at a crash all that changed since then stays,
 * or none of it. A program that is killed loses nothing. */
#include "disk.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

/* --- bytes and names ------------------------------------------------------------------------- */

void bytes_resize(struct bytes *bytes, size_t size)
{
    char *data = realloc(bytes->data, size + 1);

    if (!data)
        abort();
    if (size > bytes->size)
        memset(data + bytes->size, 0, size - bytes->size);
    bytes->data = data;
    bytes->size = size;
}

void bytes_set(struct bytes *to, const struct bytes *from)
{
    bytes_resize(to, from->size);
    if (from->size)
        memcpy(to->data, from->data, from->size);
}

void name_set(char **name, const char *to)
{
    char *copy = to ? strdup(to) : NULL;

    free(*name);
    *name = copy;
}

struct inode *inode_find(const struct world_machine *machine, const char *name)
{
    struct inode *inode = machine->disk;

    while (inode && (!inode->name || strcmp(inode->name, name) != 0))
        inode = inode->next;
    return inode;
}

void disk_sweep(struct world_machine *machine)
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

struct inode *inode_create(struct world_machine *machine, const char *name)
{
    struct inode *inode = calloc(1, sizeof *inode);

    if (!inode)
        abort();
    name_set(&inode->name, name);
    inode->number = ++machine->inodes;
    inode->next = machine->disk;
    machine->disk = inode;
    return inode;
}

/* Also by files that have no name any more. */
static uint64_t disk_used(const struct world_machine *machine)
{
    uint64_t used = 0;

    for (const struct inode *inode = machine->disk; inode; inode = inode->next)
        used += inode->now.size;
    return used;
}

uint64_t disk_spare(const struct world_machine *machine)
{
    uint64_t used = machine->capacity == NEVER ? 0 : disk_used(machine);

    return used < machine->capacity ? machine->capacity - used : 0;
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
    bytes_resize(&inode->now, most);
    bytes_resize(&inode->safe, most);
    bytes_resize(&left, most);
    for (size_t first = 0; first < most; first += BLOCK) {
        size_t size = most - first < BLOCK ? most - first : BLOCK,
               kept[] = {0, size, world_chance(world, size + 1)};

        memcpy(left.data + first, inode->safe.data + first, size);
        memcpy(left.data + first, inode->now.data + first, kept[world_chance(world, 3)]);
    }
    bytes_resize(&left, sizes[world_chance(world, 3)]);
    lost = left.size != new || memcmp(left.data, inode->now.data, new) != 0;
    bytes_set(&inode->now, &left);
    bytes_set(&inode->safe, &left);
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
            name_set(&inode->name, inode->safe_name);
        else
            name_set(&inode->safe_name, inode->name);
    disk_sweep(machine);
    if (machine->disk)
        tally(TALLY_UNSYNCED, lost || back);
}

void disk_free(struct world_machine *machine)
{
    for (struct inode *inode = machine->disk; inode; inode = inode->next) {
        name_set(&inode->name, NULL);
        name_set(&inode->safe_name, NULL);
    }
    disk_sweep(machine);
}

/* --- for tests ------------------------------------------------------------------------------- */

void world_file(struct world_machine *machine, const char *name, const char *text)
{
    const struct bytes bytes = {(char *)text, strlen(text)};
    struct inode *inode = inode_find(machine, name);

    inode = inode ? inode : inode_create(machine, name);
    name_set(&inode->safe_name, name);
    bytes_set(&inode->now, &bytes);
    bytes_set(&inode->safe, &bytes);
}

void world_fill(struct world_machine *machine, uint64_t spare)
{
    machine->capacity = spare == NEVER ? NEVER : disk_used(machine) + spare;
}
