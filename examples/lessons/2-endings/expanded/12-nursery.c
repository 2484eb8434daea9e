/* expanded/12-nursery.c - the bodies of lesson 12, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_ADOPT                add the task of the last spawn, which is still the operand
 *     break out of the block  pt_group_is_open_ finds it ENTERED, not LEFT, so it cancels */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / PT_SEC(60))), printf(__VA_ARGS__))

static pt_op PT_FN(child)(struct pt *pt, struct pt_task *task)
{
    struct child *self = (struct child *)pt;

    switch (pt->label) {
    case 0:
        SAY("    %s swings\n", self->name);
        if (self->brings) {
            while (!(swings.taken = pt_pool_take_(&swings.pool, swings.items,
                                                  sizeof swings.items[0], 2))) {
                pt_pool_wait_(&swings.pool, task);
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:
                pt_pool_granted_(&swings.pool, task); /* the item was reserved for this waiter */
            }
            pt_init_zeroed_(&swings.taken->frame.pt, PT_FN(child), sizeof swings.taken->frame);
            swings.taken->frame.name = self->brings;
            swings.taken->frame.brings = NULL;
            swings.taken->frame.minutes = 10;
            pt_task_init_(&swings.taken->task, &swings.taken->frame.pt, "child");
            PT_OWN(swings.taken, pt_pool_owner_(&swings.pool));
            task->node.link.operand = &swings.taken->task;
            pt->label = 2;
            return (pt_op){PT_OP_SPAWN};
    case 2:
            if (pt->status == PT_OK)
                pt->status = pt_group_add(&nursery, (struct pt_task *)task->node.link.operand);
        }
        if (!pt_wait_(task, PT_SEC(60 * self->minutes)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 3;
        return (pt_op){PT_OP_WAIT};
    case 3:
        if (self->minutes == 3)
            return pt_return_(pt, task, FALLS);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (!pt_wait_(task, PT_SEC(60))) /* the shoes */
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        SAY("    %s goes home%s\n", self->name, pt->result == FALLS ? " and cries" : "");
    }
    return pt_end_(pt);
}

static pt_op PT_FN(teacher)(struct pt *pt, struct pt_task *task)
{
    struct teacher *self = (struct teacher *)pt;

    switch (pt->label) {
    case 0: /* the label of the block is 1 */
        for (self->day = 1; self->day <= 3; self->day++) {
            SAY("day %d\n", self->day);
            if (!pt_group_open_(task, &nursery, 1,
                                self->day < 3 ? PT_GROUP_ALL : PT_GROUP_ALL_OR_NONE))
                return pt_return_(pt, task, pt->status);
            swings.taken = pt_pool_take_(&swings.pool, swings.items, sizeof swings.items[0], 2);
            if (!swings.taken) {
                pt->status = PT_ENOMEM;
            } else {
                pt_init_zeroed_(&swings.taken->frame.pt, PT_FN(child), sizeof swings.taken->frame);
                swings.taken->frame.name = "Ann";
                swings.taken->frame.brings = self->day == 1 ? "Eve" : NULL;
                swings.taken->frame.minutes = 20;
                pt_task_init_(&swings.taken->task, &swings.taken->frame.pt, "child");
                PT_OWN(swings.taken, pt_pool_owner_(&swings.pool));
                task->node.link.operand = &swings.taken->task;
                pt->label = 2;
                return (pt_op){PT_OP_SPAWN};
    case 2:;
            }
            if (pt->status == PT_OK)
                pt->status = pt_group_add(&nursery, (struct pt_task *)task->node.link.operand);
            swings.taken = pt_pool_take_(&swings.pool, swings.items, sizeof swings.items[0], 2);
            if (!swings.taken) {
                pt->status = PT_ENOMEM;
            } else {
                pt_init_zeroed_(&swings.taken->frame.pt, PT_FN(child), sizeof swings.taken->frame);
                swings.taken->frame.name = "Bob";
                swings.taken->frame.brings = NULL;
                swings.taken->frame.minutes = self->day < 3 ? 9 : 3;
                pt_task_init_(&swings.taken->task, &swings.taken->frame.pt, "child");
                PT_OWN(swings.taken, pt_pool_owner_(&swings.pool));
                task->node.link.operand = &swings.taken->task;
                pt->label = 3;
                return (pt_op){PT_OP_SPAWN};
    case 3:;
            }
            if (pt->status == PT_OK)
                pt->status = pt_group_add(&nursery, (struct pt_task *)task->node.link.operand);
            if (!pt_wait_(task, PT_SEC(60 * 5)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 4;
            return (pt_op){PT_OP_WAIT};
    case 4:
            if (self->day == 2)
                SAY("it rains\n");
            else
                nursery.scope.state = PT_SCOPE_LEFT_;
            while (pt_group_is_open_(task, &nursery)) {
                pt->label = 1;
                return pt_group_wait_(task, &nursery);
    case 1:;
            }
            SAY("all have gone: %d, swings in use: %u\n", nursery.status, swings.pool.used);
        }
    }
    return pt_end_(pt);
}
