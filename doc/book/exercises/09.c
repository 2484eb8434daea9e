/* A job gets 100 ms. After that it is canceled, and its cleanup runs. */
#include "pt.h"
#include "virtual.h"
#include <stdio.h>

static int cleaned;

struct job {
    struct pt pt;
    int ms;
};

static PT_ASYNC(job, self)
{
    PT_WAIT(PT_MS(self->ms));
    PT_RETURN(7);

    PT_FINALLY
    PT_WAIT(PT_MS(20));
    cleaned++;
}
PT_END

struct give_up {
    struct pt pt;
    int ms;
    PT_TASK(job) job;
};

static PT_ASYNC(give_up, self)
{
    PT_SPAWN(&self->job, job, .ms = self->ms);
    PT_WAIT(PT_MS(100));
#ifdef SOLUTION
    pt_cancel(&self->job.task, PT_ECANCELED); /* has no effect on a task that is done */
    PT_JOIN(&self->job.task);
    PT_RETURN(self->pt.status);
#else
    /* your code: cancel, join, return the job's code */
#endif
}
PT_END

/* --- the test: leave it as it is --- */

static int run(int ms, int *took)
{
    static PT_TASK(give_up) task;
    static struct pt_virtual world;
    static struct pt_loop loop;

    cleaned = 0;
    task.frame.job.task.state = PT_IDLE; /* it has ended in the run before */
    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, give_up, .ms = ms);
    pt_loop_run(&loop);
    *took = (int)(world.now / PT_MS(1));
    return task.frame.pt.status;
}

int main(void)
{
    int took, quick = run(50, &took), quick_cleaned = cleaned, slow = run(500, &took);

    if (quick != 7 || quick_cleaned != 1) {
        printf("FAIL: the quick job: status %d, cleanups %d; not 7, 1\n", quick, quick_cleaned);
        return 1;
    }
    if (slow != PT_ECANCELED || cleaned != 1 || took != 120) {
        printf("FAIL: the slow job: status %d, cleanups %d, %d ms; not -1, 1, 120\n", slow, cleaned, took);
        return 1;
    }
    printf("passed\n");
    return 0;
}
