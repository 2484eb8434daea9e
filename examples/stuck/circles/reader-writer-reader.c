/* reader-writer-reader.c - a task reads twice; between the two comes a writer, which goes first
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct map {
    struct pt_rwlock lock;
};

struct reader {
    struct pt pt;
    struct map *map;
};

static PT_ASYNC(reader, self)
{
    PT_LOCK_SHARED(&self->map->lock);
    PT_WAIT(PT_MS(20));
#ifndef MENDED
    PT_LOCK_SHARED(&self->map->lock); /* in a function that it calls */
    pt_rwlock_release_shared(&self->map->lock);
#endif
    pt_rwlock_release_shared(&self->map->lock);
}
PT_END

struct writer {
    struct pt pt;
    struct map *map;
};

static PT_ASYNC(writer, self)
{
    PT_WAIT(PT_MS(10));
    PT_LOCK_EXCLUSIVE(&self->map->lock);
    PT_UNLOCK_EXCLUSIVE(&self->map->lock);
}
PT_END

static void scene(struct pt_loop *loop)
{
    struct map *map = NEW(struct map);

    pt_rwlock_init(&map->lock);
    PT_START_NEW(loop, reader, .map = map);
    PT_START_NEW(loop, writer, .map = map);
}
