/* channel.h - a value goes from one task to another, and both are there when it does
 * SPDX-License-Identifier: MIT
 *
 *     static PT_CHANNEL(int) numbers;          pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
 *
 *     PT_SEND(&numbers, &self->next);          in one task
 *     PT_RECV(&numbers, &self->number);        in another
 *
 * Nothing is stored: who comes first waits for the other, and a value is copied once, from where
 * the sender has it to where the receiver wants it. Both waits are first come, first served. The
 * value's place must survive the wait: a member of the frame, or static.
 *
 * Cancel, timeout: before the wait and while it waits, the task leaves the channel, and its value
 * was not sent, or none received. Once the other has come, the value has gone over, and the task
 * goes on with that, to its next wait. */
#ifndef PT_CHANNEL_H
#define PT_CHANNEL_H

#include "transfer.h"

#if PT_CHANNELS

/* Who goes on first when two meet. */
enum pt_preference {
    PT_PREFER_NEITHER, /* who came second goes on at once; the other one is ready */
    PT_PREFER_RECEIVER,
    PT_PREFER_SENDER
};

/* What all channels have in common. Zero is none: pt_channel_init. Read closed. */
struct pt_channel_ {
    struct pt_wait_queue_ senders;   /* tasks that wait with a value */
    struct pt_wait_queue_ receivers; /* tasks that wait for one */
    enum pt_preference preference;
    bool closed; /* whether no value goes through any more */
};

/* PT_CHANNEL(int) - the type of a channel for values of a type */
#define PT_CHANNEL(type)            \
    union {                         \
        struct pt_channel_ channel; \
        type *type_;                \
    }

/* pt_channel_init - a channel at which nobody waits; O(1) */
PT_API void pt_channel_init(struct pt_channel_ *channel, enum pt_preference preference)
{
    pt_wait_queue_init_(&channel->senders);
    pt_wait_queue_init_(&channel->receivers);
    channel->preference = preference;
    channel->closed = false;
}

/* pt_channel_balance - how many senders wait; below zero, how many receivers; O(that) */
PT_API int pt_channel_balance(const struct pt_channel_ *channel)
{
    return pt_wait_queue_count_(&channel->senders) - pt_wait_queue_count_(&channel->receivers);
}

/* pt_channel_close - end all waits at the channel with PT_ECLOSED, now and ever after; O(waiters) */
PT_API void pt_channel_close(struct pt_channel_ *channel)
{
    channel->closed = true;
    pt_wait_queue_complete_all_(&channel->senders, PT_ECLOSED);
    pt_wait_queue_complete_all_(&channel->receivers, PT_ECLOSED);
}

/* PT_SEND(&channel, &self->value) - give a receiver a copy of the value, when there is one
 * self->pt.status is PT_OK, or PT_ECLOSED: then nobody has got it. Cost: O(1), and the copy. */
#define PT_SEND(ch, value) \
    PT_TRANSFER_(pt_channel_send_wait_, &(ch)->channel, PT_CONST_ITEM_((ch)->type_, value))

/* PT_RECV(&channel, &self->value) - get the value of a sender, when there is one
 * self->pt.status is PT_OK, or PT_ECLOSED: then *VALUE is as before. Cost: as PT_SEND. */
#define PT_RECV(ch, value) \
    PT_TRANSFER_(pt_channel_receive_wait_, &(ch)->channel, PT_ITEM_((ch)->type_, value))

/* PT_RECV_EACH(&channel, &self->value) { ... } - for each value that comes, until it is closed */
#define PT_RECV_EACH(ch, value) \
    PT_TRANSFER_EACH_(pt_channel_receive_wait_, &(ch)->channel, PT_ITEM_((ch)->type_, value))

/* PT_TRY_SEND(&channel, &value), PT_TRY_RECV(&channel, &value) - the same without waiting, anywhere in
 * the loop's thread
 * An expression: PT_OK, PT_ECLOSED, or PT_EAGAIN when nobody is there; of a send to be looked at. */
