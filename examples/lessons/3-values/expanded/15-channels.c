/* expanded/15-channels.c - the bodies of lesson 15, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SEND, PT_RECV  copy the value to or from the first task that waits on the other side, and
 *                       make that task ready; if the preference favors it, yield. If none waits,
 *                       enter the channel's queue with the address of the value, and park.
 *     PT_RECV_EACH      the same in a loop; a task that has waited already has its value */

static pt_op PT_FN(sender)(struct pt *pt, struct pt_task *task)
{
    struct sender *self = (struct sender *)pt;

    switch (pt->label) {
    case 0:
        SAY("%s sends\n", self->name);
        if (pt_channel_send_must_wait_(task, pt, &channel.channel, &self->data, sizeof self->data)) {
            pt->label = 1;
            return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 1:
            pt_task_take_(task); /* the transfer stands; a cancel can take effect from here on */
        }
        SAY("%s goes on\n", self->name);
    }
    return pt_end_(pt);
}

static pt_op PT_FN(receiver)(struct pt *pt, struct pt_task *task)
{
    struct receiver *self = (struct receiver *)pt;

    switch (pt->label) {
    case 0:
        SAY("Rob receives\n");
        for (;;) {
            if (pt_channel_receive_must_wait_(task, pt, &channel.channel, &self->data, sizeof self->data)) {
                pt->label = 1;
                return (pt_op){task->state & PT_STATE_QUEUED_ ? PT_OP_PARK : PT_OP_YIELD};
    case 1:
                pt_task_take_(task);
            }
            if (pt->status != PT_OK)
                break;
            SAY("    Rob has %s\n", self->data);
        }
        SAY("Rob ends: %s\n", pt_status_text(pt->status));
    }
    return pt_end_(pt);
}
