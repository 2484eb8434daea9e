/* expanded/23-rate-limit.c - the bodies of lesson 23, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_ACQUIRE     take a unit; if there is none, enter the semaphore's queue and park
 *     PT_WAIT_TICK   wait until the tick is due, then advance the ticker
 *     PT_CASE_UNTIL  a case of a select: the delay until that time */

#define SAY(...) (printf("%4.1f s  ", (double)pt_now_(task) / PT_SEC(1)), printf(__VA_ARGS__))

static pt_op PT_FN(refill)(struct pt *pt, struct pt_task *task)
{
    struct refill *self = (struct refill *)pt;

    switch (pt->label) {
    case 0:
        pt_ticker_start(&self->ticker, pt_now_(task), PT_SEC(1), PT_TICKS_BURST);
        while (self->seconds-- > 0) {
            do {
                if (!pt_wait_until_(task, pt_time_until_(pt_now_(task),
                                                    pt_ticker_due_(&self->ticker, pt_now_(task)))))
                    return pt_return_(pt, task, PT_ERANGE);
                pt->label = 1;
                return (pt_op){PT_OP_WAIT};
    case 1:;
            } while (!pt_ticker_ticked_(&self->ticker, pt_now_(task)));
            if (pt_semaphore_release(&tokens) == PT_ERANGE)
                SAY("    the bucket is full\n");
        }
    }
    return pt_end_(pt);
}

static pt_op PT_FN(request)(struct pt *pt, struct pt_task *task)
{
    struct request *self = (struct request *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_until_(task, pt_time_until_(pt_now_(task), self->comes)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        if (self->patience) {
            pt_select_begin_(task, &self->wait.select, self->wait.cases, 2);
            pt_case_acquire_(task, &tokens);
            pt_case_after_(task, pt_time_until_(pt_now_(task), self->comes + self->patience));
            if (pt_select_start_(&self->wait.select, pt, true)) {
                pt->label = 2;
                return (pt_op){self->wait.select.opcode};
    case 2:
                pt_select_over_(&self->wait.select);
            }
            pt_task_take_(task);
            if (self->wait.select.fired == 1) {
                SAY("request %d gives up\n", self->number);
                return pt_return_(pt, task, PT_ETIMEDOUT);
            }
        } else if (pt_semaphore_must_wait_(task, pt, &tokens)) {
            pt->label = 3;
            return (pt_op){PT_OP_PARK};
    case 3:
            pt_task_take_(task);
        }
        SAY("request %d is served\n", self->number);
    }
    return pt_end_(pt);
}
