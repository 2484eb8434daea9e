/* channel.h - transfer a value from one task to another: both must be there
 * SPDX-License-Identifier: MIT
 *
 *     static PT_CHANNEL(int) numbers;
 *     pt_channel_init(&numbers.channel, PT_PREFER_RECEIVER);
 *
 *     PT_SEND(&numbers, &self->next);          in one task
 *     PT_RECV(&numbers, &self->number);        in another
 *
 * Nothing is stored: the task that comes first waits for the other, and the value is copied once,
 * from the sender's place to the receiver's. The waits of senders complete in the order in which
 * they came, and so do those of receivers. The value's place must survive the wait: a member of the
 * frame, or static.
 *
 * Cancel, timeout: before and during the wait, the task leaves the channel without having sent or
 * received a value. Once the other task has come, the value is transferred, and the task continues
 * to its next wait. */
#ifndef PT_CHANNEL_H
#define PT_CHANNEL_H

#include "transfer.h"

#if PT_CHANNELS

/* Which task runs first when a sender and a receiver meet. A task that a cancel or a deadline is
 * about to end does not yield: it goes on to its next wait. */
enum pt_preference {
    PT_PREFER_NEITHER,  /* the second to come continues at once; the other becomes ready */
    PT_PREFER_RECEIVER, /* a sender that comes second yields: the value is used before it goes on */
    PT_PREFER_SENDER    /* a receiver that comes second yields */
};

/* What all channels have in common. Zeroed, it is no channel: call pt_channel_init. You may read
 * `closed`; only the functions write. */
struct pt_channel_ {
    struct pt_wait_queue_ senders;   /* tasks that wait with a value */
    struct pt_wait_queue_ receivers; /* tasks that wait for one */
    enum pt_preference preference;
    bool closed; /* true: it transfers no more values */
};

/* PT_CHANNEL(type) - the type of a channel for values of TYPE
 * The macros take the channel's address, the functions that of its member `channel`. */
#define PT_CHANNEL(type)            \
    union {                         \
        struct pt_channel_ channel; \
        type *type_;                \
    }

/* pt_channel_init - make a channel at which no task waits; O(1) */
PT_API void pt_channel_init(struct pt_channel_ *channel, enum pt_preference preference);

/* PT_SEND(&channel, &self->value) - wait for a receiver and give it a copy of the value
 * self->pt.status is PT_OK, or PT_ECLOSED: then no task got it. Cost: O(1), and the copy. */
#define PT_SEND(ch, value) \
    PT_PASS_TRANSFER_(pt_channel_send, &(ch)->channel, PT_CONST_ITEM_((ch)->type_, value))

/* PT_RECV(&channel, &self->value) - wait for a sender and get its value
 * self->pt.status is PT_OK, or PT_ECLOSED: then *VALUE is as before. Cost: as PT_SEND. */
#define PT_RECV(ch, value) \
    PT_PASS_TRANSFER_(pt_channel_receive, &(ch)->channel, PT_ITEM_((ch)->type_, value))

/* PT_RECV_EACH(&channel, &self->value) { ... } - receive each value, until the channel is closed
 * VALUE is evaluated for each. break ends it, and continue receives the next value. self->pt.status
 * is PT_ECLOSED after the last one, and PT_OK in the block. */
#define PT_RECV_EACH(ch, value) \
    PT_PASS_EACH_(pt_channel_receive, &(ch)->channel, PT_ITEM_((ch)->type_, value))

/* PT_TRY_SEND(&channel, &value), PT_TRY_RECV(&channel, &value) - PT_SEND, PT_RECV without waiting
 * Expressions, for anywhere in the loop's thread: PT_OK, PT_ECLOSED, or PT_EAGAIN when no task
 * waits at the other end. Do not ignore the code of a send. */
#define PT_TRY_SEND(ch, value) \
    pt_try_send_(&(ch)->channel, PT_CONST_ITEM_((ch)->type_, value), PT_ANY_WAY_)
#define PT_TRY_RECV(ch, value) \
    pt_try_recv_(&(ch)->channel, PT_ITEM_((ch)->type_, value), PT_ANY_WAY_)

/* pt_channel_close - end present and later waits at the channel with PT_ECLOSED; O(waiters)
 * A sender that waits keeps its value; doc/recipes.md: a close when all have sent. */
PT_API void pt_channel_close(struct pt_channel_ *channel);

/* pt_channel_balance - the number of waiting senders minus that of receivers; O(waiters) */
PT_API int pt_channel_balance(const struct pt_channel_ *channel);

/* --- in a select --------------------------------------------------------------------------- */

/* PT_CASE_SEND(&channel, &self->value), PT_CASE_RECV(&channel, &self->value) - in a select
 * The case comes true when the value is transferred, or, with PT_ECLOSED, when the channel is
 * closed. A select that comes second goes on at once, whatever the channel prefers. */
