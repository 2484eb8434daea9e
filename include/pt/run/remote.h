/* remote.h - from another thread, or an interrupt: wake a task, set an event, and so on
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_remote button;
 *
 *     pt_remote_open(&button, &loop, pt_remote_wake, &debounce.task);      in the loop's thread
 *
 *     pt_remote_post(&button);                                         in an interrupt, or a thread
 *
 * A remote is a small object that stands for one callback, which a loop runs. A post adds one to
 * the remote's counter and, if the counter was 0, puts the remote into the loop's inbox. When a
 * turn begins, the loop empties its inbox and runs the callback of each remote. So a post allocates
 * nothing, cannot run out of room, and is lock-free (without PT_ATOMICS a critical section). Many
 * posts before a turn make one call of the callback, which gets their number.
 *
 * No post is lost, and none waits longer than the turn that runs (inbox.h). While a remote is open,
 * and the port has a kick, pt_loop_run waits for posts and does not return PT_EDEADLK. The callback
 * sees what a thread wrote before it posted. The loop runs the callbacks in the order in which
 * their remotes entered the inbox. So a later post can join an earlier one, and overtake a post to
 * another remote. */
#ifndef PT_REMOTE_H
#define PT_REMOTE_H

#include "inbox.h"

#if PT_REMOTE || PT_WAKERS
/* pt_loop_shut - let a loop take no more posts, and do what was posted; in its thread
 * A later pt_remote_post gets PT_ECLOSED. A mailbox or a ring that is open still takes what is
 * posted, with PT_OK, and wakes no task: close it, too. pt_loop_close does all this. If the last
 * posts can spawn tasks or make them ready, shut the loop, run it once more, and then close it.
 * Such a task must not wait for a post, because it gets none: not for mail, not for a call in a
 * thread (blocking.h). */
PT_API void pt_loop_shut(struct pt_loop *loop);
#endif

#if PT_REMOTE

/* pt_remote_open - let a post make LOOP run ACT on TARGET; in the loop's thread, before any post
 * If TARGET is in a nested loop, LOOP is the outermost loop: its thread runs ACT. A post to the
 * inner loop would wake no thread; PT_DEBUG stops when the inner loop finds it. TARGET must live
 * until the remote is closed. ACT may be your own function: it must neither close a remote or a
 * waker nor run the loop. In ACT, loop->now is the time of the turn that follows; if a task runs
 * ACT by a close, it is that task's PT_NOW(). To open a remote again, close it first: one that
 * was posted is in the loop's inbox, and PT_DEBUG stops. */
PT_API void pt_remote_open(struct pt_remote *remote, struct pt_loop *loop,
                           void (*act)(struct pt_remote *self, unsigned times), void *target);

/* pt_remote_post - make the loop run the callback; from any thread, or an interrupt; lock-free
 * Without atomics a port for posts from other cores defines PT_POST_ENTER. Returns PT_OK, or
 * PT_ECLOSED if the loop was closed: then nothing happens. If several posts to one remote race
 * with the close, only one gets the code. The loop and its port must exist until the call
 * returns; the remote need not: its callback may end the task that contains it. */
PT_API pt_status pt_remote_post(struct pt_remote *remote);

/* pt_remote_close - in the loop's thread: do what was posted; then the remote's storage is free
 * No thread may post it any more. What was posted to the loop's other remotes is done, too. Close
 * it once: a second close spoils the loop's count of open remotes, and PT_DEBUG stops. */
PT_API void pt_remote_close(struct pt_remote *remote);

/* PT_PREPARE(&storage, rocket, .field = value ...) - prepare a task for pt_remote_spawn
 * As PT_START, but does not start the task. The task must not be alive. It is for a loop: a
 * scheduler of one's own gets its frames from PT_INIT. */
#define PT_PREPARE(storage, ...)                                             \
    ((pt_status)(PT_CHECK_TASK_(storage, __VA_ARGS__),                       \
                 pt_task_claim_(&(storage)->task, PT_START_OF_(__VA_ARGS__)) \
                     ? (pt_status)PT_EBUSY                                   \
                     : (PT_TASK_INIT_(storage, __VA_ARGS__), (pt_status)PT_OK)))

/* --- callbacks ----------------------------------------------------------------------------- */

