/* expanded/63-profile.c - the bodies of lesson 63, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_OP_TABLE(NAME)    NAME of each row: "YIELD", "WAIT", ...; the tables are still here
 *     PT_LOCK              store a label and return PARK, if the lock is not free
 *     PT_UNLOCK            a function */

static pt_op PT_FN(user)(struct pt *pt, struct pt_task *task)
{
    struct user *self = (struct user *)pt;

    switch (pt->label) {
    case 0:
        for (; self->times > 0; self->times--) {
            if (pt_lock_must_wait_(task, pt, &lock)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
            case 1: pt_task_take_(task);
            }
            pt_wait_(task, PT_MS(1));
            pt->label = 2;
            return (pt_op){PT_OP_WAIT};
        case 2: pt->status = pt_lock_release(&lock, task);
        }
    }
    return pt_end_(pt);
}
