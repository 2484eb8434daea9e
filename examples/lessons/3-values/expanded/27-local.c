/* expanded/27-local.c - the bodies of lesson 27, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WITH_LOCAL  add the block to the task's chain, like a timeout, with a key and a value.
 *                    Nothing ends it from outside, so it has no label.
 *     PT_LOCAL       search the chain */

static pt_op PT_FN(fetch)(struct pt *pt, struct pt_task *task)
{
    struct fetch *self = (struct fetch *)pt;

    switch (pt->label) {
    case 0:
        note("ask");
        if (!pt_wait_(task, PT_SEC(1)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        note(self->page);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(request)(struct pt *pt, struct pt_task *task)
{
    struct request *self = (struct request *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_local_open_(task, &self->user, &user_key, (void *)self->name))
            return pt_return_(pt, task, pt->status); /* the local is in use */
        if (!pt_local_open_(task, &self->root, &user_key, (void *)"root"))
            return pt_return_(pt, task, pt->status);
        pt_init_zeroed_(&self->fetch.pt, PT_FN(fetch), sizeof self->fetch);
        self->fetch.page = "its secrets";
        task->node.link.operand = &self->fetch.pt;
        pt->label = 1;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 1:
        pt_scope_leave_(task, &self->root.scope);
        pt_init_zeroed_(&self->fetch.pt, PT_FN(fetch), sizeof self->fetch);
        self->fetch.page = "its mail";
        task->node.link.operand = &self->fetch.pt;
        pt->label = 2;
        return (pt_op){PT_OP_WAIT_COMPLETE};
    case 2:
        pt_scope_leave_(task, &self->user.scope);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        note(pt_task_local(task, &user_key) ? "still here" : "done");
    }
    return pt_end_(pt);
}

static pt_op PT_FN(phone)(struct pt *pt, struct pt_task *task)
{
    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_MS(1500)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        pt_cancel(&bob.task, PT_ECANCELED);
    }
    return pt_end_(pt);
}
