/* expanded/18-locks.c - the bodies of lesson 18, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_LOCK            take the lock, if it is free; else enter its queue and park. An unlock
 *                        makes the first task in the queue the owner.
 *     PT_UNLOCK          release the lock, or transfer it
 *     PT_HOLDS           whether this task is the owner
 *     PT_WITH_LOCK       a block in the chain of the task. It asks for the lock; while it waits its
 *                        state is LEFT, once it has the lock ENTERED. Whatever closes it unlocks:
 *                        here the end of the block, or the loop at a timeout
 *     PT_WAIT_CONDITION  release the lock, enter the condition's queue and park; a notify moves the
 *                        first task of that queue into the lock's queue, and so does what ends
 *                        the wait: a timeout, a cancel */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / PT_SEC(60))), printf(__VA_ARGS__))

struct season { struct pt pt; };
static pt_op PT_FN(season)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (pt_lock_must_wait_(task, pt, &stove)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:
            pt_task_take_(task);
        }
        SAY("    a pinch of salt: locked %u times\n", stove.depth);
        pt->status = pt_lock_release(&stove, task);
    }
    return pt_end_(pt);
}

struct cook { struct pt pt; struct season season; const char *name; int dishes; };
static pt_op PT_FN(cook)(struct pt *pt, struct pt_task *task)
{
    struct cook *self = (struct cook *)pt;

    switch (pt->label) {
    case 0:
        if (pt_lock_must_wait_(task, pt, &stove)) {
            pt->label = 1;
            return (pt_op){PT_OP_PARK};
    case 1:
            pt_task_take_(task);
        }
        SAY("%s cooks for %d\n", self->name, self->dishes);
        if (!pt_wait_(task, PT_SEC(60 * 10)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 2;
        return (pt_op){PT_OP_WAIT};
    case 2:
        pt_init_zeroed_(&self->season.pt, PT_FN(season), sizeof self->season);
        task->node.link.operand = &self->season.pt;
        pt->label = 3;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 3:
        if (pt_lock_must_wait_(task, pt, &counter)) {
            pt->label = 4;
            return (pt_op){PT_OP_PARK};
    case 4:
            pt_task_take_(task);
        }
        dishes += self->dishes;
        self->dishes > 1 ? pt_condition_notify_all(&served) : pt_condition_notify(&served);
        pt->status = pt_lock_release(&counter, task);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        SAY("%s %s the stove\n", self->name, stove.owner == task ? "leaves" : "never had");
        if (stove.owner == task)
            pt->status = pt_lock_release(&stove, task);
    }
    return pt_end_(pt);
}

struct guest {
    struct pt pt;
    struct pt_scope limit;
    struct pt_held held;
    const char *name;
    struct pt_task *sends_home;
};
static pt_op PT_FN(guest)(struct pt *pt, struct pt_task *task)
{
    struct guest *self = (struct guest *)pt;

    switch (pt->label) {
    case 0: /* the labels of the blocks are 2 and 3 */
        if (self->sends_home) {
            pt->label = 1;
            return (pt_op){PT_OP_YIELD};
    case 1:
            pt_cancel(self->sends_home, PT_ECANCELED);
        }
        if (!pt_timeout_open_(task, &self->limit, PT_SEC(60 * 25), 2))
            return pt_return_(pt, task, pt->status); /* in use, or the delay is too long */
        if (!pt_held_lock_(task, pt, &self->held, &counter))
            return pt_return_(pt, task, pt->status); /* it is in use, or the task has the lock */
        if (self->held.scope.state == PT_SCOPE_LEFT_) {
            pt->label = 3;
            return (pt_op){PT_OP_PARK};
    case 3:;
        }
        (void)pt_held_take_(task, &self->held);
        while (!dishes) {
            if (pt_condition_must_wait_(task, pt, &served, &counter)) {
                pt->label = 4;
                return (pt_op){PT_OP_PARK};
    case 4:
                pt_task_take_(task);
            }
        }
        dishes--;
        pt_held_leave_(task, &self->held.scope);
        /* fall through */
    case 2:
        pt_scope_leave_(task, &self->limit);
        SAY("        %s %s\n", self->name,
            pt_timed_out(&self->limit) ? "leaves hungry" : "has a dish");
    }
    return pt_end_(pt);
}
