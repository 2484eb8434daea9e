/* expanded/29-shared-loop.c - the bodies of lesson 29, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     The other thread is not a task, and has nothing to expand. */

static pt_op PT_FN(lamp)(struct pt *pt, struct pt_task *task)
{
    struct lamp *self = (struct lamp *)pt;

    (void)task;
    switch (pt->label) {
    case 0:
        for (;;) {
            while (self->on == self->wanted) {
                pt->label = 1;
                return (pt_op){PT_OP_PARK};
    case 1:;
            }
            self->on = self->wanted;
            printf("the lamp goes %s\n", self->on ? "on" : "off");
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(porter)(struct pt *pt, struct pt_task *task)
{
    struct porter *self = (struct porter *)pt;

    switch (pt->label) {
    case 0:
        if (pthread_create(&self->visitor, NULL, visit, NULL))
            exit(1);
        if (!pt_wait_(task, PT_SEC(3600)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:;
    }
    return pt_end_(pt);
}
