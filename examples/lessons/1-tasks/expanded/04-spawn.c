/* expanded/04-spawn.c - the bodies of lesson 04, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SPAWN  set up the frame and the task in the given storage, store the task as the operand,
 *               return SPAWN; the loop then resumes the spawner at once */

static pt_op PT_FN(rocket)(struct pt *pt, struct pt_task *task)
{
    struct rocket *self = (struct rocket *)pt;

    switch (pt->label) {
    case 0:
        for (self->i = 0; self->i < 3; self->i++) {
            printf("ignite %d\n", self->i + 1);
            if (pt_task_alive(&self->engines[self->i].task)) {
                pt->status = PT_EBUSY;
            } else {
                pt_init_zeroed_(&self->engines[self->i].frame.pt, PT_FN(engine), sizeof self->engines[self->i].frame);
                self->engines[self->i].frame.number = self->i + 1;
                pt_task_init_(&self->engines[self->i].task, &self->engines[self->i].frame.pt,
                              "engine");
                task->node.link.operand = &self->engines[self->i].task;
                pt->label = 1;
                return (pt_op){PT_OP_SPAWN};
    case 1:; /* the loop has stored the spawn's code in pt->status */
            }
        }
        printf("all ignited, none has run: that takes a turn\n");
        pt->label = 2;
        return (pt_op){PT_OP_YIELD};
    case 2:
        if (pt_task_alive(&self->engines[0].task)) {
            pt->status = PT_EBUSY;
        } else {
            pt_init_zeroed_(&self->engines[0].frame.pt, PT_FN(engine), sizeof self->engines[0].frame);
            self->engines[0].frame.number = 1;
            pt_task_init_(&self->engines[0].task, &self->engines[0].frame.pt, "engine");
            task->node.link.operand = &self->engines[0].task;
            pt->label = 3;
            return (pt_op){PT_OP_SPAWN};
    case 3:;
        }
        printf("ignite 1 once more: %s\n", pt_status_text(pt->status));
        while (!pt_task_done(&self->engines[2].task)) {
            pt->label = 4;
            return (pt_op){PT_OP_YIELD};
    case 4:;
        }
        printf("engine 3 ended with %s\n",
               pt_status_name(pt_task_status(&self->engines[2].task)));
        if (pt_task_alive(&self->engines[0].task)) {
            pt->status = PT_EBUSY;
        } else {
            pt_init_zeroed_(&self->engines[0].frame.pt, PT_FN(engine), sizeof self->engines[0].frame);
            self->engines[0].frame.number = 1;
            pt_task_init_(&self->engines[0].task, &self->engines[0].frame.pt, "engine");
            task->node.link.operand = &self->engines[0].task;
            pt->label = 5;
            return (pt_op){PT_OP_SPAWN};
    case 5:;
        }
        printf("ignite 1 now: %s\n", pt_status_name(pt->status));
        while (pt_task_alive(&self->engines[0].task)) {
            pt->label = 6;
            return (pt_op){PT_OP_YIELD};
    case 6:;
        }
        printf("liftoff\n");
    }
    return pt_end_(pt);
}

pt_op PT_FN(engine)(struct pt *pt, struct pt_task *task)
{
    struct engine *self = (struct engine *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        printf("engine %d starts\n", self->number);
        pt->label = 1;
        return (pt_op){PT_OP_YIELD};
    case 1:
        printf("engine %d stops\n", self->number);
    }
    return pt_end_(pt);
}
