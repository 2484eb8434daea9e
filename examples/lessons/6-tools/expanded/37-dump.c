/* expanded/37-dump.c - the bodies of lesson 37, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     A place in the source is a constant. With PT_SITES each suspension stores its address. */

static pt_op PT_FN(ask)(struct pt *pt, struct pt_task *task)
{
    static const struct pt_site_ here = {"ask", "37-dump.c", 31};
    struct ask *self = (struct ask *)pt;

    switch (pt->label) {
    case 0:
        if (pt_join_(task, pt, self->whom)) {
            pt_site_mark_(pt, &here);
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:;
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(person)(struct pt *pt, struct pt_task *task)
{
    static const struct pt_site_ here = {"person", "37-dump.c", 43};
    struct person *self = (struct person *)pt;

    switch (pt->label) {
    case 0:
        PT_INIT(&self->ask, ask, .whom = self->colleague);
        task->node.link.operand = &self->ask.pt;
        pt_site_mark_(pt, &here);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 1:;
    }
    return pt_end_(pt);
}

static pt_op PT_FN(kitchen)(struct pt *pt, struct pt_task *task)
{
    static const struct pt_site_ here = {"kitchen", "37-dump.c", 55};
    struct kitchen *self = (struct kitchen *)pt;

    switch (pt->label) {
    case 0: /* the label of the block is 1; a dump would also show the places of its spawns */
        if (!pt_group_open_(task, &self->staff, 1, PT_GROUP_ALL))
            return pt_return_(pt, task, pt->status);
        PT_INIT(&self->cook.frame, person, .colleague = &self->waiter.task);
        pt_task_init_(&self->cook.task, &self->cook.frame.pt, "person");
        task->node.link.operand = &self->cook.task;
        pt->label = 2;
        return (pt_op){PT_OP_SPAWN};
    case 2:
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&self->staff, (struct pt_task *)task->node.link.operand);
        PT_INIT(&self->waiter.frame, person, .colleague = &self->cook.task);
        pt_task_init_(&self->waiter.task, &self->waiter.frame.pt, "person");
        task->node.link.operand = &self->waiter.task;
        pt->label = 3;
        return (pt_op){PT_OP_SPAWN};
    case 3:
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&self->staff, (struct pt_task *)task->node.link.operand);
        pt_task_rename(&self->cook.task, "cook");
        pt_task_rename(&self->waiter.task, "waiter");
        self->staff.scope.state = PT_SCOPE_LEFT_;
        while (pt_group_is_open_(task, &self->staff)) {
            pt_site_mark_(pt, &here);
            pt->label = 1;
            return pt_group_wait_(task, &self->staff);
    case 1:;
        }
    }
    return pt_end_(pt);
}
