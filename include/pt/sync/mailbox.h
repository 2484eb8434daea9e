/* mailbox.h - messages from any thread to the tasks of a loop, without a limit
 * SPDX-License-Identifier: MIT
 *
 *     struct order { struct pt_mail mail; int amount; };
 *
 *     pt_mailbox_open(&orders, &loop);                     in the loop's thread
 *
 *     pt_mailbox_post(&orders, &order->mail);              in any thread, or an interrupt
 *
 *     PT_RECV_MAIL(&orders, &self->mail);                  in a task; self->mail is &order->mail
 *
 * A message is its own node: nothing is copied or allocated, and a post cannot run out of room. The
 * mailbox owns a posted message until a task receives it; then the task owns it. The messages of
 * one sender arrive in the order in which it posted them.
 *
 * Cancel, timeout: before and during the wait, the task leaves, and no message is lost. Once it is
 * given a message, it continues with that to its next wait. */
#ifndef PT_MAILBOX_H
#define PT_MAILBOX_H

#include "transfer.h"
#include "../run/remote.h"

#if PT_CHANNELS && PT_REMOTE

/* The first member of a message. */
struct pt_mail {
    struct pt_link_ link;
};

/* The mailbox. It must not move while it is open. */
struct pt_mailbox {
    struct pt_remote arrival;      /* tells the loop that there is mail; the first member */
    struct pt_inbox_ inbox;        /* posted messages that have not arrived */
    struct pt_link_ *first;        /* arrived messages, oldest first, or NULL */
    struct pt_link_ *last;         /* the newest of these */
    struct pt_wait_queue_ waiters; /* tasks that wait for a message */
};

/* pt_mailbox_open - open an empty mailbox; in the loop's thread, before any post */
PT_API void pt_mailbox_open(struct pt_mailbox *mailbox, struct pt_loop *loop);

/* pt_mailbox_post - send a message; from any thread, or an interrupt; lock-free
 * PT_OK, or PT_ECLOSED: then the caller still owns it. MAIL must not be in a mailbox: if it is
 * in this one, the loop can run in circles. PT_DEBUG stops, when the loop finds it. */
PT_API pt_status pt_mailbox_post(struct pt_mailbox *mailbox, struct pt_mail *mail);

/* PT_RECV_MAIL(&mailbox, &self->mail) - wait for the next message and take it
 * MAIL: a struct pt_mail * in the frame. self->pt.status is PT_OK, or PT_ECLOSED once the mailbox
 * is closed and empty: then self->mail is as before. */
#define PT_RECV_MAIL(mailbox, mail) \
    PT_TRANSFER_(pt_recv_mail_, mailbox, PT_ITEM_((struct pt_mail **)(void *)(mailbox), mail))

/* PT_RECV_MAIL_EACH(&mailbox, &self->mail) { ... } - receive each, until it is closed and empty */
#define PT_RECV_MAIL_EACH(mailbox, mail) \
    PT_TRANSFER_EACH_(pt_recv_mail_, mailbox, PT_ITEM_((struct pt_mail **)(void *)(mailbox), mail))

/* PT_CASE_RECV_MAIL(&mailbox, &self->mail) - PT_RECV_MAIL, in a select */
#define PT_CASE_RECV_MAIL(mailbox, mail) \
    pt_case_mail_(PT_CASE_TASK_, mailbox, PT_ITEM_((struct pt_mail **)(void *)(mailbox), mail))

/* pt_mailbox_try - the next message, or NULL; in the loop's thread; O(1), amortized */
PT_API struct pt_mail *pt_mailbox_try(struct pt_mailbox *mailbox);

/* pt_mailbox_close - in the loop's thread: posters and waiters get PT_ECLOSED
 * pt_mailbox_try still returns earlier messages. As a remote, close it once. Reuse the mailbox's
 * storage only when no thread posts any more and one turn has followed: a post during the close may
 * have left the mailbox's remote in the loop's inbox. */
PT_API void pt_mailbox_close(struct pt_mailbox *mailbox);

/* --- implementation ------------------------------------------------------------------------ */

/* The callback of its remote: give messages to the waiters. */
PT_API void pt_mailbox_posted_(struct pt_remote *arrival, unsigned times)
{
    struct pt_mailbox *mailbox = (struct pt_mailbox *)(void *)arrival;
    struct pt_mail *mail;

    /* pt-bounds: loop tasks */
    while (pt_wait_queue_first_(&mailbox->waiters) && (mail = pt_mailbox_try(mailbox))) {
        struct pt_node *node = pt_wait_queue_first_(&mailbox->waiters);

        *(struct pt_mail **)pt_value_of_(node, pt_waiter_selects_(node)) = mail;
        pt_wait_queue_complete_first_(&mailbox->waiters, PT_FLAG_GIVEN_);
    }
}

