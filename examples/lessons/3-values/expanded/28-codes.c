/* expanded/28-codes.c - the bodies of lesson 28, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SPAWN, PT_SPAWN_FROM, PT_JOIN  a code that is known at once is stored here, without a
 *                                       suspension; else the loop stores it before the resume
 *     PT_RETURN                         set the frame's status, which the task ends with */

static pt_op PT_FN(nap)(struct pt *pt, struct pt_task *task)
{
    struct nap *self = (struct nap *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, self->delay))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:;
    }
    return pt_end_(pt);
}

static pt_op PT_FN(tour)(struct pt *pt, struct pt_task *task)
{
    struct tour *self = (struct tour *)pt;

    switch (pt->label) {
    case 0:
        if (pt_task_alive(&one.task)) {
            pt->status = PT_EBUSY;
        } else {
            pt_init_zeroed_(&one.frame.pt, PT_FN(nap), sizeof one.frame);
            one.frame.delay = 0;
            pt_task_init_(&one.task, &one.frame.pt, "nap");
            task->node.link.operand = &one.task;
            pt->label = 1;
            return (pt_op){PT_OP_SPAWN};
    case 1:;
        }
        say("spawn", pt->status, PT_OK);
        if (pt_task_alive(&one.task)) {
            pt->status = PT_EBUSY;
        } else {
            pt_init_zeroed_(&one.frame.pt, PT_FN(nap), sizeof one.frame);
            one.frame.delay = 0;
            pt_task_init_(&one.task, &one.frame.pt, "nap");
            task->node.link.operand = &one.task;
            pt->label = 2;
            return (pt_op){PT_OP_SPAWN};
    case 2:;
        }
        say("spawn it again", pt->status, PT_EBUSY);
        beds.taken = pt_pool_take_(&beds.pool, beds.items, sizeof beds.items[0], 1);
        if (!beds.taken) {
            pt->status = PT_ENOMEM;
        } else {
            pt_init_zeroed_(&beds.taken->frame.pt, PT_FN(nap), sizeof beds.taken->frame);
            beds.taken->frame.delay = 0;
            pt_task_init_(&beds.taken->task, &beds.taken->frame.pt, "nap");
            PT_OWN(beds.taken, pt_pool_owner_(&beds.pool));
            task->node.link.operand = &beds.taken->task;
            pt->label = 3;
            return (pt_op){PT_OP_SPAWN};
    case 3:;
        }
        beds.taken = pt_pool_take_(&beds.pool, beds.items, sizeof beds.items[0], 1);
        if (!beds.taken) {
            pt->status = PT_ENOMEM;
        } else {
            pt_init_zeroed_(&beds.taken->frame.pt, PT_FN(nap), sizeof beds.taken->frame);
            beds.taken->frame.delay = 0;
            pt_task_init_(&beds.taken->task, &beds.taken->frame.pt, "nap");
            PT_OWN(beds.taken, pt_pool_owner_(&beds.pool));
            task->node.link.operand = &beds.taken->task;
            pt->label = 4;
            return (pt_op){PT_OP_SPAWN};
    case 4:;
        }
        say("two tasks in one bed", pt->status, PT_ENOMEM);
        if (pt_join_(task, pt, &never.task)) {
            pt->label = 5;
            return (pt_op){PT_OP_PARK};
    case 5:;
        }
        say("join nobody", pt->status, PT_EINVAL);
        if (pt_join_(task, pt, &tour_task.task)) {
            pt->label = 6;
            return (pt_op){PT_OP_PARK};
    case 6:;
        }
        say("join oneself", pt->status, PT_EDEADLK);
        if (pt_condition_must_wait_(task, pt, &bell, &door)) {
            pt->label = 7;
            return (pt_op){PT_OP_PARK};
    case 7:
            pt_task_take_(task);
        }
        say("wait without the lock", pt->status, PT_EPERM);
        pt_init_zeroed_(&self->endless.pt, PT_FN(nap), sizeof self->endless);
        self->endless.delay = PT_DELAY_MAX + 1;
        task->node.link.operand = &self->endless.pt;
        pt->label = 8;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 8:
        say("sleep for ever", pt->status, PT_ERANGE);
        return pt_return_(pt, task, NOT_TODAY);
    }
    return pt_end_(pt);
}
