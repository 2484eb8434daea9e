/* 17-events.c - something happens, and all tasks that wait for it continue
 * SPDX-License-Identifier: MIT
 *
 * An event is one bit that tasks can wait for.
 *
 *     struct pt_event   something that has happened, or not; pt_event_init says not
 *     PT_WAIT_EVENT     wait until it happens; no wait if it is set
 *     pt_event_set      resume all tasks that wait, and let later ones through
 *     pt_event_clear    let later tasks wait again
 *     pt_event_trigger  resume only the tasks that wait now
 *
 * What to notice:
 *   - An event that is set stays set: Cid comes when the zoo is open, and does not wait.
 *   - After a clear, tasks wait again: Dan comes at lunch.
 *   - A trigger is for those that wait: Cid misses the lions' first meal.
 *   - A task can give up a wait: Cid leaves before the second meal, and the others lose nothing.
 *   - All resume in the order in which they came.
 *
 * Try: set the event `meal` at 10, and do not trigger it. Who sees the lions eat? */
#include <pt/posix.h>

#include <stdio.h>

#define HOURS(n) PT_SEC(3600 * (n))
#define SAY(...) (printf("%2u h  ", (unsigned)(PT_NOW() / HOURS(1))), printf(__VA_ARGS__))

static struct pt_event open, meal;

struct visitor {
    struct pt pt;
    struct pt_scope patience;
    const char *name;
    pt_time comes;
};

PT_ASYNC(visitor, self)
{
    PT_WAIT_DEADLINE(self->comes);
    SAY("%s %s\n", self->name, open.set ? "finds the gate open" : "waits at the gate");
    PT_WAIT_EVENT(&open);
    SAY("    %s is in\n", self->name);
    PT_WITH_TIMEOUT(&self->patience, HOURS(3)) {
        PT_WAIT_EVENT(&meal);
        SAY("    %s sees the lions eat\n", self->name);
    }
    if (pt_timed_out(&self->patience))
        SAY("    %s goes home\n", self->name);
}
PT_END

struct keeper {
    struct pt pt;
};

PT_ASYNC(keeper, self)
{
    PT_WAIT_DEADLINE(HOURS(9));
    SAY("the zoo opens\n");
    pt_event_set(&open);
    PT_WAIT_DEADLINE(HOURS(10));
    SAY("the lions are fed\n");
    pt_event_trigger(&meal);
    PT_WAIT_DEADLINE(HOURS(12));
    SAY("the gate is closed for lunch\n");
    pt_event_clear(&open);
    PT_WAIT_DEADLINE(HOURS(14));
    pt_event_set(&open);
    PT_WAIT_DEADLINE(HOURS(15));
    SAY("the lions are fed\n");
    pt_event_trigger(&meal);
}
PT_END

int main(void)
{
    static PT_TASK(visitor) ann, bob, cid, dan;
    static PT_TASK(keeper) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_event_init(&open); /* zero is valid, too, so `meal` in static storage needs no init */
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, keeper);
    PT_START(&loop, &ann, visitor, .name = "Ann", .comes = HOURS(8));
    PT_START(&loop, &bob, visitor, .name = "Bob", .comes = HOURS(8));
    PT_START(&loop, &cid, visitor, .name = "Cid", .comes = HOURS(11));
    PT_START(&loop, &dan, visitor, .name = "Dan", .comes = HOURS(13));
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
