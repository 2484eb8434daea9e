/* 06-join.c - wait for the end of another task
 * SPDX-License-Identifier: MIT
 *
 * A join is how one task learns that another one has ended, and how.
 *
 *     PT_JOIN         wait until a task has ended; its code is then in self->pt.status
 *     struct pt_task  the type of the member .task: what the loop knows of a task
 *     pt_status       the type of a code
 *
 * What to notice:
 *   - Any number of tasks can join one task. They resume in the order in which they joined.
 *   - A join of a task that is already done does not wait: the code is there at once.
 *   - A join of the task itself, or of one that was never started, is refused with an error code.
 *     Two tasks that join each other are not noticed: they wait forever.
 *
 * Try: take the pizza out after 900 seconds. Which lines change? */
#include <pt/posix.h>

#include <stdio.h>

enum { BURNT = -64 };

struct pizza {
    struct pt pt;
    pt_time in_the_oven;
};

PT_ASYNC(pizza, self)
{
    PT_WAIT(self->in_the_oven);
    printf("%2u min  the oven opens\n", (unsigned)(PT_NOW() / PT_SEC(60)));
    if (self->in_the_oven > PT_SEC(900))
        PT_RETURN(BURNT);
}
PT_END

static PT_TASK(pizza) pizza_task, never_ordered;

struct guest {
    struct pt pt;
    const char *name;
    pt_time comes;
    struct pt_task *waits_for;
};

static const char *verdict(pt_status status)
{
    return status == BURNT ? "it is burnt" : pt_status_text(status);
}

PT_ASYNC(guest, self)
{
    PT_WAIT(self->comes);
    PT_JOIN(self->waits_for);
    printf("%2u min  %s: %s\n", (unsigned)(PT_NOW() / PT_SEC(60)), self->name,
           verdict(self->pt.status));
}
PT_END

int main(void)
{
    static PT_TASK(guest) ann, bob, cid, dan, eve;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &pizza_task, pizza, .in_the_oven = PT_SEC(20 * 60));
    PT_START(&loop, &ann, guest, .name = "Ann", .comes = PT_SEC(120),
             .waits_for = &pizza_task.task);
    PT_START(&loop, &bob, guest, .name = "Bob", .comes = 0, .waits_for = &pizza_task.task);
    PT_START(&loop, &cid, guest, .name = "Cid, late", .comes = PT_SEC(30 * 60),
             .waits_for = &pizza_task.task);
    PT_START(&loop, &dan, guest, .name = "Dan, who waits for himself", .comes = 0,
             .waits_for = &dan.task);
    PT_START(&loop, &eve, guest, .name = "Eve, who ordered nothing", .comes = 0,
             .waits_for = &never_ordered.task);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
