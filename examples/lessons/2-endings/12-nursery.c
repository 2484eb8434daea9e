/* 12-nursery.c - a group's block does not end before all its tasks have ended
 * SPDX-License-Identifier: MIT
 *
 * A nursery is a group that gets new tasks while it is open.
 *
 *     PT_GROUP_ALL          a policy: all tasks of the group run to their ends
 *     PT_GROUP_ALL_OR_NONE  a policy: the first failure cancels the others
 *     PT_ADOPT              after any spawn: the new task belongs to the group, too
 *
 * What to notice:
 *   - A group accepts any number of tasks from any storage. A child can bring another one while the
 *     block is open.
 *   - The block ends when its last child has ended. A break cancels all children first. Each still
 *     puts on its shoes.
 *   - nursery.status is a code: 0 is PT_OK; -1 is PT_ECANCELED, for the children of day 2; -64 is
 *     FALLS, a code of this program.
 *   - So after the block no child is alive, and all they used is free: swings.pool.used counts the
 *     swings in use.
 *
 * Try: let Bob swing for 9 minutes on day 3, too. Who is canceled then? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u min  ", (unsigned)(PT_NOW() / PT_SEC(60))), printf(__VA_ARGS__))

enum { FALLS = -64 };

struct child {
    struct pt pt;
    const char *name, *brings; /* a child that comes along, or NULL */
    int minutes;               /* 3: the child falls */
};

static PT_POOL(child, 2) swings;
static struct pt_group nursery;

PT_ASYNC(child, self)
{
    SAY("    %s swings\n", self->name);
    if (self->brings) {
        PT_SPAWN_WHEN_FREE(&swings, child, .name = self->brings, .brings = NULL, .minutes = 10);
        PT_ADOPT(&nursery);
    }
    PT_WAIT(PT_SEC(60 * self->minutes));
    if (self->minutes == 3)
        PT_RETURN(FALLS);
    PT_FINALLY
    PT_WAIT(PT_SEC(60)); /* the shoes */
    SAY("    %s goes home%s\n", self->name, self->pt.result == FALLS ? " and cries" : "");
}
PT_END

struct teacher {
    struct pt pt;
    int day;
};

PT_ASYNC(teacher, self)
{
    for (self->day = 1; self->day <= 3; self->day++) {
        SAY("day %d\n", self->day);
        PT_WITH_GROUP(&nursery, self->day < 3 ? PT_GROUP_ALL : PT_GROUP_ALL_OR_NONE) {
            PT_SPAWN_FROM(&swings, child, .name = "Ann", .brings = self->day == 1 ? "Eve" : NULL,
                          .minutes = 20);
            PT_ADOPT(&nursery);
            PT_SPAWN_FROM(&swings, child, .name = "Bob", .brings = NULL,
                          .minutes = self->day < 3 ? 9 : 3);
            PT_ADOPT(&nursery);
            PT_WAIT(PT_SEC(60 * 5));
            if (self->day == 2) {
                SAY("it rains\n");
                break;
            }
        }
        SAY("all have gone: %d, swings in use: %u\n", nursery.status, swings.pool.used);
    }
}
PT_END

int main(void)
{
    static PT_TASK(teacher) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, teacher);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
