/* expanded/22-ticker.c - the bodies of lesson 22, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT_TICK  wait until the tick is due, then advance the ticker as its policy requires */

#define SAY(...) (printf("%3.1f s  ", (double)pt_now_(task) / PT_SEC(1)), printf(__VA_ARGS__))

static pt_op PT_FN(metronome)(struct pt *pt, struct pt_task *task)
{
    struct metronome *self = (struct metronome *)pt;

    switch (pt->label) {
    case 0:
        pt_ticker_start(&self->ticker, pt_now_(task), PT_SEC(1), self->policy);
        while (pt_now_(task) < PT_SEC(7)) {
            do {
                if (!pt_wait_until_(task, pt_time_until_(pt_now_(task),
                                                    pt_ticker_due_(&self->ticker, pt_now_(task)))))
                    return pt_return_(pt, task, PT_ERANGE);
                pt->label = 1;
                return (pt_op){PT_OP_WAIT};
    case 1:;
            } while (!pt_ticker_ticked_(&self->ticker, pt_now_(task)));
            SAY("%s, missed %u\n", self->name, self->ticker.missed);
            if (pt_now_(task) == PT_SEC(2)) {
                if (!pt_wait_(task, PT_MS(3500)))
                    return pt_return_(pt, task, PT_ERANGE);
                pt->label = 2;
                return (pt_op){PT_OP_WAIT};
    case 2:;
            }
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(sleeper)(struct pt *pt, struct pt_task *task)
{
    struct sleeper *self = (struct sleeper *)pt;

    switch (pt->label) {
    case 0:
        pt_init_zeroed_(&self->once.frame.pt, PT_FN(pt_alarm), sizeof self->once.frame);
        self->once.frame.delay = PT_MS(2500);
        self->once.frame.call = ring;
        self->once.frame.argument = (void *)"       the postman rings";
        pt_task_init_(&self->once.task, &self->once.frame.pt, "pt_alarm");
        task->node.link.operand = &self->once.task;
        pt->label = 1;
        return (pt_op){PT_OP_SPAWN};
    case 1:
        pt_init_zeroed_(&self->snooze.frame.pt, PT_FN(pt_alarm), sizeof self->snooze.frame);
        self->snooze.frame.delay = PT_SEC(2);
        self->snooze.frame.period = PT_SEC(1);
        self->snooze.frame.event = &bell;
        pt_task_init_(&self->snooze.task, &self->snooze.frame.pt, "pt_alarm");
        task->node.link.operand = &self->snooze.task;
        pt->label = 2;
        return (pt_op){PT_OP_SPAWN};
    case 2:
        for (self->rings = 1; self->rings <= 3; self->rings++) {
            if (pt_event_must_wait_(task, pt, &bell)) {
                pt->label = 3;
                return (pt_op){PT_OP_PARK};
    case 3:;
            }
            SAY("the bell, for the %d. time\n", self->rings);
        }
        pt_cancel(&self->snooze.task, PT_ECANCELED);
    }
    return pt_end_(pt);
}
