/* 43-own-owner.c - the owner of a task's storage decides what happens to it at the end
 * SPDX-License-Identifier: MIT
 *
 * A lamp burns out and is replaced, until no spare bulbs are left.
 *
 *     struct pt_owner  one function, which is called when a task is done
 *     PT_OWNED_TASK    storage that has an owner
 *     PT_OWN           says which one
 *     pt_random_next   64 random bits from a struct pt_random, which holds a seed
 *
 * What to notice:
 *   - The pools and the heap of lesson 08 are two owners of storage. This one is a third.
 *   - After the owner is told, pt does not touch the storage: the owner may start another task in
 *     it at once.
 *   - Joiners wake before the owner is told, so their code is that of the task they waited for.
 *
 * Try: let the reader join the light twice. Which bulb's end does the second join wait for? */
#include <pt/posix.h>

#include <stdio.h>

struct bulb {
    struct pt pt;
    int hours;
};

PT_ASYNC(bulb, self)
{
    printf("%2u h  a bulb for %d hours\n", (unsigned)(PT_NOW() / PT_SEC(3600)), self->hours);
    PT_WAIT(PT_SEC(3600 * self->hours));
}
PT_END

struct lamp {
    struct pt_owner owner; /* first member: its address is the lamp's */
    int spares;
    PT_OWNED_TASK(bulb) socket;
};

static struct pt_random chance = {1};

static void light(struct lamp *lamp, struct pt_loop *loop)
{
    int hours = 1 + (int)(pt_random_next(&chance) >> 60); /* 4 bits of chance: 1 to 16 */

    PT_START(loop, &lamp->socket, bulb, .hours = hours);
    PT_OWN(&lamp->socket, &lamp->owner);
}

static void replace(struct pt_owner *owner, struct pt_task *task)
{
    struct lamp *lamp = (struct lamp *)(void *)owner;

    printf("      burnt out; spare bulbs: %d\n", lamp->spares);
    if (lamp->spares-- > 0)
        light(lamp, task->loop);
}

struct reader {
    struct pt pt;
    struct pt_task *light;
};

PT_ASYNC(reader, self)
{
    PT_JOIN(self->light);
    printf("%2u h  time to sleep\n", (unsigned)(PT_NOW() / PT_SEC(3600)));
}
PT_END

int main(void)
{
    static struct lamp lamp;
    static PT_TASK(reader) reader_task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    lamp.owner.release = replace;
    lamp.spares = 2;
    light(&lamp, &loop);
    PT_START(&loop, &reader_task, reader, .light = &lamp.socket.task);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
