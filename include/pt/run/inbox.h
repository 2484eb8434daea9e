/* inbox.h - what a loop finds that was posted, and why no post is lost
 * SPDX-License-Identifier: MIT
 *
 *     pt_remote_post, in any thread           pt_loop_may_sleep_, before the loop sleeps (remote.h)
 *     posted++; into the inbox                sleeping_port = its port
 *     if sleeping_port: kick it               if the inbox is empty: sleep
 *
 *     an interrupt's post (waker.h)           the loop: when a turn begins, and before it sleeps
 *     posted = 1                              if posted: posted = 0, and pt_wake(task)
 *
 * Whichever comes second sees what the other did: no post is lost, and none waits longer than the
 * turn that runs. */
#ifndef PT_INBOX_H
#define PT_INBOX_H

#include "../scope/unwind.h"

#if PT_REMOTE || PT_WAKERS

#if PT_REMOTE
/* The remote. It must not move while it is open. */
struct pt_remote {
    struct pt_link_ link;                                /* in the inbox; its first member */
    unsigned posted;                                     /* posts since ACT last ran; atomic */
    struct pt_loop *loop;                                /* the loop that runs ACT */
    void (*act)(struct pt_remote *self, unsigned times); /* the callback */
    void *target;     /* what ACT acts on, of the type that it expects */
    pt_status status; /* written by ACT */
};
#endif

/* The waker. It must not move while it is open. */
struct pt_waker {
#if PT_WAKERS
    struct pt_waker *next; /* the one that was opened before it, or NULL */
    struct pt_task *task;  /* the task that it wakes, or NULL */
    struct pt_loop *loop;  /* the loop that wakes it */
    pt_mark_ posted;       /* written by interrupts, cleared by the loop */
#else
    struct pt_remote remote;
#endif
};

/* pt_loop_posted - whether something was posted, so that a loop must not sleep; in its thread
 * On a small part, keep interrupts off between this call and the instruction that sleeps. */
PT_API bool pt_loop_posted(const struct pt_loop *loop);

/* --- implementation ------------------------------------------------------------------------ */

#if PT_REMOTE
/* Run the callbacks of remotes, from LINK on. A close can run them in a batch that has an old
 * reading of the clock: then they get a new one. */
PT_API void pt_remotes_act_(struct pt_loop *loop, struct pt_link_ *link)
{
    if (link)
        pt_loop_renew_old_(loop);
    /* pt-bounds: loop remotes */
    for (struct pt_link_ *next; link; link = next) {
        struct pt_remote *remote = (struct pt_remote *)(void *)link; /* its first member */
        unsigned times;

        next = link->next;
        times = pt_word_swap_(&remote->posted, 0);
        pt_loop_tell_posted_(loop, remote, times);
        remote->act(remote, times);
    }
}

/* What seems to be posted last, or NULL: one load. */
PT_ALWAYS const void *pt_loop_last_post_(const struct pt_loop *loop)
{
    return pt_inbox_peek_(&loop->inbox);
}

/* Run the callbacks of the remotes in the inbox. */
PT_COLD void pt_loop_receive_(struct pt_loop *loop)
{
    pt_remotes_act_(loop, pt_inbox_take_(&loop->inbox));
}

PT_ALWAYS bool pt_loop_has_mail_(const struct pt_loop *loop)
{
    return !pt_inbox_empty_(&loop->inbox);
}

/* Whether pt_loop_shut was called; without remotes, whether no waker is open. */
PT_ALWAYS bool pt_loop_is_shut_(const struct pt_loop *loop)
{
    return pt_inbox_closed_(&loop->inbox);
}
#else
#define pt_loop_is_shut_(loop) (!(loop)->wakers)
#define pt_loop_last_post_(loop) NULL
#define pt_loop_receive_(loop) ((void)(loop))
#define pt_loop_has_mail_(loop) false
#endif

#if PT_WAKERS
/* pt_wake, inlined: this is the shortest way from an interrupt to its task. In a program with timed
 * parks, cancels or timeouts that is long, or there anyway: pt_wake is called. */
PT_ALWAYS void pt_waker_wake_(const struct pt_waker *waker)
{
    struct pt_task *task = waker->task;
    struct pt_loop *loop;

    if (PT_UNLIKELY(!task))
        return;
    if (PT_TIMED_PARKS || PT_HAS_INTERRUPTS_) {
        pt_wake(task);
        return;
    }
    if (PT_UNLIKELY(!pt_task_permit_(task)))
        return;
    loop = pt_task_loop_(task); /* not waker->loop, if that runs the task's loop */
    if (pt_loop_push_urgent_(loop, task))
        return;
    pt_ready_add_(&loop->ready, &task->node);
    pt_loop_pushed_(loop, false);
}

/* Wake the task of each waker that was posted. */
PT_ALWAYS void pt_loop_wake_posted_(const struct pt_loop *loop)
{
    struct pt_waker *waker = loop->wakers;

    if (!waker)
        return;
    do {
        if (PT_UNLIKELY(pt_mark_is_set_(&waker->posted))) {
            pt_mark_clear_(&waker->posted);
            pt_waker_wake_(waker);
        }
        waker = waker->next;
    } while (waker); /* pt-bounds: loop wakers */
}

/* Whether a waker was posted. */
PT_API bool pt_loop_has_mark_(const struct pt_loop *loop)
{
    const struct pt_waker *waker = loop->wakers;

    while (waker && !pt_mark_is_set_(&waker->posted)) /* pt-bounds: loop wakers */
        waker = waker->next;
    return waker;
}
#else
#define pt_loop_wake_posted_(loop) ((void)(loop))
#define pt_loop_has_mark_(loop) false
#endif

/* Carry out the posts, when a turn begins. */
PT_ALWAYS void pt_loop_drain_(struct pt_loop *loop)
{
    PT_ASSERT_(!pt_loop_host_(loop) || !pt_loop_posted(loop),
               "a remote of a nested loop: open it for the outermost loop", "pt_remote_open");
    if (PT_UNLIKELY(pt_loop_last_post_(loop) != NULL))
        pt_loop_receive_(loop);
    pt_loop_wake_posted_(loop);
}

PT_API bool pt_loop_posted(const struct pt_loop *loop)
{
    return pt_loop_has_mark_(loop) || pt_loop_has_mail_(loop);
}

#else
#define pt_loop_last_post_(loop) NULL
#define pt_loop_has_mark_(loop) false
#define pt_loop_drain_(loop) ((void)0)
#endif

#endif