#define PT_CASE_SEND(ch, value) \
    pt_case_send_(PT_CASE_TASK_, &(ch)->channel, PT_CONST_ITEM_((ch)->type_, value))
#define PT_CASE_RECV(ch, value) \
    pt_case_recv_(PT_CASE_TASK_, &(ch)->channel, PT_ITEM_((ch)->type_, value))

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_channel_init(struct pt_channel_ *channel, enum pt_preference preference)
{
    pt_wait_queue_init_(&channel->senders);
    pt_wait_queue_init_(&channel->receivers);
    channel->preference = preference;
    channel->closed = false;
}

PT_MUST_CHECK PT_ALWAYS pt_status pt_try_send_(struct pt_channel_ *channel, void *item, size_t size,
                                               enum pt_way_ way)
{
    if (pt_wait_queue_empty_(&channel->receivers)) /* always, if it is closed */
        return channel->closed ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
    pt_wait_queue_give_(&channel->receivers, item, size, way);
    return PT_OK;
}

PT_ALWAYS pt_status pt_try_recv_(struct pt_channel_ *channel, void *item, size_t size,
                                 enum pt_way_ way)
{
    if (pt_wait_queue_empty_(&channel->senders))
        return channel->closed ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
    pt_wait_queue_take_(&channel->senders, item, size, way);
    return PT_OK;
}

/* Two tasks have met: whether TASK must let the other one run first, because the channel prefers
 * it. A generator cannot defer, because each of its yields is a value. */
PT_ALWAYS bool pt_channel_defer_(struct pt_task *task, const struct pt_channel_ *channel,
                                 pt_status status, enum pt_preference other, enum pt_way_ way)
{
    if (status != PT_OK || channel->preference != other || !task->loop)
        return false;
    return way == PT_QUICK_WAY_ ? pt_task_transfers_late_(task, NULL, NULL) : pt_task_defers_(task);
}

PT_ALWAYS bool pt_channel_send_pass_(struct pt_task *task, struct pt *frame,
                                     struct pt_channel_ *channel, void *item, size_t size,
                                     enum pt_way_ way)
{
    frame->status = pt_try_send_(channel, item, size, way);
    if (frame->status != PT_EAGAIN)
        return pt_channel_defer_(task, channel, frame->status, PT_PREFER_RECEIVER, way);
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &channel->senders, PT_WHY_SEND, item);
    return true;
}

PT_ALWAYS bool pt_channel_receive_pass_(struct pt_task *task, struct pt *frame,
                                        struct pt_channel_ *channel, void *item, size_t size,
                                        enum pt_way_ way)
{
    frame->status = pt_try_recv_(channel, item, size, way);
    if (frame->status != PT_EAGAIN)
        return pt_channel_defer_(task, channel, frame->status, PT_PREFER_SENDER, way);
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &channel->receivers, PT_WHY_RECEIVE, item);
    return true;
}

PT_PASS_(pt_channel_send, struct pt_channel_, receivers)
PT_PASS_(pt_channel_receive, struct pt_channel_, senders)

PT_API void pt_channel_close(struct pt_channel_ *channel)
{
    channel->closed = true;
    pt_wait_queue_complete_all_(&channel->senders, PT_ECLOSED);
    pt_wait_queue_complete_all_(&channel->receivers, PT_ECLOSED);
}

PT_API int pt_channel_balance(const struct pt_channel_ *channel)
{
    return pt_wait_queue_count_(&channel->senders) - pt_wait_queue_count_(&channel->receivers);
}

#if PT_SELECTS
PT_API bool pt_case_send_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(
        frame, pt_try_send_((struct pt_channel_ *)it->target, it->item, it->how.size, PT_ANY_WAY_));
}

PT_ALWAYS void pt_case_send_(struct pt_task *task, struct pt_channel_ *channel, void *item,
                             size_t size)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_BY_(
        pt_case_send_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_channel_, senders),
        offsetof(struct pt_channel_, receivers), offsetof(struct pt_channel_, closed));

    pt_case_add_(task, &kind, channel, item)->how.size = size;
}

PT_API bool pt_case_recv_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(
        frame, pt_try_recv_((struct pt_channel_ *)it->target, it->item, it->how.size, PT_ANY_WAY_));
}

PT_ALWAYS void pt_case_recv_(struct pt_task *task, struct pt_channel_ *channel, void *item,
                             size_t size)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_BY_(
        pt_case_recv_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_channel_, receivers),
        offsetof(struct pt_channel_, senders), offsetof(struct pt_channel_, closed));

    pt_case_add_(task, &kind, channel, item)->how.size = size;
}
#endif

#endif
#endif
