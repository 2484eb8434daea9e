/* Try again: up to `tries` times, at least once, with a pause of 10 ms between two attempts. */
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
        PT_RETURN(-70 - attempts);
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

static PT_TASK(fetch) fetches[2];

/* So many of them at once; the milliseconds that they take. */
static int run(int count, int good, int tries)
{
    static struct pt_virtual world;
    static struct pt_loop loop;

    attempts = 0;
    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    for (int i = 0; i < count; i++)
        PT_START(&loop, &fetches[i], fetch, .good = good, .tries = tries);
    pt_loop_run(&loop);
    return (int)(world.now / PT_MS(1));
}

int main(void)
{
    const pt_status *first = &fetches[0].frame.pt.status, *second = &fetches[1].frame.pt.status;
    int ms = run(1, 3, 5);

    if (*first != PT_OK || attempts != 3 || ms != 35) {
        printf("FAIL: the third attempt is good: status %d, %d attempts, %d ms; not 0, 3, 35\n", *first, attempts, ms);
        return 1;
    }
    ms = run(2, 9, 2);
    if (*first != -73 || *second != -74 || attempts != 4 || ms != 20) {
        printf("FAIL: two at once, none of two attempts is good: status %d and %d, %d attempts, %d ms; "
               "not -73 and -74, 4, 20\n", *first, *second, attempts, ms);
        return 1;
    }
    printf("passed\n");
    return 0;
}