/* pt_remote_wake - TARGET is a task: pt_wake */
PT_API void pt_remote_wake(struct pt_remote *self, unsigned times);

/* pt_remote_spawn - TARGET is a task that PT_PREPARE has prepared: pt_spawn, unless it is alive
 * The remote's status is the code of pt_spawn, or PT_EBUSY. */
PT_API void pt_remote_spawn(struct pt_remote *self, unsigned times);

/* pt_remote_activate - TARGET is a task that PT_PREPARE has prepared: spawn it, or wake it
 * It is spawned if it has not run since PT_PREPARE; else it is woken. */
PT_API void pt_remote_activate(struct pt_remote *self, unsigned times);

#if PT_PAUSE
/* pt_remote_pause, pt_remote_resume - TARGET is a task: pt_pause, pt_resume */
PT_API void pt_remote_pause(struct pt_remote *self, unsigned times);
PT_API void pt_remote_resume(struct pt_remote *self, unsigned times);
#endif

#if PT_CANCEL
/* pt_remote_cancel - TARGET is a task: pt_cancel, with PT_ECANCELED */
PT_API void pt_remote_cancel(struct pt_remote *self, unsigned times);
#endif

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_remote_open(struct pt_remote *remote, struct pt_loop *loop,
                           void (*act)(struct pt_remote *self, unsigned times), void *target)
{
    PT_ASSERT_(!pt_inbox_has_(&loop->inbox, &remote->link),
               "it was posted and not closed: call pt_remote_close", "pt_remote_open");
    remote->posted = 0;
    remote->loop = loop;
    remote->act = act;
    remote->target = target;
    remote->status = PT_OK;
    pt_loop_set_remotes_(loop, pt_loop_remotes_(loop) + 1);
    pt_opened_();
}

/* Count a post in *POSTED, which gets the number of earlier ones; the first also puts the remote
 * into the inbox. Returns false if the loop was closed. The count saturates but is still stored:
 * then the callback sees all earlier writes. */
#if PT_ATOMICS
PT_ALWAYS bool pt_remote_enter_(struct pt_remote *remote, unsigned *posted)
{
    do {
        *posted = pt_word_peek_(&remote->posted);
    } while (!pt_word_replace_(&remote->posted, *posted, *posted + (*posted != (unsigned)-1)));
    if (*posted || pt_inbox_push_(&remote->loop->inbox, &remote->link))
        return true;
    pt_word_swap_(&remote->posted, 0);
    return false;
}
#else
PT_ALWAYS bool pt_remote_enter_(struct pt_remote *remote, unsigned *posted)
{
    unsigned masked = PT_POST_ENTER();
    bool entered = true;

    *posted = remote->posted;
    PT_ATOMIC_STEP_(false);
    if (!*posted)
        entered = pt_inbox_push_masked_(&remote->loop->inbox, &remote->link);
    if (entered && *posted != (unsigned)-1)
        remote->posted = *posted + 1;
    PT_POST_LEAVE(masked);
    return entered;
}
#endif

#if PT_PORT
typedef const struct pt_port *pt_port_ref_;
PT_ATOMIC_(pt_port_ref_, port)

/* A post wakes the loop, if it sleeps. It reads the port from sleeping_port: loop->port can be
 * NULL by now. */
PT_API void pt_loop_kick_(struct pt_loop *loop)
{
    pt_port_ref_ port = pt_port_load_(&loop->sleeping_port);

    if (port)
        port = pt_port_swap_(&loop->sleeping_port, NULL);
    if (port && port->kick)
        port->kick(port->context);
}

/* Announce that the loop is about to sleep, or is awake again. Without a kick no post reads this:
 * that saves a swap, which waits until all stores before it are done. */
PT_ALWAYS void pt_loop_announce_(struct pt_loop *loop, const struct pt_port *port)
{
    if (loop->port->kick)
        pt_port_swap_(&loop->sleeping_port, port);
}

/* Announce that the loop is about to sleep; false: it must not, since something was posted. */
PT_API bool pt_loop_may_sleep_(struct pt_loop *loop)
{
    pt_loop_announce_(loop, loop->port);
    if (!pt_loop_posted(loop))
        return true;
    pt_loop_announce_(loop, NULL);
    return false;
}

