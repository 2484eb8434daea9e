/* 26-rwlock.c - a reader-writer lock: read together, write alone
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_rwlock      a lock that several readers can share; pt_rwlock_init makes it free
 *     PT_LOCK_SHARED        lock it to read, until pt_rwlock_release_shared
 *     PT_LOCK_EXCLUSIVE     lock it to write, until PT_UNLOCK_EXCLUSIVE in the same body, or
 *                           pt_rwlock_release_exclusive for any task
 *     PT_WITH_SHARED   a block that reads, and unlocks however it ends; PT_WITH_EXCLUSIVE:
 *                           a block that writes
 *     pt_rwlock_try_shared  read without waiting; pt_rwlock_try_exclusive: write without waiting.
 *                           They return PT_EAGAIN if the lock is not free for that.
 *
 * What to notice:
 *   - Readers share the map. A writer is alone, and waits until the last reader has left.
 *   - Cid could read beside Ann, but Bob waits to draw, and Cid does not overtake him.
 *   - After Bob, all readers that wait by then are let in. So neither side starves.
 *   - Gil's time is over while he draws. His block has unlocked, so he can look at the map.
 *
 * Try: let Cid come a minute before Bob. Who reads together then? */
#include <pt/posix.h>

#include <stdio.h>

#define MINUTES(n) PT_SEC(60 * (n))
#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / MINUTES(1))), printf(__VA_ARGS__))

static struct pt_rwlock map;

struct reader {
    struct pt pt;
    const char *name;
    pt_time comes;
};

PT_ASYNC(reader, self)
{
    PT_WAIT(self->comes);
    PT_LOCK_SHARED(&map);
    SAY("%s reads, one of %u\n", self->name, map.reading);
    PT_WAIT(MINUTES(5));
    pt_rwlock_release_shared(&map);
}
PT_END

struct writer {
    struct pt pt;
    const char *name;
    pt_time comes;
};

PT_ASYNC(writer, self)
{
    PT_WAIT(self->comes);
    SAY("%s wants to draw\n", self->name);
    PT_LOCK_EXCLUSIVE(&map);
    SAY("%s draws, beside %u\n", self->name, map.reading);
    PT_WAIT(MINUTES(5));
    PT_LOCK_EXCLUSIVE(&map);
    SAY("%s again: %s\n", self->name, pt_status_text(self->pt.status));
    PT_UNLOCK_EXCLUSIVE(&map);
}
PT_END

struct hasty {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held;
    const char *name;
    pt_time comes;
};

PT_ASYNC(hasty, self)
{
    PT_WAIT(self->comes);
    PT_WITH_TIMEOUT(&self->limit, MINUTES(2))
        PT_WITH_EXCLUSIVE(&self->held, &map)
            PT_WAIT(MINUTES(5));
    PT_WITH_SHARED(&self->held, &map)
        SAY("%s had to stop, and reads, one of %u\n", self->name, map.reading);
}
PT_END

int main(void)
{
    static PT_TASK(reader) ann, cid, dan, eve;
    static PT_TASK(writer) bob, fay;
    static PT_TASK(hasty) gil;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_rwlock_init(&map);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &ann, reader, .name = "Ann", .comes = 0);
    PT_START(&loop, &eve, reader, .name = "Eve", .comes = MINUTES(1));
    PT_START(&loop, &bob, writer, .name = "Bob", .comes = MINUTES(2));
    PT_START(&loop, &fay, writer, .name = "Fay", .comes = MINUTES(3));
    PT_START(&loop, &cid, reader, .name = "Cid", .comes = MINUTES(4));
    PT_START(&loop, &dan, reader, .name = "Dan", .comes = MINUTES(8));
    PT_START(&loop, &gil, hasty, .name = "Gil", .comes = MINUTES(30));
    pt_loop_run(&loop);
    if (pt_rwlock_try_exclusive(&map, &bob.task) == PT_OK &&
        pt_rwlock_try_shared(&map, &ann.task) == PT_EAGAIN &&
        pt_rwlock_release_exclusive(&map, &bob.task) == PT_OK)
        printf("nobody is left: Bob could have it at once, and then Ann could not\n");
    pt_loop_close(&loop);
    return 0;
}
