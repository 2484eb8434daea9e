/* expanded/19-select.c - the bodies of lesson 19, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SELECT        write the cases into the frame, one by one. If one is ready, use it. Else
 *                      enter all their queues, and park; or wait, if one of them is a time.
 *                      When the time is over, that case is selected, unless another came first.
 *     PT_SELECT_NOW    the same without the wait
 *     PT_CASE_RECV ... fill in the next case: its kind, its target, its value */

#define SAY(...) (printf("%2u min  ", (unsigned)(pt_now_(task) / MINUTES(1))), printf(__VA_ARGS__))

static pt_op PT_FN(courier)(struct pt *pt, struct pt_task *task)
{
    struct courier *self = (struct courier *)pt;

    switch (pt->label) {
    case 0:
        do {
            pt_select_begin_(task, &self->next.select, self->next.cases, 4);
            pt_case_pop_(task, &parcels.queue, &self->parcel, sizeof self->parcel);
            pt_case_recv_(task, &phone.channel, &self->order, sizeof self->order);
            pt_case_event_(task, &evening);
            pt_case_after_(task, MINUTES(10));
            if (pt_select_start_(&self->next.select, pt, true)) {
                pt->label = 1;
                return (pt_op){self->next.select.opcode};
    case 1:
                pt_select_over_(&self->next.select);
            }
            pt_task_take_(task);
            if (self->next.select.fired == 0) {
                pt_select_begin_(task, &self->box.select, self->box.cases, 2);
                pt_case_push_(task, &letter_box.queue, &self->parcel, sizeof self->parcel);
                pt_case_after_(task, MINUTES(2));
                if (pt_select_start_(&self->box.select, pt, true)) {
                    pt->label = 2;
                    return (pt_op){self->box.select.opcode};
    case 2:
                    pt_select_over_(&self->box.select);
                }
                pt_task_take_(task);
                SAY("parcel %d %s\n", self->parcel,
                    self->box.select.fired ? "does not fit" : "fits");
            } else if (self->next.select.fired == 1) {
                SAY("on the phone: %s\n", self->order);
            } else if (self->next.select.fired == 3) {
                SAY("nothing to do\n");
            }
        } while (self->next.select.fired != 2);
        pt_select_begin_(task, &self->next.select, self->next.cases, 4);
        pt_case_pop_(task, &parcels.queue, &self->parcel, sizeof self->parcel);
        pt_select_start_(&self->next.select, pt, false);
        SAY("evening: %s left\n",
            self->next.select.fired == PT_SELECT_NONE ? "no parcel" : "some");
    }
    return pt_end_(pt);
}

static pt_op PT_FN(office)(struct pt *pt, struct pt_task *task)
{
    struct office *self = (struct office *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, MINUTES(1)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        for (self->i = 1; self->i <= 3; self->i++) {
            if (pt_queue_push_must_wait_(task, pt, &parcels.queue, &self->i, sizeof self->i)) {
                pt->label = 2;
                return (pt_op){PT_OP_PARK};
    case 2:
                pt_task_take_(task);
            }
        }
        if (pt_channel_send_must_wait_(task, pt, &phone.channel, &self->order, sizeof self->order)) {
            pt->label = 3;
            return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 3:
            pt_task_take_(task);
        }
        if (!pt_wait_(task, MINUTES(15)))
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 4;
        return (pt_op){PT_OP_WAIT};
    case 4:
        pt_event_set(&evening);
    }
    return pt_end_(pt);
}
