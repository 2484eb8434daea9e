/* A loop that never waits: it adds up how long the body wanted to sleep. */
#include "pt.h"
#include <stdio.h>

struct journey {
    struct pt pt;
    int stop;
};

static PT_ASYNC(journey, self)
{
    for (self->stop = 1; self->stop <= 4; self->stop++) {
        PT_WAIT(PT_MS(100 * self->stop));
        PT_YIELD();
    }
}
PT_END

/* The milliseconds that the body asks for until it is done. */
static int drive(struct pt *frame, struct pt_task *task)
{
    pt_time slept = 0;
#ifdef SOLUTION
    pt_op op;

    do {
        op = frame->fn(frame, task);
        if (op.code == PT_OP_WAIT)
            slept += task->at - task->loop->now;
    } while (op.code != PT_OP_DONE);
#else
    /* your code: call frame->fn until it returns PT_OP_DONE */
    (void)frame;
    (void)task;
#endif
    return (int)(slept / PT_MS(1));
}

/* --- the test: leave it as it is --- */

int main(void)
{
    static const pt_time clocks[] = {PT_MS(7), PT_MS(500), -PT_MS(300)}; /* the last one wraps on the way */
    static PT_TASK(journey) trip;
    static struct pt_loop loop;

    for (int i = 0; i < 3; i++) {
        int ms;

        loop.now = clocks[i];
        trip.task.loop = &loop;
        PT_INIT(&trip.frame, journey);
        ms = drive(&trip.frame.pt, &trip.task);
        if (ms != 1000) {
            printf("FAIL: clock %d: %d ms, not 1000\n", i + 1, ms);
            return 1;
        }
    }
    printf("passed\n");
    return 0;
}
