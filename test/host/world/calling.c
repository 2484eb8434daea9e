/* calling.c - tasks that call what blocks, in worker threads and in threads of their own, and leave some of these calls
 * SPDX-License-Identifier: MIT
 *
 * Each call that has begun ends before its task goes on; one that was left before it began never begins. */
#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

enum { CALLERS = 4, CALLS = 5, TEAMS = 3 };

static struct pt_system sys;
static struct pt_workers workers;

static void check(bool holds, const char *text)
{
    if (!holds) {
        printf("not so: %s\n", text);
        exit(1);
    }
}

static unsigned chance(unsigned most)
{
    unsigned value = 0;

    check(getrandom(&value, sizeof value, 0) == sizeof value, "there is chance");
    return value % most;
}

struct work {
    unsigned span; /* microseconds */
    int begun, ended;
};

static void work(void *argument)
{
    struct work *self = argument;

    self->begun++;
    usleep(self->span);
    self->ended++;
}

/* A task that has left it does not free it. */
static void work_alone(void *argument)
{
    usleep(*(unsigned *)argument);
    free(argument);
}

struct caller {
    struct pt pt;
    int calls;
    bool leaves; /* perhaps before the call is done */
    struct work work;
    struct pt_scope limit;
    struct pt_blocking call;
    struct pt_detached away;
    unsigned *span;
};

static PT_ASYNC(caller, self)
{
    for (self->calls = 0; self->calls < CALLS; self->calls++) {
        PT_WAIT(PT_US(chance(300)));
        self->work = (struct work){chance(300), 0, 0};
        self->leaves = chance(2);
        PT_WITH_TIMEOUT(&self->limit, self->leaves ? PT_US(chance(900)) : PT_SEC(1))
            PT_WAIT_COMPLETE(&self->call, pt_blocking, .workers = &workers, .work = work,
                             .argument = &self->work);
        check(self->work.begun == self->work.ended && self->work.begun <= 1,
              "a call is done once, or never");
        check(self->work.begun || self->leaves, "a call that is not left is done");
        self->span = malloc(sizeof *self->span);
        check(self->span != NULL, "there is memory");
        *self->span = chance(300);
        PT_WITH_TIMEOUT(&self->limit, PT_US(1 + chance(300)))
            PT_WAIT_COMPLETE(&self->away, pt_detached, .work = work_alone, .argument = self->span);
        if (!self->away.begun)
            free(self->span);
    }
}
PT_END

int main(void)
{
    static PT_TASK(caller) callers[CALLERS];
    struct pt_loop loop;

    check(pt_system_open(&sys, &loop, NULL) == PT_OK, "the system opens");
    for (int team = 0; team < TEAMS; team++) {
        check(pt_workers_open(&workers, &sys, 1 + (unsigned)team % 2) == PT_OK,
              "the workers begin");
        for (int i = 0; i < CALLERS; i++)
            PT_START(&loop, &callers[i], caller);
        check(pt_loop_run(&loop) == PT_OK, "the loop ends");
        pt_workers_close(&workers);
        for (int i = 0; i < CALLERS; i++)
            check(callers[i].frame.calls == CALLS, "each caller has made its calls");
    }
    pt_system_close(&sys);
    puts("done");
    return 0;
}
