/* many.c - many tasks that sleep; it stands still
 * SPDX-License-Identifier: MIT
 *
 *     many [COUNT]        up to 100,000, the default
 *
 * Their timers are where timers can be: in the heap, in the bucket that is open, in others. Of each, one was
 * removed. */
#include "attach.h"

#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 100000 };

struct sleeper {
    struct pt pt;
    int number;
};

/* So many are armed before there are buckets. */
enum { FIRST = PT_BUCKETS_FROM_ };

PT_ASYNC(sleeper, self)
{
    PT_WAIT(self->number < FIRST ? PT_SEC(self->number < FIRST - 3 ? 1 : 1000)
                                 : PT_SEC(100 + self->number));
}
PT_END

static struct pt_loop tasks;
static PT_TASK(sleeper) sleepers[COUNT];

int main(int count, char **arguments)
{
    const int number = count > 1 ? atoi(arguments[1]) : COUNT;
    const struct pt_buckets_ *later;
    struct pt_virtual world;

    let_attach();
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&tasks, &world.port);
    for (int i = 0; i < number; i++) {
        (void)!PT_START(&tasks, &sleepers[i], sleeper, .number = i);
    }
    (void)pt_loop_turn(&tasks, world.now);
    /* Here the first bucket is opened. */
    (void)pt_loop_turn(&tasks, (pt_time)(world.now + PT_SEC(2)));
    pt_cancel(&sleepers[FIRST - 2].task, PT_ECANCELED);
    pt_cancel(&sleepers[FIRST + 1].task, PT_ECANCELED);
    pt_cancel(&sleepers[number - 2].task, PT_ECANCELED);
    (void)pt_loop_turn(&tasks, (pt_time)(world.now + PT_SEC(2)));
    later = tasks.timers.later;
    printf("%s, %s\n", later->front.left > 2 ? "front" : "no front",
           later->count ? "buckets" : "no buckets");
    puts("end");
    fflush(stdout);
    for (;;)
        pause();
}
