/* 03-sleeping.c - a task waits by telling the loop when to resume it
 * SPDX-License-Identifier: MIT
 *
 * PT_WAIT stores a deadline in the task and returns the opcode WAIT. Nothing blocks: other tasks
 * run in the meantime.
 *
 * What to notice:
 *   - An awaited function can wait, too: the whole task sleeps.
 *   - PT_WAIT counts from the current turn. PT_WAIT_UNTIL takes a time, so a period has no drift.
 *   - The clock is virtual: it jumps to the next deadline, so three seconds take no time.
 *   - With &pt_posix instead of &world.port they take three seconds, and the output is the same.
 *   - A delay that is too long for the clock to count ends the function with an error code. */
#include <pt/posix.h>

#include <stdio.h>

static unsigned ms(pt_time time)
{
    return (unsigned)(time / PT_MS(1));
}

struct nap {
    struct pt pt;
    pt_time length;
};

PT_ASYNC(nap, self)
{
    PT_WAIT(self->length);
}
PT_END

struct cat {
    struct pt pt;
    struct nap nap; /* the frame of the function it awaits */
};

PT_ASYNC(cat, self)
{
    printf("%4u ms  the cat lies down\n", ms(PT_NOW()));
    PT_WAIT_COMPLETE(&self->nap, nap, .length = PT_MS(2500));
    printf("%4u ms  the cat is awake\n", ms(PT_NOW()));
    PT_WAIT_COMPLETE(&self->nap, nap, .length = PT_DELAY_MAX + 1);
    printf("%4u ms  the cat may not sleep for ever: %s\n", ms(PT_NOW()),
           pt_status_name(self->pt.status));
}
PT_END

struct church {
    struct pt pt;
    pt_time strike;
};

PT_ASYNC(church, self)
{
    for (self->strike = PT_NOW(); self->strike < PT_SEC(3); self->strike += PT_SEC(1)) {
        PT_WAIT_UNTIL(self->strike);
        printf("%4u ms  dong\n", ms(PT_NOW()));
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
