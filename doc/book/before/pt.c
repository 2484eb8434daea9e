/* pt.c - the countdown of program.js in pt, in virtual time
 * SPDX-License-Identifier: MIT */
#include <pt/posix.h>
#include <stdio.h>

static void print_time(pt_time now)
{
    printf("%d s: ", (int)(now / PT_SEC(1)));
}

//- awaits
struct awaits {
    struct pt pt;
    int n;
    const char *word;
};

static PT_ASYNC(awaits, self)
{
    for (self->n = 3; self->n > 0; self->n--) {
        print_time(PT_NOW());
        printf("%d\n", self->n);
        PT_WAIT(PT_SEC(1));
    }
    self->word = "lift-off";
}
PT_END

//- launch
struct launch {
    struct pt pt;
    struct awaits count;
};

static PT_ASYNC(launch, self)
{
    PT_WAIT_COMPLETE(&self->count, awaits);
    print_time(PT_NOW());
    printf("%s\n", self->count.word);
}
PT_END

//- main
int main(void)
{
    static PT_TASK(launch) first;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 1, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &first, launch);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
