/* expanded/20-worker-pool.c - the bodies of lesson 20, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_SEND, PT_CASE_JOIN  fill in the next case of a select: see lesson 19
 *     PT_CASE_IF                  fills it in, or takes its place with one that never comes true
 *     PT_SELECT_FROM              each case looks whether there is room: nobody has counted them */

#define SAY(...) (printf("%2u h  ", (unsigned)(pt_now_(task) / PT_SEC(3600))), printf(__VA_ARGS__))

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

static pt_op PT_FN(boss)(struct pt *pt, struct pt_task *task)
{
    struct boss *self = (struct boss *)pt;

    switch (pt->label) {
    case 0:
        if (self->workers > MOST)
            self->workers = MOST;
        for (self->i = 0; self->i < self->workers; self->i++) {
            pt_init_zeroed_(&self->worker[self->i].frame.pt, PT_FN(worker), sizeof self->worker[self->i].frame);
            self->worker[self->i].frame.hours = 1 + 2 * self->i;
            self->worker[self->i].frame.result.by = names[self->i];
            pt_task_init_(&self->worker[self->i].task, &self->worker[self->i].frame.pt, "worker");
            task->node.link.operand = &self->worker[self->i].task;
            pt->label = 1;
            return (pt_op){PT_OP_SPAWN};
    case 1:;
        }
        for (self->job = 1, self->left = 8; self->left > 0;) {
            pt_select_begin_(task, &self->next.select, self->next.cases, MOST);
            if (self->job <= 8)
                pt_case_send_(task, &jobs.channel, &self->job, sizeof self->job);
            else
                pt_case_off_(task);
            pt_case_recv_(task, &results.channel, &self->result, sizeof self->result);
            if (pt_select_start_(&self->next.select, pt, true)) {
                pt->label = 2;
                return (pt_op){self->next.select.opcode};
    case 2:
                pt_select_over_(&self->next.select);
            }
            pt_task_take_(task);
            if (self->next.select.fired == 0)
                SAY("    job %d is taken\n", self->job++);
            else
                SAY("%s: %d, %d left\n", self->result.by, self->result.number, --self->left);
        }
        pt_channel_close(&jobs.channel);
        for (self->left = self->workers; self->left > 0; self->left--) {
            pt_select_from_(task, &self->next.select, self->next.cases, MOST);
            for (int i = 0; i < self->workers; i++)
                if (!self->home[i])
                    pt_case_join_(pt_case_room_(task, &self->next.select), &self->worker[i].task);
                else
                    pt_case_off_(pt_case_room_(task, &self->next.select));
            if (pt_select_added_(&self->next.select, pt)) {
                pt->label = 3;
                return (pt_op){self->next.select.opcode};
    case 3:
                pt_select_over_(&self->next.select);
            }
            pt_task_take_(task);
            self->home[self->next.select.fired] = true;
            SAY("%s is home\n", names[self->next.select.fired]);
        }
    }
    return pt_end_(pt);
}