/* Whether posts can come from outside, and kick the loop. */
PT_API bool pt_loop_expects_posts_(const struct pt_loop *loop)
{
    return (loop->remotes || pt_loop_wakers_(loop)) && loop->port->kick &&
           !pt_inbox_closed_(&loop->inbox);
}
#else
#define pt_loop_kick_(loop) ((void)(loop))
#endif

PT_API pt_status pt_remote_post(struct pt_remote *remote)
{
    struct pt_loop *loop = remote->loop; /* the callback can free the remote */
    unsigned posted;

    PT_ASSERT_(loop, "it was not opened: call pt_remote_open", "a remote");
    if (!pt_remote_enter_(remote, &posted))
        return PT_ECLOSED;
    if (!posted)
        pt_loop_kick_(loop);
    return PT_OK;
}

/* pt_remote_nudge_ - post, unless a post is pending: then only a load
 * The callback of the pending post can miss what the caller wrote before, unless the caller wrote
 * it with a sequentially consistent read-modify-write. Its number does not count skipped posts. */
PT_API pt_status pt_remote_nudge_(struct pt_remote *remote)
{
    return pt_word_load_(&remote->posted) ? (pt_status)PT_OK : pt_remote_post(remote);
}

/* The callback of a closed remote, which a post during the close of its mailbox can still call. */
PT_API void pt_remote_ignore_(struct pt_remote *self, unsigned times)
{
}

PT_API void pt_remote_close(struct pt_remote *remote)
{
    PT_ASSERT_(remote->loop, "it was not opened: call pt_remote_open", "a remote");
    PT_ASSERT_(remote->target != &remote->act, PT_CLOSED_TWICE_, "pt_remote_close");
    pt_loop_set_remotes_(remote->loop, pt_loop_remotes_(remote->loop) - 1);
    pt_loop_receive_(remote->loop);
    if (PT_DEBUG) {
        remote->act = pt_remote_ignore_;
        remote->target = &remote->act; /* the mark: a callback has another address in each file */
    }
}

PT_API void pt_loop_shut(struct pt_loop *loop)
{
    pt_remotes_act_(loop, pt_inbox_close_(&loop->inbox));
    pt_loop_wake_posted_(loop);
    pt_loop_set_wakers_(loop, NULL);
}

/* Do what was posted, or drop it; there are no later posts. */
#define pt_loop_do_posts_(loop) pt_loop_shut(loop)
PT_API void pt_loop_drop_posts_(struct pt_loop *loop)
{
    (void)pt_inbox_close_(&loop->inbox);
    pt_loop_set_wakers_(loop, NULL);
}

PT_API void pt_remote_wake(struct pt_remote *self, unsigned times)
{
    pt_wake((struct pt_task *)self->target);
}

PT_API void pt_remote_spawn(struct pt_remote *self, unsigned times)
{
    struct pt_task *task = (struct pt_task *)self->target;

    self->status = pt_task_alive(task) ? (pt_status)PT_EBUSY : pt_spawn(self->loop, task);
}

PT_API void pt_remote_activate(struct pt_remote *self, unsigned times)
{
    struct pt_task *task = (struct pt_task *)self->target;

    if (!pt_task_alive(task) && !pt_task_done(task))
        pt_remote_spawn(self, times);
    else
        pt_remote_wake(self, times);
}

#if PT_PAUSE
PT_API void pt_remote_pause(struct pt_remote *self, unsigned times)
{
    pt_pause((struct pt_task *)self->target);
}

PT_API void pt_remote_resume(struct pt_remote *self, unsigned times)
{
    pt_resume((struct pt_task *)self->target);
}
#endif

#if PT_CANCEL
PT_API void pt_remote_cancel(struct pt_remote *self, unsigned times)
{
    pt_cancel((struct pt_task *)self->target, PT_ECANCELED);
}
#endif

#elif PT_WAKERS
#define pt_loop_kick_(loop) ((void)(loop))

PT_API void pt_loop_shut(struct pt_loop *loop)
{
    pt_loop_wake_posted_(loop);
    loop->wakers = NULL;
}

#else
#define pt_loop_do_posts_(loop) ((void)0)
#define pt_loop_drop_posts_(loop) ((void)0)
#define pt_loop_announce_(loop, port) ((void)0)
#define pt_loop_may_sleep_(loop) true
#define pt_loop_expects_posts_(loop) false
#endif
#endif
