/* expanded/20-worker-pool.c - lesson 20 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_SEND, PT_CASE_JOIN  fill in the next case of a select: see lesson 19
 *     PT_CASE_IF                  fills it in, or takes its place with one that never comes true */
#include <pt/posix.h>

#include <stdio.h>

#define SAY(...) (printf("%2u h  ", (unsigned)(pt_now_(task) / PT_SEC(3600))), printf(__VA_ARGS__))

struct result { int number; const char *by; };

static PT_CHANNEL(int) jobs;
static PT_CHANNEL(struct result) results;

struct worker {
    struct pt pt;
    int hours;
    struct result result;
};

static pt_op PT_FN(worker)(struct pt *pt, struct pt_task *task)
{
    struct worker *self = (struct worker *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            if (pt_channel_receive_must_wait_(task, pt, &jobs.channel, &self->result.number,
                                              sizeof self->result.number)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 1:
                pt_task_take_(task);
            }
            if (pt->status != PT_OK)
                break;
            if (!pt_wait_(task, PT_SEC(3600 * self->hours)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:
            self->result.number *= self->result.number;
            if (pt_channel_send_must_wait_(task, pt, &results.channel, &self->result, sizeof self->result)) {
                pt->label = 3;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 3:
                pt_task_take_(task);
            }
        }
    }
    return pt_end_(pt);
}

struct boss {
    struct pt pt;
    PT_TASK(worker) ann, bob;
    PT_SELECTION(2) next;
    struct result result;
    int job, left;
};

static pt_op PT_FN(boss)(struct pt *pt, struct pt_task *task)
{
    struct boss *self = (struct boss *)pt;

    switch (pt->label) {
    case 0:
        pt_init_zeroed_(&self->ann.frame.pt, PT_FN(worker), sizeof self->ann.frame);
        self->ann.frame.hours = 1;
        self->ann.frame.result.by = "Ann";
        pt_task_init_(&self->ann.task, &self->ann.frame.pt, "worker");
        task->node.link.operand = &self->ann.task;
        pt->label = 1;
        return (pt_op){PT_OP_SPAWN};
    case 1:
        pt_init_zeroed_(&self->bob.frame.pt, PT_FN(worker), sizeof self->bob.frame);
        self->bob.frame.hours = 3;
        self->bob.frame.result.by = "Bob";
        pt_task_init_(&self->bob.task, &self->bob.frame.pt, "worker");
        task->node.link.operand = &self->bob.task;
        pt->label = 2;
        return (pt_op){PT_OP_SPAWN};
    case 2:
        for (self->job = 1, self->left = 8; self->left > 0;) {
            pt_select_begin_(task, &self->next.select, self->next.cases, 2);
            if (self->job <= 8)
                pt_case_send_(task, &jobs.channel, &self->job, sizeof self->job);
            else
                pt_case_off_(task);
            pt_case_recv_(task, &results.channel, &self->result, sizeof self->result);
            if (pt_select_start_(&self->next.select, pt, true)) {
                pt->label = 3;
                return (pt_op){self->next.select.opcode};
    case 3:
                pt_select_over_(&self->next.select);
            }
            pt_task_take_(task);
            if (self->next.select.fired == 0)
                SAY("    job %d is taken\n", self->job++);
            else
                SAY("%s: %d, %d left\n", self->result.by, self->result.number, --self->left);
        }
        pt_channel_close(&jobs.channel);
        pt_select_begin_(task, &self->next.select, self->next.cases, 2);
        pt_case_join_(task, &self->ann.task);
        pt_case_join_(task, &self->bob.task);
        if (pt_select_start_(&self->next.select, pt, true)) {
            pt->label = 4;
            return (pt_op){self->next.select.opcode};
    case 4:
            pt_select_over_(&self->next.select);
        }
        pt_task_take_(task);
        SAY("%s is home\n", self->next.select.fired == 0 ? "Ann" : "Bob");
    }
    return pt_end_(pt);
}
