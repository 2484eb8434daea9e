/* 20-worker-pool.c - a boss, two workers, and more jobs than workers
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_SEND  a case of a select: a task receives the value
 *     PT_CASE_JOIN  a case of a select: a task has ended
 *     PT_CASE_IF    a case only if a condition is true now; the others keep their numbers
 *
 * What to notice:
 *   - A free worker receives the next job, so a quick one does more: the channel is the pool.
 *   - The boss sends jobs and receives results in one PT_SELECT. If he sent all jobs first, the
 *     workers would wait for him to take a result, and he for a free worker: a deadlock.
 *   - When the last job is taken, its case is off: the boss only receives.
 *   - Closing the channel of jobs ends the workers.
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

struct boss {
    struct pt pt;
    PT_TASK(worker) ann, bob;
    PT_SELECTION(2) next;
    struct result result;
    int job, left;
};

PT_ASYNC(boss, self)
{
    PT_SPAWN(&self->ann, worker, .hours = 1, .result.by = "Ann");
    PT_SPAWN(&self->bob, worker, .hours = 3, .result.by = "Bob");
    for (self->job = 1, self->left = 8; self->left > 0;) {
        PT_SELECT(&self->next, PT_CASE_IF(self->job <= 8, PT_CASE_SEND(&jobs, &self->job)),
                  PT_CASE_RECV(&results, &self->result));
        if (PT_SELECTED(&self->next) == 0)
            SAY("    job %d is taken\n", self->job++);
        else
            SAY("%s: %d, %d left\n", self->result.by, self->result.number, --self->left);
    }
    pt_channel_close(&jobs.channel);
    PT_SELECT(&self->next, PT_CASE_JOIN(&self->ann.task), PT_CASE_JOIN(&self->bob.task));
    SAY("%s is home\n", PT_SELECTED(&self->next) == 0 ? "Ann" : "Bob");
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
    PT_START(&loop, &task, boss);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
