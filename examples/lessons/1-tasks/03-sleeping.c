/* 03-sleeping.c - a task waits by telling the loop when to resume it
 * SPDX-License-Identifier: MIT
 *
 * PT_WAIT stores a deadline in the task and returns to the loop. Nothing blocks: other tasks run in
 * the meantime.
 *
 *     pt_time            a time or a delay, in ticks; PT_SEC and PT_MS convert to ticks
 *     PT_NOW             the time at which this turn of the loop began
 *     PT_WAIT            sleep for at least a delay, counted from the end of the step
 *     PT_WAIT_DEADLINE   sleep until a time; one that has passed is due at once
 *     struct pt_virtual  a clock that starts at 0 and jumps to the next deadline (the later lessons
 *                        count on the 0); pt_virtual_init gives it a seed for random numbers, and
 *                        memory; its member `port` takes the place of pt_posix
 *
 * What to notice:
 *   - The church adds a second to its last deadline, and not to PT_NOW: its period has no drift.
 *   - A period of delays would get longer by what each step takes. In turns by hand, on a part, it
 *     does not: there a delay counts from PT_NOW. clock.h says how a minimum delay is exact there.
 *   - The clock is virtual, so three seconds take no time.
 *
 * Try: open the loop with &pt_posix. The program takes three seconds, and prints the system's
 * time. */
#include <pt/posix.h>

#include <stdio.h>

static unsigned ms(pt_time time)
{
    return (unsigned)(time / PT_MS(1));
}

struct cat {
    struct pt pt;
};

PT_ASYNC(cat, self)
{
    printf("%4u ms  the cat lies down\n", ms(PT_NOW()));
    PT_WAIT(PT_MS(1500));
    printf("%4u ms  the cat is awake\n", ms(PT_NOW()));
}
PT_END

struct church {
    struct pt pt;
    pt_time strike;
    int count;
};

PT_ASYNC(church, self)
{
    self->strike = PT_NOW();
    for (self->count = 1; self->count <= 3; self->count++) {
        self->strike += PT_SEC(1);
        PT_WAIT_DEADLINE(self->strike);
        printf("%4u ms  dong, %d\n", ms(PT_NOW()), self->count);
    }
}
PT_END

int main(void)
{
    static PT_TASK(cat) cat_task;
    static PT_TASK(church) church_task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &church_task, church);
    PT_START(&loop, &cat_task, cat);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