PT_API void pt_mailbox_open(struct pt_mailbox *mailbox, struct pt_loop *loop)
{
    mailbox->inbox.first = NULL;
    mailbox->first = mailbox->last = NULL;
    pt_wait_queue_init_(&mailbox->waiters);
    pt_remote_open(&mailbox->arrival, loop, pt_mailbox_posted_, mailbox); /* the last: pt_opened_ */
}

PT_API pt_status pt_mailbox_post(struct pt_mailbox *mailbox, struct pt_mail *mail)
{
    PT_ASSERT_(mailbox->arrival.loop, "it was not opened: call pt_mailbox_open", "a mailbox");
    if (!pt_inbox_push_(&mailbox->inbox, &mail->link))
        return PT_ECLOSED;
    pt_remote_nudge_(&mailbox->arrival);
    return PT_OK;
}

/* Take the next message, unless others wait for it: PT_OK, PT_ECLOSED, or PT_EAGAIN. */
PT_API pt_status pt_mailbox_take_(struct pt_mailbox *mailbox, void *item)
{
    struct pt_mail *mail = pt_wait_queue_first_(&mailbox->waiters) ? NULL : pt_mailbox_try(mailbox);

    if (mail) {
        *(struct pt_mail **)item = mail;
        return PT_OK;
    }
    return pt_inbox_closed_(&mailbox->inbox) ? (pt_status)PT_ECLOSED : (pt_status)PT_EAGAIN;
}

PT_API bool pt_recv_mail_(struct pt_task *task, struct pt *frame, struct pt_mailbox *mailbox,
                          void *item, size_t size)
{
    frame->status = pt_mailbox_take_(mailbox, item);
    if (frame->status != PT_EAGAIN)
        return false;
    frame->status = PT_OK;
    pt_task_wait_in_queue_(task, &mailbox->waiters, PT_WHY_RECEIVE, item);
    return true;
}

/* Append the posted messages to those that have arrived. PT_DEBUG: if one that had arrived was
 * posted again, its link leads elsewhere. But if it is the last one, and was posted before the
 * others in the inbox, only that it comes from there shows it: so then pt_mailbox_try looks
 * there, too. One before the last leads past it: pt_mailbox_try meets that in its turn, and here a
 * close does. */
PT_API void pt_mailbox_look_(struct pt_mailbox *mailbox, struct pt_link_ *posted)
{
    struct pt_link_ *it = mailbox->first;

    for (; PT_DEBUG && it && it != mailbox->last; it = it->next)
        PT_ASSERT_(it->next, PT_POSTED_TWICE_, "a post");
    if (mailbox->first) {
        PT_ASSERT_(posted != mailbox->last, PT_POSTED_TWICE_, "a post");
        mailbox->last->next = posted;
    } else {
        mailbox->first = posted;
    }
    for (; posted; posted = posted->next)
        mailbox->last = posted;
}

PT_API struct pt_mail *pt_mailbox_try(struct pt_mailbox *mailbox)
{
    struct pt_link_ *first = mailbox->first;

    PT_ASSERT_(!first || (first->next == NULL) == (first == mailbox->last), PT_POSTED_TWICE_,
               "a post");
    if (!first || (PT_DEBUG && first == mailbox->last))
        pt_mailbox_look_(mailbox, pt_inbox_take_(&mailbox->inbox));
    first = mailbox->first;
    if (first)
        mailbox->first = first->next;
    return (struct pt_mail *)(void *)first; /* its first member */
}

PT_API void pt_mailbox_close(struct pt_mailbox *mailbox)
{
    PT_ASSERT_(!pt_inbox_closed_(&mailbox->inbox), PT_CLOSED_TWICE_, "pt_mailbox_close");
    PT_ASSERT_(!mailbox->first || !mailbox->last->next, PT_POSTED_TWICE_, "a post");
    pt_mailbox_look_(mailbox, pt_inbox_close_(&mailbox->inbox));
    /* A post during the close may not have called the remote yet. */
    pt_mailbox_posted_(&mailbox->arrival, 0);
    pt_remote_close(&mailbox->arrival);
    pt_wait_queue_complete_all_(&mailbox->waiters, PT_ECLOSED);
}

#if PT_SELECTS
PT_API bool pt_case_mail_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_case_take_(frame, pt_mailbox_take_((struct pt_mailbox *)it->target, it->item));
}

PT_ALWAYS void pt_case_mail_(struct pt_task *task, struct pt_mailbox *mailbox, void *item,
                             size_t size)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_mail_take_, PT_CASE_IN_QUEUE_, offsetof(struct pt_mailbox, waiters));

    pt_case_add_(task, &kind, mailbox, item);
}
#endif

#endif
#endif
