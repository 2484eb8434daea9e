/* 13-supervise.c - a task that fails is started again, but not at once and not forever
 * SPDX-License-Identifier: MIT
 *
 * This lesson needs no new name: groups, codes and loops are enough.
 *
 * What to notice:
 *   - Storage of a task that is done can be used again: each attempt is a new spawn into it.
 *   - Each delay is twice the last one. After the last try, the station ends with that failure.
 *   - Each attempt runs in a group, so it never outlives its supervisor.
 *   - When Madrid hears the rover, Perth is canceled: first its call hangs up, then it closes.
 *
 * Try: let the dust storm last an hour, and give each station three tries. How does mars end? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u s  ", (unsigned)(PT_NOW() / PT_SEC(1))), printf(__VA_ARGS__))

struct call {
    struct pt pt;
    const char *from;
    int takes;
};

PT_ASYNC(call, self)
{
    PT_WAIT(PT_SEC(self->takes));
    if (PT_NOW() < PT_SEC(40)) /* a dust storm */
        PT_RETURN(-64);
    SAY("%s hears the rover\n", self->from);
    PT_FINALLY
    if (self->pt.result == PT_ECANCELED)
        SAY("%s hangs up\n", self->from);
}
PT_END

struct station {
    struct pt pt;
    const char *name;
    int takes, tries, delay;
    struct pt_group group;
    PT_TASK(call) call;
};

PT_ASYNC(station, self)
{
    for (self->delay = 1;; self->delay *= 2) {
        PT_WITH_GROUP(&self->group, PT_GROUP_ALL)
            PT_SPAWN_IN(&self->group, &self->call, call, .from = self->name, .takes = self->takes);
        if (self->group.status == PT_OK || --self->tries == 0)
            PT_RETURN(self->group.status);
        SAY("%s: silence; wait %d s\n", self->name, self->delay);
        PT_WAIT(PT_SEC(self->delay));
    }
    PT_FINALLY
    SAY("%s closes: %d\n", self->name, self->pt.result);
}
PT_END

struct mars {
    struct pt pt;
    struct pt_group group;
    PT_TASK(station) s[3];
};

PT_ASYNC(mars, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST_SUCCESS) {
        PT_SPAWN_IN(&self->group, &self->s[0], station, .name = "Madrid", .takes = 2, .tries = 9);
        PT_SPAWN_IN(&self->group, &self->s[1], station, .name = "Usuda", .takes = 1, .tries = 3);
        PT_SPAWN_IN(&self->group, &self->s[2], station, .name = "Perth", .takes = 12, .tries = 9);
    }
}
PT_END

int main(void)
{
    static PT_TASK(mars) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, mars);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
