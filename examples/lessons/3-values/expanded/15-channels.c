/* expanded/15-channels.c - lesson 15 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_SEND, PT_RECV  copy the value to or from the first task that waits on the other side, and
 *                       make that task ready; if the preference favors it, yield. If none waits,
 *                       enter the channel's queue with the address of the value, and park.
 *     PT_RECV_EACH      the same in a loop; a task that has waited already has its value */
#include <pt/posix.h>

#include <stdio.h>

static PT_CHANNEL(const char *) channel;

#define SAY(...) (printf("%3d   ", pt_channel_balance(&channel.channel)), printf(__VA_ARGS__))

struct sender {
    struct pt pt;
    const char *name, *data;
};

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

struct receiver {
    struct pt pt;
    const char *data;
};

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

static void scene(enum pt_preference preference, const char *title)
{
    static PT_TASK(sender) ann, bob, cid;
    static PT_TASK(receiver) rob;
    const char *leaflet = "a leaflet", *none;
    struct pt_loop loop;

    printf("%s\n", title);
    pt_channel_init(&channel.channel, preference);
    pt_loop_open(&loop, &pt_posix);
    SAY("nobody sends: %s\n", pt_status_text(PT_TRY_RECV(&channel, &none)));
    PT_START(&loop, &ann, sender, .name = "Ann", .data = "an apple");
    PT_START(&loop, &bob, sender, .name = "Bob", .data = "a banana");
    PT_START(&loop, &rob, receiver);
    pt_loop_run(&loop); /* until Rob waits and nothing can wake him: PT_EDEADLK */
    PT_START(&loop, &cid, sender, .name = "Cid", .data = "a cherry");
    pt_loop_run(&loop);
    SAY("a leaflet, by the way: %s\n", pt_status_text(PT_TRY_SEND(&channel, &leaflet)));
    pt_channel_close(&channel.channel);
    if (PT_TRY_SEND(&channel, &leaflet) == PT_ECLOSED)
        SAY("no more leaflets\n");
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
