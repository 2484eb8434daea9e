/* waker.h - from an interrupt: wake a task
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_waker edge;
 *
 *     pt_waker_open(&edge, &loop, &debounce.task);                         in the loop's thread
 *
 *     pt_waker_post(&edge);                                                in the interrupt
 *
 * A waker is the short form of a remote, for an interrupt that wakes one task. On a part it is a
 * mark, and a post is one store: it masks no interrupts, tries nothing twice and enters no list.
 * The loop clears the mark before it wakes the task (inbox.h). An interrupt after the clear sets
 * the mark again, and an earlier one is in the wake that follows: no post is lost. Interrupts of
 * any priority may post, also one that has interrupted a post to the same waker. But the mark is
 * for the interrupts of the loop's own processor, and the loop looks at each open waker, which
 * takes it about five instructions. Threads and other processors need a remote, and it suits many
 * rare interrupts. With PT_WAKERS 0, the default with a port, a waker is a remote. */
#ifndef PT_WAKER_H
#define PT_WAKER_H

#include "remote.h"

#if PT_REMOTE || PT_WAKERS

/* pt_waker_open - let a post make LOOP wake TASK; in the loop's thread, before any post
 * If TASK is in a nested loop, LOOP is the outermost loop, as for pt_remote_open. TASK must exist
 * until the waker is closed, or aimed elsewhere; it need not be alive, and can be NULL: nobody. */
PT_API void pt_waker_open(struct pt_waker *waker, struct pt_loop *loop, struct pt_task *task);

/* pt_waker_aim - let later posts wake TASK, or nobody if it is NULL; in the loop's thread
 * One waker then serves the tasks that take turns with one piece of hardware. A post that the loop
 * has not carried out yet wakes the new TASK, which must look again, as after any wake. The storage
 * of the task before is free. */
PT_ALWAYS void pt_waker_aim(struct pt_waker *waker, struct pt_task *task);

/* pt_waker_post - make the loop call pt_wake for the task, in its next turn; in an interrupt; O(1)
 * A mark wakes its task after the callbacks of remotes. No effect after pt_loop_shut. */
PT_ALWAYS void pt_waker_post(struct pt_waker *waker);

/* pt_waker_close - in the loop's thread: do what was posted; then the waker's storage is free
 * No interrupt may post it any more. What was posted to the loop's remotes and other wakers is
 * done, too. The loop may be shut already. O(n) for n open wakers. */
PT_API void pt_waker_close(struct pt_waker *waker);

/* --- implementation ------------------------------------------------------------------------ */

#if PT_WAKERS

PT_API void pt_waker_open(struct pt_waker *waker, struct pt_loop *loop, struct pt_task *task)
{
    for (const struct pt_waker *open = loop->wakers; PT_DEBUG && open; open = open->next)
        PT_ASSERT_(open != waker, "it is open already", "pt_waker_open");
    waker->next = loop->wakers;
    waker->task = task;
    waker->loop = loop;
    waker->posted = 0;
    loop->wakers = waker;
    pt_opened_();
}

PT_ALWAYS void pt_waker_aim(struct pt_waker *waker, struct pt_task *task)
{
    waker->task = task;
}

PT_ALWAYS void pt_waker_post(struct pt_waker *waker)
{
    PT_ASSERT_(waker->loop, "it was not opened: call pt_waker_open", "a waker");
    pt_mark_set_(&waker->posted);
    pt_loop_kick_(waker->loop);
}

PT_API void pt_waker_close(struct pt_waker *waker)
{
    struct pt_waker **link;

    PT_ASSERT_(waker->loop, "it was not opened: call pt_waker_open", "a waker");
    pt_loop_receive_(waker->loop); /* a remote can spawn the task that a waker wakes */
    pt_loop_wake_posted_(waker->loop);
    link = &waker->loop->wakers;
    while (*link && *link != waker) /* pt_loop_shut leaves an empty list */
        link = &(*link)->next;
    PT_ASSERT_(*link || pt_loop_is_shut_(waker->loop), PT_CLOSED_TWICE_, "pt_waker_close");
    if (*link)
        *link = waker->next;
}

#else

PT_ALWAYS void pt_waker_aim(struct pt_waker *waker, struct pt_task *task)
{
    waker->remote.act = task ? pt_remote_wake : pt_remote_ignore_;
    waker->remote.target = task;
}

PT_API void pt_waker_open(struct pt_waker *waker, struct pt_loop *loop, struct pt_task *task)
{
    pt_remote_open(&waker->remote, loop, pt_remote_wake, task);
    pt_waker_aim(waker, task);
}

PT_ALWAYS void pt_waker_post(struct pt_waker *waker)
{
    (void)pt_remote_post(&waker->remote);
}

PT_API void pt_waker_close(struct pt_waker *waker)
{
    pt_remote_close(&waker->remote);
}

#endif
#endif
#endif
