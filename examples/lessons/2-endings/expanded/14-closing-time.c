/* expanded/14-closing-time.c - the bodies of lesson 14, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_JOIN_GROUP  enter the group's list of waiters and park, unless the group is empty
 *     pt_group_cancel, pt_loop_cancel, pt_task_canceled, pt_group_empty: functions */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / PT_SEC(60))), printf(__VA_ARGS__))

static pt_op PT_FN(guest)(struct pt *pt, struct pt_task *task)
{
    struct guest *self = (struct guest *)pt;

    switch (pt->label) {
    case 0:
        SAY("%s drinks\n", self->name);
        pt->label = 1;
        return (pt_op){PT_OP_PARK};
    case 1: /* not reached: no wake comes */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (!pt_wait_(task, PT_SEC(60 * 5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        SAY("%s has paid\n", self->name);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(landlord)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0: /* the label of the block is 1 */
        if (!pt_group_open_(task, &pub, 1, PT_GROUP_ALL))
            return pt_return_(pt, task, pt->status);
        pt->status = pt_group_accepts_(&pub, task);
        if (pt->status == PT_OK)
            pt->status = pt_task_claim_(&ann.task, "the start of guest");
        if (pt->status == PT_OK) {
            pt_init_zeroed_(&ann.frame.pt, PT_FN(guest), sizeof ann.frame);
            ann.frame.name = "Ann";
            pt_task_init_(&ann.task, &ann.frame.pt, "guest");
            task->node.link.operand = &ann.task;
            pt->label = 2;
            return (pt_op){PT_OP_SPAWN};
    case 2:;
        }
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&pub, (struct pt_task *)task->node.link.operand);
        pt->status = pt_group_accepts_(&pub, task);
        if (pt->status == PT_OK)
            pt->status = pt_task_claim_(&bob.task, "the start of guest");
        if (pt->status == PT_OK) {
            pt_init_zeroed_(&bob.frame.pt, PT_FN(guest), sizeof bob.frame);
            bob.frame.name = "Bob";
            pt_task_init_(&bob.task, &bob.frame.pt, "guest");
            task->node.link.operand = &bob.task;
            pt->label = 3;
            return (pt_op){PT_OP_SPAWN};
    case 3:;
        }
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&pub, (struct pt_task *)task->node.link.operand);
        if (!pt_wait_(task, PT_SEC(60 * 60)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        SAY("time, please!\n");
        pt_group_cancel(&pub, PT_ECANCELED);
        pt->status = pt_group_accepts_(&pub, task);
        if (pt->status == PT_OK)
            pt->status = pt_task_claim_(&cid.task, "the start of guest");
        if (pt->status == PT_OK) {
            pt_init_zeroed_(&cid.frame.pt, PT_FN(guest), sizeof cid.frame);
            cid.frame.name = "Cid";
            pt_task_init_(&cid.task, &cid.frame.pt, "guest");
            task->node.link.operand = &cid.task;
            pt->label = 5;
            return (pt_op){PT_OP_SPAWN};
    case 5:;
        }
        if (pt->status == PT_OK)
            pt->status = pt_group_add(&pub, (struct pt_task *)task->node.link.operand);
        SAY("Cid comes too late: %s\n", pt->status == PT_OK ? "a drink" : "no drink");
        pub.scope.state = PT_SCOPE_LEFT_;
        while (pt_group_is_open_(task, &pub)) {
            pt->label = 1;
            return pt_group_wait_(task, &pub);
    case 1:;
        }
        SAY("Ann %s\n", pt_task_canceled(&ann.task) ? "had to go" : "went home");
        if (!pt_wait_(task, PT_SEC(60 * 20)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 6;
        return (pt_op){PT_OP_WAIT};
    case 6:
        pt_group_cancel(&nap, PT_ECANCELED);
        if (!pt_wait_(task, PT_SEC(60 * 5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 7;
        return (pt_op){PT_OP_WAIT};
    case 7:
        pt_loop_cancel(&loop, PT_ECANCELED);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(taxi)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0: /* the label of the block is 3 */
        if (!pt_wait_(task, PT_SEC(60 * 30)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("a taxi waits%s\n", pt_group_empty(&pub) ? " in vain" : "");
        if (pt_group_join_(task, pt, &pub)) {
            pt->label = 2;
            return (pt_op){PT_OP_PARK};
    case 2:;
        }
        SAY("the taxi finds nobody else\n");
        if (!pt_group_open_(task, &nap, 3, PT_GROUP_ALL))
            return pt_return_(pt, task, pt->status);
        if (!pt_wait_(task, PT_SEC(60 * 60 * 8)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        nap.scope.state = PT_SCOPE_LEFT_;
        while (pt_group_is_open_(task, &nap)) {
            pt->label = 3;
            return pt_group_wait_(task, &nap);
    case 3:; /* a cancel of the group continues here */
        }
        SAY("the driver wakes up%s\n", nap.status == PT_OK ? "" : ": somebody knocks");
        pt->label = 5;
        return (pt_op){PT_OP_PARK};
    case 5: /* not reached: no wake comes */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        SAY("the taxi goes home\n");
    }
    return pt_end_(pt);
}
