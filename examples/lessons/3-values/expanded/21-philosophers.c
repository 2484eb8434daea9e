/* expanded/21-philosophers.c - the bodies of lesson 21, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_LOCK, PT_CASE_AFTER  fill in the next case of a select: see lesson 19 */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / MINUTES(1))), printf(__VA_ARGS__))

static pt_op PT_FN(philosopher)(struct pt *pt, struct pt_task *task)
{
    struct philosopher *self = (struct philosopher *)pt;

    switch (pt->label) {
    case 0:
        for (;;) {
            if (pt_lock_must_wait_(task, pt, self->left)) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:
                pt_task_take_(task);
            }
            if (!pt_wait_(task, MINUTES(1))) /* a thought */
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
    case 2:
            if (self->patience) {
                pt_select_begin_(task, &self->second.select, self->second.cases, 2);
                pt_case_lock_(task, self->right);
                pt_case_after_(task, self->patience);
                if (pt_select_start_(&self->second.select, pt, true)) {
                    pt->label = 3;
                    return (pt_op){self->second.select.opcode};
    case 3:
                    pt_select_over_(&self->second.select);
                }
                pt_task_take_(task);
            } else if (pt_lock_must_wait_(task, pt, self->right)) {
                pt->label = 4;
                return (pt_op){PT_OP_PARK};
    case 4:
                pt_task_take_(task);
            }
            if (self->right->owner == task)
                break;
            pt->status = pt_lock_release(self->left, task);
            if (!pt_wait_(task, MINUTES(1)))
                return pt_return_(pt, task, PT_ERANGE);
            pt->label = 5;
            return (pt_op){PT_OP_WAIT};
    case 5:;
        }
        SAY("%s eats\n", self->name);
        if (!pt_wait_(task, MINUTES(5)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 6;
        return (pt_op){PT_OP_WAIT};
    case 6:
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (self->left->owner == task)
            pt->status = pt_lock_release(self->left, task);
        if (self->right->owner == task)
            pt->status = pt_lock_release(self->right, task);
    }
    return pt_end_(pt);
}
