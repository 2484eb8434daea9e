/* expanded/50-both-on-one-channel.c - the bodies of lesson 50, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SEND           store a label and return an opcode, if the value was not taken at once
 *     pt_native_send    in that case switch to the loop, in pt_native_wait_if_
 *     pt_native_select  write the cases, each in its place, and wait like any other operation */

static pt_op PT_FN(squares)(struct pt *pt, struct pt_task *task)
{
    struct squares *self = (struct squares *)pt;

    switch (pt->label) {
    case 0:
        for (self->i = 1; self->i <= 3; self->i++) {
            self->square = self->i * self->i;
            if (pt_channel_send_must_wait_(task, pt, &numbers.channel, &self->square,
                                      sizeof self->square)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
            case 1: pt_task_take_(task);
            }
        }
    }
    return pt_end_(pt);
}

/* Native: sends cubes. */
static pt_status cubes(struct pt_native *self)
{
    for (int i = 1; i <= 3; i++) {
        int cube = i * i * i;

        if (pt_native_wait_if_(self, pt_channel_send_must_wait_(self->task, &self->pt, &numbers.channel,
                                                           &cube, sizeof cube)) != PT_OK)
            break;
    }
    return PT_OK;
}

/* Native: takes what comes, until there is enough. */
static pt_status sum(struct pt_native *self)
{
    PT_SELECTION(2) next;
    int number, total = 0;

    pt_select_init(&next);
    do {
        pt_select_begin_(self->task, &next.select, next.cases, 2);
        pt_case_recv_(self->task, &numbers.channel, &number, sizeof number);
        pt_case_event_(self->task, &enough);
        if (pt_select_start_(&next.select, &self->pt, true))
            self->pt.status = pt_native_select_wait_(self, &next.select);
        if (PT_SELECTED(&next) == 0)
            printf("%d, balance %d\n", number, pt_channel_balance(&numbers.channel));
        if (PT_SELECTED(&next) == 0 && (total += number) == 50)
            pt_event_set(&enough);
    } while (PT_SELECTED(&next) == 0);
    printf("enough: %d\n", total);
    pt_select_from_(self->task, &next.select, next.cases, 2);
    for (int i = 0; i < 2; i++)
        pt_case_join_(pt_case_room_(self->task, &next.select), senders[i]);
    pt_native_select_added_(self, &next.select);
    printf("%s was done first\n", PT_SELECTED(&next) == 0 ? "the stackless one" : "the native one");
    return PT_OK;
}
