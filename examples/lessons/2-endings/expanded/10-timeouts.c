/* expanded/10-timeouts.c - the bodies of lesson 10, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WITH_TIMEOUT  add the block to the task's chain, with a deadline and a label. When time is
 *                      over, the function resumes at that label: the end of the block.
 *     PT_REARM         a new deadline */

#define SAY(...) (printf("%2u s  ", (unsigned)(pt_now_(task) / PT_SEC(1))), printf(__VA_ARGS__))

static pt_op PT_FN(door)(struct pt *pt, struct pt_task *task)
{
    struct door *self = (struct door *)pt;

    switch (pt->label) {
    case 0:
        SAY("ring at %s's door\n", self->name);
        if (!pt_wait_(task, PT_SEC(self->seconds)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        SAY("    %s takes the letter\n", self->name);
        /* fall through */
    case PT_LABEL_FINALLY_:
        pt->cleaning |= 1;
        if (pt->result == PT_ETIMEDOUT)
            SAY("    the letter goes back into the bag\n");
    }
    return pt_end_(pt);
}

static pt_op PT_FN(postman)(struct pt *pt, struct pt_task *task)
{
    struct postman *self = (struct postman *)pt;

    switch (pt->label) {
    case 0: /* the labels of the blocks are 1 and 2 */
        if (!pt_timeout_open_(task, &self->round, pt_time_until_(pt_now_(task), PT_SEC(40)), 1))
            return pt_return_(pt, task, pt->status); /* in use, or the delay is too long */
        for (self->i = 0; self->i < 4; self->i++) {
            if (!pt_timeout_open_(task, &self->patience, PT_SEC(20), 2))
                return pt_return_(pt, task, pt->status);
            pt_init_zeroed_(&self->door.pt, PT_FN(door), sizeof self->door);
            self->door.name = street[self->i].name;
            self->door.seconds = street[self->i].seconds;
            task->node.link.operand = &self->door.pt;
            pt->label = 3;
            return (pt_op){PT_OP_WAIT_COMPLETE};
    case 3:
    case 2:
            pt_scope_leave_(task, &self->patience);
            if (pt_timed_out(&self->patience)) {
                SAY("a card for %s; the round may take until second 55\n", street[self->i].name);
                pt->status = pt_timeout_rearm_(task, &self->round, PT_SEC(30));
            }
        }
        SAY("all letters are delivered\n");
        /* fall through */
    case 1:
        pt_scope_leave_(task, &self->round);
        SAY("his patience was over: %s; the round was over: %s\n",
            pt_timed_out(&self->patience) ? "yes" : "no",
            pt_timed_out(&self->round) ? "yes" : "no");
    }
    return pt_end_(pt);
}
