/* expanded/11-race.c - the bodies of lesson 11, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WITH_GROUP  a block like that of PT_WITH_TIMEOUT. Its end is a loop: park while one of its
 *                    tasks is alive. When the race is decided, the function resumes there.
 *     PT_SPAWN_IN    a spawn, and pt_group_add, a function */

#define SAY(...) (printf("%3u min  ", (unsigned)(pt_now_(task) / PT_SEC(60))), printf(__VA_ARGS__))

static pt_op PT_FN(pizzeria)(struct pt *pt, struct pt_task *task)
{
    struct pizzeria *self = (struct pizzeria *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(60 * (self->minutes < 0 ? -self->minutes : self->minutes))))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("    %s: %s\n", self->name, self->minutes < 0 ? "sorry, it is burnt" : "ding dong");
        return pt_return_(pt, task, self->minutes < 0 ? -64 : PT_OK);
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (pt->result == PT_ECANCELED)
            SAY("    %s: the rider turns round\n", self->name);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(guest)(struct pt *pt, struct pt_task *task)
{
    struct guest *self = (struct guest *)pt;

    switch (pt->label) {
    case 0: /* the labels of the blocks are 1 and 2 */
        for (self->i = 0; self->i < 5; self->i++) {
            SAY("day %d\n", self->i + 1);
            if (!pt_timeout_open_(task, &self->patience, PT_SEC(60 * 60), 1))
                return pt_return_(pt, task, pt->status);
            if (!pt_group_open_(task, &self->order, 2, days[self->i].policy))
                return pt_return_(pt, task, pt->status);
            pt->status = pt_group_accepts_(&self->order, task);
            if (pt->status == PT_OK)
                pt->status = pt_task_claim_(&self->napoli.task, "the start of pizzeria");
            if (pt->status == PT_OK) {
                pt_init_zeroed_(&self->napoli.frame.pt, PT_FN(pizzeria), sizeof self->napoli.frame);
                self->napoli.frame.name = "Napoli";
                self->napoli.frame.minutes = days[self->i].napoli;
                pt_task_init_(&self->napoli.task, &self->napoli.frame.pt, "pizzeria");
                task->node.link.operand = &self->napoli.task;
                pt->label = 3;
                return (pt_op){PT_OP_SPAWN};
    case 3:;
            }
            if (pt->status == PT_OK)
                pt->status = pt_group_add(&self->order, (struct pt_task *)task->node.link.operand);
            pt->status = pt_group_accepts_(&self->order, task);
            if (pt->status == PT_OK)
                pt->status = pt_task_claim_(&self->roma.task, "the start of pizzeria");
            if (pt->status == PT_OK) {
                pt_init_zeroed_(&self->roma.frame.pt, PT_FN(pizzeria), sizeof self->roma.frame);
                self->roma.frame.name = "Roma";
                self->roma.frame.minutes = days[self->i].roma;
                pt_task_init_(&self->roma.task, &self->roma.frame.pt, "pizzeria");
                task->node.link.operand = &self->roma.task;
                pt->label = 4;
                return (pt_op){PT_OP_SPAWN};
    case 4:;
            }
            if (pt->status == PT_OK)
                pt->status = pt_group_add(&self->order, (struct pt_task *)task->node.link.operand);
            self->order.scope.state = PT_SCOPE_LEFT_;
            while (pt_group_is_open_(task, &self->order)) {
                pt->label = 2;
                return pt_group_wait_(task, &self->order);
    case 2:;
            }
        /* fall through */
    case 1:
            pt_scope_leave_(task, &self->patience);
            if (pt_timed_out(&self->patience))
                SAY("bread and cheese\n");
            else
                SAY("%s from %s\n", self->order.status ? "bad news" : "a pizza",
                    self->order.decider == &self->roma.task ? "Roma" : "Napoli");
        }
    }
    return pt_end_(pt);
}
