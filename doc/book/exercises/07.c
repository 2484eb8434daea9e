/* Try again: up to `tries` times, with a pause of 10 ms between two attempts. */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

static int attempts;

struct attempt {
    struct pt pt;
    int good; /* which attempt succeeds */
};

static PT_ASYNC(attempt, self)
{
    PT_WAIT(PT_MS(5));
    if (++attempts != self->good)
        PT_RETURN(-70);
}
PT_END

struct fetch {
    struct pt pt;
    struct attempt attempt;
    int good, tries, n;
};

static PT_ASYNC(fetch, self)
{
#ifdef SOLUTION
    for (self->n = 0; self->n < self->tries; self->n++) {
        if (self->n > 0)
            PT_WAIT(PT_MS(10));
        PT_WAIT_COMPLETE(&self->attempt, attempt, .good = self->good);
        if (self->pt.status == PT_OK)
            PT_RETURN(PT_OK);
    }
    PT_RETURN(self->attempt.pt.status);
#else
    /* your code: PT_WAIT_COMPLETE(&self->attempt, attempt, .good = self->good) is one attempt */
    (void)self;
    (void)PT_FN(attempt);
#endif
}
PT_END

/* --- the test: leave it as it is --- */

static int run(int good, int tries, int *ms)
{
    static PT_TASK(fetch) task;
    static struct pt_virtual world;
    static struct pt_loop loop;

    attempts = 0;
    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, fetch, .good = good, .tries = tries);
    pt_loop_run(&loop);
    *ms = (int)(world.now / PT_MS(1));
    return task.frame.pt.status;
}

int main(void)
{
    int ms, status = run(3, 5, &ms);

    if (status != PT_OK || attempts != 3 || ms != 35) {
        printf("FAIL: the third attempt is good: status %d, %d attempts, %d ms; not 0, 3, 35\n", status, attempts, ms);
        return 1;
    }
    status = run(9, 2, &ms);
    if (status != -70 || attempts != 2 || ms != 20) {
        printf("FAIL: none of two is good: status %d, %d attempts, %d ms; not -70, 2, 20\n", status, attempts, ms);
        return 1;
    }
    printf("passed\n");
    return 0;
}
