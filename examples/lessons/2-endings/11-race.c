/* 11-race.c - the first of two tasks to end wins, and the other is canceled
 * SPDX-License-Identifier: MIT
 *
 * A group is a block of tasks. It does not end before they have ended.
 *
 *     PT_WITH_GROUP         the block; a struct pt_group is its storage
 *     PT_SPAWN_IN           PT_SPAWN, and the task belongs to the group
 *     enum pt_group_policy  which end of a task decides: PT_GROUP_FIRST takes the first one,
 *                           PT_GROUP_FIRST_SUCCESS ignores failures
 *     PT_ECANCELED          the result of a function that was canceled
 *
 * What to notice:
 *   - When a task has decided, the other one is canceled, and its PT_FINALLY part runs.
 *   - `decider` is the task that decided, `status` its code; if all failed, those of the first
 *     failure.
 *   - A timeout around the group ends the whole race, and leaves no task behind either.
 *
 * Try: give Roma the same time as Napoli on day 1. Which of the two wins? */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%3u min  ", (unsigned)(PT_NOW() / PT_SEC(60))), printf(__VA_ARGS__))

struct pizzeria {
    struct pt pt;
    const char *name;
    int minutes; /* below 0: the pizza is burnt */
};

PT_ASYNC(pizzeria, self)
{
    PT_WAIT(PT_SEC(60 * (self->minutes < 0 ? -self->minutes : self->minutes)));
    SAY("    %s: %s\n", self->name, self->minutes < 0 ? "sorry, it is burnt" : "ding dong");
    PT_RETURN(self->minutes < 0 ? -64 : PT_OK);
    PT_FINALLY
    if (self->pt.result == PT_ECANCELED)
        SAY("    %s: the rider turns round\n", self->name);
}
PT_END

static const struct {
    enum pt_group_policy policy;
    int napoli, roma;
} days[] = {{PT_GROUP_FIRST_SUCCESS, 30, 20},
            {PT_GROUP_FIRST_SUCCESS, -10, 20},
            {PT_GROUP_FIRST, -10, 20},
            {PT_GROUP_FIRST_SUCCESS, -30, -20},
            {PT_GROUP_FIRST_SUCCESS, 90, 80}};

struct guest {
    struct pt pt;
    int i;
    struct pt_scope patience;
    struct pt_group order;
    PT_TASK(pizzeria) napoli, roma;
};

PT_ASYNC(guest, self)
{
    for (self->i = 0; self->i < 5; self->i++) {
        SAY("day %d\n", self->i + 1);
        PT_WITH_TIMEOUT(&self->patience, PT_SEC(60 * 60))
            PT_WITH_GROUP(&self->order, days[self->i].policy) {
                PT_SPAWN_IN(&self->order, &self->napoli, pizzeria, .name = "Napoli",
                            .minutes = days[self->i].napoli);
                PT_SPAWN_IN(&self->order, &self->roma, pizzeria, .name = "Roma",
                            .minutes = days[self->i].roma);
            }
        if (pt_timed_out(&self->patience))
            SAY("bread and cheese\n");
        else
            SAY("%s from %s\n", self->order.status ? "bad news" : "a pizza",
                self->order.decider == &self->roma.task ? "Roma" : "Napoli");
    }
}
PT_END

int main(void)
{
    static PT_TASK(guest) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, guest);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
