/* protothreads.c - three workers, five jobs, with classic protothreads
 * SPDX-License-Identifier: MIT */
//- jobs
#include "pt.h"

#include <stdbool.h>
#include <stdio.h>

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
static int next;      /* the next job */
static int now;       /* milliseconds */
static bool stopping; /* every wait must ask for it */

struct worker {
    struct pt pt, child;
    const struct job *job;
    int ready, limit;
};
//- fetch
static PT_THREAD(fetch(struct worker *self))
{
    PT_BEGIN(&self->child);
    self->ready = now + self->job->ms;
    self->limit = now + 500;
    PT_WAIT_UNTIL(&self->child, now >= self->ready ||
                                    now >= self->limit ||
                                    stopping);
    printf("%s: closed\n", self->job->name);
    PT_END(&self->child);
}
//- worker
static PT_THREAD(worker(struct worker *self))
{
    PT_BEGIN(&self->pt);
    for (;;) {
        PT_WAIT_UNTIL(&self->pt, next < COUNT || stopping);
        if (stopping)
            PT_EXIT(&self->pt);
        self->job = &list[next++];
        PT_SPAWN(&self->pt, &self->child, fetch(self));
        if (stopping)
            PT_EXIT(&self->pt);
        if (now < self->ready)
            printf("%s: too late\n", self->job->name);
        else if (self->job->broken)
            printf("%s: failed\n", self->job->name);
        else
            printf("%s: done\n", self->job->name);
    }
    PT_END(&self->pt);
}
//- office
static void office(void)
{
    static struct worker workers[3];
    int alive, i;

    for (i = 0; i < 3; i++)
        PT_INIT(&workers[i].pt);
    do {
        alive = 0;
        for (i = 0; i < 3; i++)
            alive += PT_SCHEDULE(worker(&workers[i]));
        now++; /* on a board, an interrupt counts */
        stopping = now >= 600;
    } while (alive > 0);
    printf("all workers have ended\n");
}
//- main
int main(void)
{
    office();
    return 0;
}
