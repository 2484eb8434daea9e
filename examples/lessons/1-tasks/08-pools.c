/* 08-pools.c - storage for tasks that come and go: a pool, or the heap
 * SPDX-License-Identifier: MIT
 *
 * A restaurant has two tables and a meadow. A guest is a task; a table is storage for one task.
 *
 *     PT_POOL(guest, 2)   static storage for two tasks
 *     PT_SPAWN_FROM       PT_SPAWN with storage from a pool; PT_ENOMEM if none is free
 *     PT_SPAWN_WHEN_FREE  the same, but wait until some is free
 *     PT_SPAWN_NEW        PT_SPAWN with memory that the loop's port allocates, and the loop frees
 *     PT_START_FROM       like PT_SPAWN_FROM, from outside of any body
 *     PT_START_NEW        like PT_SPAWN_NEW, from outside of any body
 *     taken               the new task: a member of the pool, and of the loop for one on the heap
 *     PT_LOOP             in a body, its loop
 *     PT_FRAME            the frame of a task that is known by its address
 *
 * What to notice:
 *   - A task gives its storage back at its end.
 *   - Do not look at such a task after it is done: it must deliver its results before that. One that
 *     waits in PT_JOIN still gets its code.
 *   - The next start changes `taken`: who needs the task later keeps its address.
 *
 * Try: give the restaurant a third table. Who eats there? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u h  ", (unsigned)(PT_NOW() / PT_SEC(3600))), printf(__VA_ARGS__))

struct guest {
    struct pt pt;
    const char *name;
    int hours;
};

PT_ASYNC(guest, self)
{
    SAY("%s eats\n", self->name);
    PT_WAIT(PT_SEC(3600 * self->hours));
    SAY("%s leaves\n", self->name);
}
PT_END

static PT_POOL(guest, 2) tables;

struct waiter {
    struct pt pt;
    struct pt_task *cid;
};

PT_ASYNC(waiter, self)
{
    PT_SPAWN_FROM(&tables, guest, .name = "Bob", .hours = 3);
    PT_YIELD();
    PT_SPAWN_FROM(&tables, guest, .name = "Cid", .hours = 1);
    SAY("a table for Cid: %s\n", pt_status_text(self->pt.status));
    PT_SPAWN_NEW(guest, .name = "Cid, on the meadow,", .hours = 1);
    self->cid = PT_LOOP()->taken;
    SAY("%s stays for %d h\n", PT_FRAME(self->cid, guest)->name, PT_FRAME(self->cid, guest)->hours);
    PT_JOIN(self->cid);
    SAY("Cid pays: %s\n", pt_status_text(self->pt.status));
    SAY("Dan will wait\n");
    PT_SPAWN_WHEN_FREE(&tables, guest, .name = "Dan", .hours = 2);
    SAY("a table for Dan: %s\n", pt_status_text(self->pt.status));
}
PT_END

int main(void)
{
    static PT_TASK(waiter) waiter_task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START_FROM(&loop, &tables, guest, .name = "Ann", .hours = 2);
    printf("a table for %s\n", tables.taken->frame.name);
    PT_START_NEW(&loop, guest, .name = "Eve, on the meadow,", .hours = 4);
    PT_START(&loop, &waiter_task, waiter);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
