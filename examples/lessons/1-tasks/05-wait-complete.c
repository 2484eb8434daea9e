/* 05-wait-complete.c - a countdown awaits another countdown
 * SPDX-License-Identifier: MIT
 *
 * PT_WAIT_COMPLETE runs another coroutine in place of this one, and continues here when that one is
 * done. It is a call that can take time.
 *
 *     PT_WAIT_COMPLETE  takes a frame, a coroutine, and fields; the code that it ended with is then
 *                       in self->pt.status
 *     PT_TRY            the same; if the code is not PT_OK, this function ends with it, too
 *     PT_RETURN         end the function with a code; your own codes are -64 and below
 *     PT_KEEP           behind the name: fields that are not named keep what they hold
 *
 * What to notice:
 *   - There is only one task. Its frames form a chain, and the loop resumes the innermost directly:
 *     a resume at depth 64 costs as much as at depth 1.
 *   - An awaited function can wait, too: the whole task sleeps.
 *   - Each call needs a frame of its own, and so does each level of a recursion.
 *   - After the call the frame still holds its fields: here `litres`. That is how it returns values.
 *   - Fields that a call does not name are zero, as in an initializer: the second call of `fill` begins
 *     with 0 litres. The third one names PT_KEEP, finds 90 litres, and ends at once.
 *
 * Try: let the hold have a hold of its own. What else must you give it? */
#include <pt/posix.h>

#include <stdio.h>

enum { LEAK = -64 };

struct countdown {
    struct pt pt;
    const char *name;
    int count;
    struct countdown *hold; /* the frame of a countdown to run at 2, or NULL */
};

PT_ASYNC(countdown, self)
{
    for (; self->count > 0; self->count--) {
        printf("%2u s  %s %d\n", (unsigned)(PT_NOW() / PT_SEC(1)), self->name, self->count);
        PT_WAIT(PT_SEC(1));
        if (self->hold && self->count == 2)
            PT_WAIT_COMPLETE(self->hold, countdown, .name = "  hold", .count = 2);
    }
}
PT_END

struct fill {
    struct pt pt;
    int litres; /* in: what is there; out: what was filled in */
};

PT_ASYNC(fill, self)
{
    for (; self->litres < 90; self->litres += 30)
        PT_WAIT(PT_SEC(1));
    PT_RETURN(LEAK);
}
PT_END

struct launch {
    struct pt pt;
    struct countdown countdown, hold;
    struct fill fill;
};

PT_ASYNC(launch, self)
{
    PT_TRY(&self->countdown, countdown, .name = "test", .count = 3, .hold = &self->hold);
    PT_WAIT_COMPLETE(&self->fill, fill);
    printf("%2u s  code %d after %d litres: once more\n", (unsigned)(PT_NOW() / PT_SEC(1)),
           self->pt.status, self->fill.litres);
    PT_WAIT_COMPLETE(&self->fill, fill);
    printf("%2u s  %d litres again\n", (unsigned)(PT_NOW() / PT_SEC(1)), self->fill.litres);
    PT_TRY(&self->fill, fill, PT_KEEP);
    printf("never reached\n");
}
PT_END

int main(void)
{
    static PT_TASK(launch) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, launch);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    printf("%2u s  the launch ended with code %d\n", (unsigned)(world.now / PT_SEC(1)),
           pt_task_status(&task.task));
    return 0;
}