#define PT_TRY_SEND(ch, value) pt_try_send_(&(ch)->channel, PT_CONST_ITEM_((ch)->type_, value))
#define PT_TRY_RECV(ch, value) pt_try_recv_(&(ch)->channel, PT_ITEM_((ch)->type_, value))

PT_MUST_CHECK PT_ALWAYS pt_status pt_try_send_(struct pt_channel_ *channel, void *item, size_t size)
{
    if (pt_wait_queue_empty_(&channel->receivers)) /* as they are where it is closed */
        return channel->closed ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
    pt_wait_queue_give_(&channel->receivers, item, size);
    return PT_OK;
}

PT_ALWAYS pt_status pt_try_recv_(struct pt_channel_ *channel, void *item, size_t size)
{
    if (pt_wait_queue_empty_(&channel->senders))
        return channel->closed ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
    pt_wait_queue_take_(&channel->senders, item, size);
    return PT_OK;
}

/* Two have met: whether the task lets the other, whom the channel prefers to it, go first. One that is
 * to be interrupted does not, or it could meet others for ever without a wait to be ended at; nor can a
 * generator, whose yield is a value. */
PT_ALWAYS bool pt_channel_defer_(struct pt_task *task, const struct pt_channel_ *channel,
                                 pt_status status, enum pt_preference other)
{
    if (status != PT_OK || channel->preference != other || !task->loop)
        return false;
    if ((task->state & PT_STATE_INTERRUPTED_) && pt_task_aim_(task))
        return false;
    pt_task_give_(task, PT_FLAG_GIVEN_);
    return true;
}

PT_ALWAYS bool pt_channel_send_wait_(struct pt_task *task, struct pt *frame,
                                     struct pt_channel_ *channel, void *item, size_t size)
{
    frame->status = pt_try_send_(channel, item, size);
    if (frame->status != PT_EAGAIN)
        return pt_channel_defer_(task, channel, frame->status, PT_PREFER_RECEIVER);
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &channel->senders, PT_WHY_SEND, item);
    return true;
}

PT_ALWAYS bool pt_channel_receive_wait_(struct pt_task *task, struct pt *frame,
                                        struct pt_channel_ *channel, void *item, size_t size)
{
    frame->status = pt_try_recv_(channel, item, size);
    if (frame->status != PT_EAGAIN)
        return pt_channel_defer_(task, channel, frame->status, PT_PREFER_SENDER);
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &channel->receivers, PT_WHY_RECEIVE, item);
    return true;
}

/* --- in a select --------------------------------------------------------------------------- */

#if PT_SELECTS

/* PT_CASE_SEND(&channel, &self->value), PT_CASE_RECV(&channel, &self->value) - of a select: the value
 * has gone over, or come; or the channel is closed: PT_ECLOSED. Without preference. */
#define PT_CASE_SEND(ch, value) \
    pt_case_send_(pt_current_, &(ch)->channel, PT_CONST_ITEM_((ch)->type_, value))
#define PT_CASE_RECV(ch, value) \
    pt_case_recv_(pt_current_, &(ch)->channel, PT_ITEM_((ch)->type_, value))

PT_API bool pt_case_send_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(frame,
                         pt_try_send_((struct pt_channel_ *)it->target, it->item, it->how.size));
}

PT_ALWAYS void pt_case_send_(struct pt_task *task, struct pt_channel_ *channel, void *item,
                             size_t size)
{
    static const struct pt_case_kind_ kind = {pt_case_send_take_, PT_CASE_IN_QUEUE_,
                                              offsetof(struct pt_channel_, senders)};

    pt_case_add_(task, &kind, channel, item)->how.size = size;
}

PT_API bool pt_case_recv_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(frame,
                         pt_try_recv_((struct pt_channel_ *)it->target, it->item, it->how.size));
}

PT_ALWAYS void pt_case_recv_(struct pt_task *task, struct pt_channel_ *channel, void *item,
                             size_t size)
{
    static const struct pt_case_kind_ kind = {pt_case_recv_take_, PT_CASE_IN_QUEUE_,
                                              offsetof(struct pt_channel_, receivers)};

    pt_case_add_(task, &kind, channel, item)->how.size = size;
}

#endif
#endif
#endif
