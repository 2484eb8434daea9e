/* pt.c - three workers, five jobs: a program that other languages have, too
 * SPDX-License-Identifier: MIT */
//- jobs
#include <pt/posix.h>

#include <stdio.h>

enum { FAILED = -64 };

struct job {
    const char *name;
    int ms;
    bool broken;
};

static const struct job list[] = {
    {"logo", 100, false}, {"movie", 900, false},
    {"news", 200, true},  {"map", 200, false},
    {"mail", 900, false},
};
enum { COUNT = sizeof list / sizeof list[0] };
static PT_QUEUE(struct job, COUNT) jobs;
//- fetch
struct fetch {
    struct pt pt;
    struct job job;
};

PT_ASYNC(fetch, self)
{
    PT_WAIT(PT_MS(self->job.ms));
    if (self->job.broken)
        PT_RETURN(FAILED);
    PT_FINALLY
    printf("%s: closed\n", self->job.name);
}
PT_END
//- worker
struct worker {
    struct pt pt;
    struct job job;
    struct pt_scope limit;
    struct fetch fetch;
};

PT_ASYNC(worker, self)
{
    for (;;) {
        PT_POP(&jobs, &self->job);
        PT_WITH_TIMEOUT(&self->limit, PT_MS(500))
            PT_WAIT_COMPLETE(&self->fetch, fetch,
                             .job = self->job);
        if (pt_timed_out(&self->limit))
            printf("%s: too late\n", self->job.name);
        else if (self->pt.status == FAILED)
            printf("%s: failed\n", self->job.name);
        else
            printf("%s: done\n", self->job.name);
    }
}
PT_END
//- office
struct office {
    struct pt pt;
    int i;
    struct pt_group group;
    PT_TASK(worker) workers[3];
};

PT_ASYNC(office, self)
{
    for (self->i = 0; self->i < COUNT; self->i++)
        PT_PUSH(&jobs, &list[self->i]);
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {
        for (self->i = 0; self->i < 3; self->i++)
            PT_SPAWN_IN(&self->group,
                        &self->workers[self->i], worker);
        PT_WAIT(PT_MS(600));
        pt_group_cancel(&self->group, PT_ECANCELED);
    }
    printf("all workers have ended\n");
}
PT_END
//- main
int main(void)
{
    static PT_TASK(office) task;
    struct pt_virtual clock; /* &pt_posix is real */
    struct pt_loop loop;

    PT_QUEUE_INIT(&jobs);
    pt_virtual_init(&clock, 0, &pt_posix);
    pt_loop_open(&loop, &clock.port);
    PT_START(&loop, &task, office);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
