/* 20-worker-pool.c - a boss, some workers, and more jobs than workers
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_SEND    a case of a select: a task receives the value
 *     PT_CASE_JOIN    a case of a select: a task has ended
 *     PT_CASE_IF      a case only if a condition is true now; the others keep their numbers
 *     PT_SELECT_FROM  a select of the cases that a block adds, as many as there are
 *
 * What to notice:
 *   - A free worker receives the next job, so a quick one does more: the channel is the pool.
 *   - The boss sends jobs and receives results in one PT_SELECT. If he sent all jobs first, the
 *     workers would wait for him to take a result, and he for a free worker: a deadlock.
 *   - When the last job is taken, its case is off: the boss only receives.
 *   - Closing the channel of jobs ends the workers. A task that has ended is a case that is always
 *     true: without PT_CASE_IF the first one home would come home again and again.
 *
 * Try: send the jobs with PT_SEND in a loop of its own, and look at what pt_loop_run returns. */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u h  ", (unsigned)(PT_NOW() / PT_SEC(3600))), printf(__VA_ARGS__))

struct result {
    int number;
    const char *by;
};

static PT_CHANNEL(int) jobs;
static PT_CHANNEL(struct result) results;

struct worker {
    struct pt pt;
    int hours;
    struct result result;
};

PT_ASYNC(worker, self)
{
    PT_RECV_EACH(&jobs, &self->result.number) {
        PT_WAIT(PT_SEC(3600 * self->hours));
        self->result.number *= self->result.number;
        PT_SEND(&results, &self->result);
    }
}
PT_END

enum { MOST = 3 };
static const char *const names[MOST] = {"Ann", "Bob", "Cleo"};

struct boss {
    struct pt pt;
    int workers;
    PT_TASK(worker) worker[MOST];
    bool home[MOST];
    PT_SELECTION(MOST) next;
    struct result result;
    int i, job, left;
};

PT_ASYNC(boss, self)
{
    if (self->workers > MOST)
        self->workers = MOST;
    for (self->i = 0; self->i < self->workers; self->i++)
        PT_SPAWN(&self->worker[self->i], worker, .hours = 1 + 2 * self->i,
                 .result.by = names[self->i]);
    for (self->job = 1, self->left = 8; self->left > 0;) {
        PT_SELECT(&self->next, PT_CASE_IF(self->job <= 8, PT_CASE_SEND(&jobs, &self->job)),
                  PT_CASE_RECV(&results, &self->result));
        if (PT_SELECTED(&self->next) == 0)
            SAY("    job %d is taken\n", self->job++);
        else
            SAY("%s: %d, %d left\n", self->result.by, self->result.number, --self->left);
    }
    pt_channel_close(&jobs.channel);
    for (self->left = self->workers; self->left > 0; self->left--) {
        PT_SELECT_FROM(&self->next) {
            for (int i = 0; i < self->workers; i++)
                PT_CASE_IF(!self->home[i], PT_CASE_JOIN(&self->worker[i].task));
        }
        self->home[PT_SELECTED(&self->next)] = true;
        SAY("%s is home\n", names[PT_SELECTED(&self->next)]);
    }
}
PT_END

int main(void)
{
    static PT_TASK(boss) task;
    struct pt_virtual world;
    struct pt_loop loop;

    pt_channel_init(&jobs.channel, PT_PREFER_NEITHER);
    pt_channel_init(&results.channel, PT_PREFER_NEITHER);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &task, boss, .workers = 2);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
