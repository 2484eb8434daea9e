/* disk.h - what is on a disk: what platter.c and disk.c share
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_DISK_H
#define WORLD_DISK_H

#include "files.h"

struct bytes {
    char *data;
    size_t size;
};

/* A file on a disk, or the name of a Unix socket. It is gone when it has no name and no descriptor. */
struct inode {
    struct inode *next;
    char *name, *safe_name; /* NULL: it has none */
    struct bytes now, safe;
    int users;
    unsigned number;
    bool is_socket;
    struct socket *bound; /* NULL: it is closed */
};

/* New bytes are zero. */
void bytes_resize(struct bytes *bytes, size_t size);
void bytes_set(struct bytes *to, const struct bytes *from);

/* The bytes for which a disk has room. */
uint64_t disk_spare(const struct world_machine *machine);

void name_set(char **name, const char *to);

/* The file with a name, or NULL. */
struct inode *inode_find(const struct world_machine *machine, const char *name);
struct inode *inode_create(struct world_machine *machine, const char *name);

/* Free the files that have neither a name nor a descriptor. */
void disk_sweep(struct world_machine *machine);

#endif
