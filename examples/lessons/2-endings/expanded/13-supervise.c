/* expanded/13-supervise.c - the bodies of lesson 13, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WITH_GROUP  the end of its block is a loop: park while one of its tasks is alive
 *     PT_SPAWN_IN    a spawn, and pt_group_add; a second spawn overwrites the frame of the first */

#define SAY(...) (printf("%2u s  ", (unsigned)(pt_now_(task) / PT_SEC(1))), printf(__VA_ARGS__))

static pt_op PT_FN(call)(struct pt *pt, struct pt_task *task)
{
    struct call *self = (struct call *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(self->takes)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (pt_now_(task) < PT_SEC(40)) /* a dust storm */
            return pt_return_(pt, task, -64);
        SAY("%s hears the rover\n", self->from);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (pt->result == PT_ECANCELED)
            SAY("%s hangs up\n", self->from);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(station)(struct pt *pt, struct pt_task *task)
{
    struct station *self = (struct station *)pt;

    switch (pt->label) {
    case 0: /* the label of the block is 1 */
        for (self->delay = 1;; self->delay *= 2) {
            if (!pt_group_open_(task, &self->group, 1, PT_GROUP_ALL))
                return pt_return_(pt, task, pt->status);
            pt->status = pt_group_accepts_(&self->group, task);
            if (pt->status == PT_OK)
                pt->status = pt_task_claim_(&self->call.task, "the start of call");
            if (pt->status == PT_OK) {
                pt_init_zeroed_(&self->call.frame.pt, PT_FN(call), sizeof self->call.frame);
                self->call.frame.from = self->name;
                self->call.frame.takes = self->takes;
                pt_task_init_(&self->call.task, &self->call.frame.pt, "call");
                task->node.link.operand = &self->call.task;
                pt->label = 2;
                return (pt_op){PT_OP_SPAWN};
    case 2:;
            }
            if (pt->status == PT_OK)
                pt->status = pt_group_add(&self->group, (struct pt_task *)task->node.link.operand);
            self->group.scope.state = PT_SCOPE_LEFT_;
            while (pt_group_is_open_(task, &self->group)) {
                pt->label = 1;
                return pt_group_wait_(task, &self->group);
    case 1:;
            }
            if (self->group.status == PT_OK || --self->tries == 0)
                return pt_return_(pt, task, self->group.status);
            SAY("%s: silence; wait %d s\n", self->name, self->delay);
            if (!pt_wait_(task, PT_SEC(self->delay)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 3;
            return (pt_op){PT_OP_WAIT};
    case 3:;
        }
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        SAY("%s closes: %d\n", self->name, pt->result);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(mars)(struct pt *pt, struct pt_task *task)
{
    struct mars *self = (struct mars *)pt;

    switch (pt->label) {
    case 0: /* the label of the block is 1 */
        if (!pt_group_open_(task, &self->group, 1, PT_GROUP_FIRST_SUCCESS))
            return pt_return_(pt, task, pt->status);
        pt->status = pt_group_accepts_(&self->group, task);
        if (pt->status == PT_OK)
            pt->status = pt_task_claim_(&self->s[0].task, "the start of station");
        if (pt->status == PT_OK) {
            pt_init_zeroed_(&self->s[0].frame.pt, PT_FN(station), sizeof self->s[0].frame);
            self->s[0].frame.name = "Madrid";
            self->s[0].frame.takes = 2;
            self->s[0].frame.tries = 9;
            pt_task_init_(&self->s[0].task, &self->s[0].frame.pt, "station");
            task->node.link.operand = &self->s[0].task;
            pt->label = 2;
            return (pt_op){PT_OP_SPAWN};
    case 2:;
        }
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&self->group, (struct pt_task *)task->node.link.operand);
        pt->status = pt_group_accepts_(&self->group, task);
        if (pt->status == PT_OK)
            pt->status = pt_task_claim_(&self->s[1].task, "the start of station");
        if (pt->status == PT_OK) {
            pt_init_zeroed_(&self->s[1].frame.pt, PT_FN(station), sizeof self->s[1].frame);
            self->s[1].frame.name = "Usuda";
            self->s[1].frame.takes = 1;
            self->s[1].frame.tries = 3;
            pt_task_init_(&self->s[1].task, &self->s[1].frame.pt, "station");
            task->node.link.operand = &self->s[1].task;
            pt->label = 3;
            return (pt_op){PT_OP_SPAWN};
    case 3:;
        }
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&self->group, (struct pt_task *)task->node.link.operand);
        pt->status = pt_group_accepts_(&self->group, task);
        if (pt->status == PT_OK)
            pt->status = pt_task_claim_(&self->s[2].task, "the start of station");
        if (pt->status == PT_OK) {
            pt_init_zeroed_(&self->s[2].frame.pt, PT_FN(station), sizeof self->s[2].frame);
            self->s[2].frame.name = "Perth";
            self->s[2].frame.takes = 12;
            self->s[2].frame.tries = 9;
            pt_task_init_(&self->s[2].task, &self->s[2].frame.pt, "station");
            task->node.link.operand = &self->s[2].task;
            pt->label = 4;
            return (pt_op){PT_OP_SPAWN};
    case 4:;
        }
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&self->group, (struct pt_task *)task->node.link.operand);
        self->group.scope.state = PT_SCOPE_LEFT_;
        while (pt_group_is_open_(task, &self->group)) {
            pt->label = 1;
            return pt_group_wait_(task, &self->group);
    case 1:;
        }
    }
    return pt_end_(pt);
}
