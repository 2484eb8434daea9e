/* remote.h - from another thread, or an interrupt: wake a task, set an event, and so on
 * SPDX-License-Identifier: MIT
 *
 *     static struct pt_remote button;
 *
 *     pt_remote_open(&button, &loop, pt_remote_wake, &debounce.task);      in the loop's thread
 *
 *     pt_remote_post(&button);                                            in an interrupt, or a thread
 *
 * A remote is a small object that stands for one thing to be done in a loop, by the loop. To post it
 * adds one to its number and, if that was 0, puts it into the loop's inbox; the loop takes all that
 * is in its inbox when a turn begins, and does each. So a post allocates nothing, cannot fail for
 * want of room, and is lock-free; many posts before a turn are one deed, told how many they were.
 *
 *     anybody                          the loop, before it sleeps
 *     posted++; into the inbox         dozing = its port
 *     if it dozes: kick it             if the inbox is empty: sleep
 *
 * Whoever of the two comes second sees what the other did: no post is lost, and none waits longer
 * than the turn that runs. What a thread wrote before it posted, the deed sees. Remotes are done in
 * the order of their first posts since they were done last, so that a later post may join an earlier
 * one, and overtake a post to another remote. */
#ifndef PT_REMOTE_H
#define PT_REMOTE_H

#include "select.h"

#if PT_REMOTE

/* The remote. It must stay where it is from its opening until it is closed. */
struct pt_remote {
    struct pt_link_ link; /* in the inbox; its first member */
    unsigned posted;      /* how often, since it was done last; atomic */
    struct pt_loop *loop; /* who does it */
    void (*act)(struct pt_remote *self, unsigned times); /* what: in the loop's thread */
    void *target;                                        /* to whom: what ACT makes of it */
    pt_status status;                                    /* what ACT has to say */
};

/* pt_remote_open - a remote by which LOOP does ACT to TARGET; in the loop's thread, before any post
 * LOOP is the outermost, if TARGET is in a loop in a loop: its thread acts. A post to the inner one would wake
 * nobody; PT_DEBUG stops when that loop finds it. TARGET lives until the remote
 * is closed. ACT may be a function of yours: it must neither close a remote nor run the loop. loop->now is
 * the time of the turn that it comes before. */
PT_API void pt_remote_open(struct pt_remote *remote, struct pt_loop *loop,
                           void (*act)(struct pt_remote *self, unsigned times), void *target)
{
    remote->posted = 0;
    remote->loop = loop;
    remote->act = act;
    remote->target = target;
    remote->status = PT_OK;
}

#if PT_PORT
typedef const struct pt_port *pt_port_ref;
PT_ATOMIC_(pt_port_ref, port)

/* Wake the loop, if it dozes. Its port comes from there: loop->port may be gone by now. */
PT_API void pt_loop_kick_(struct pt_loop *loop)
{
    pt_port_ref port = pt_port_load_(&loop->sleeping_port);

    if (port)
        port = pt_port_swap_(&loop->sleeping_port, NULL);
    if (port && port->kick)
        port->kick(port->context);
}

/* A loop says that it is about to sleep; whether it may. */
PT_API bool pt_loop_may_sleep_(struct pt_loop *loop)
{
    pt_port_swap_(&loop->sleeping_port, loop->port);
    if (pt_inbox_empty_(&loop->inbox))
        return true;
    pt_port_swap_(&loop->sleeping_port, NULL);
    return false;
}
#endif

/* pt_remote_post - have it done soon; from any thread, or an interrupt; lock-free
 * PT_OK, or PT_ECLOSED if the loop was closed: then nothing happens. Of posts to one remote that meet
 * the close, one gets the code for all. The loop's memory must be there. */
PT_API pt_status pt_remote_post(struct pt_remote *remote)
{
    struct pt_loop *loop = remote->loop;
    unsigned posted;

    do {
        posted = pt_word_load_(&remote->posted);
        /* The most is as good as more; but it is written again, so that the deed sees what was
         * written before. */
    } while (!pt_word_replace_(&remote->posted, posted, posted + (posted != (unsigned)-1)));
    if (posted)
        return PT_OK;
    if (!pt_inbox_push_(&loop->inbox, &remote->link)) {
        pt_word_swap_(&remote->posted, 0);
        return PT_ECLOSED;
    }
    PT_IF_(PT_PORT, pt_loop_kick_(loop);)
    return PT_OK;
}

/* pt_remote_nudge_ - the same for one who has nothing new to say: a load, if a post is on its way
 * What the caller wrote before may be seen by that earlier post or not, unless it wrote it by a
 * sequentially consistent atomic that reads and writes. A number of posts comes out too small. */
PT_API pt_status pt_remote_nudge_(struct pt_remote *remote)
{
    return pt_word_load_(&remote->posted) ? (pt_status)PT_OK : pt_remote_post(remote);
}

/* pt_loop_posted - whether something is in a loop's inbox, so that it must not sleep; in its thread
 * On a small part: with the interrupts off, between this and the instruction that sleeps. */
PT_API bool pt_loop_posted(const struct pt_loop *loop)
{
    return !pt_inbox_empty_(&loop->inbox);
}

PT_API void pt_links_act_(struct pt_link_ *link)
{
    for (struct pt_link_ *next; link; link = next) {
        struct pt_remote *remote = (struct pt_remote *)(void *)link; /* its first member */

        next = link->next;
        remote->act(remote, pt_word_swap_(&remote->posted, 0));
    }
}

/* Do what is in the inbox. */
PT_COLD void pt_loop_receive_(struct pt_loop *loop)
{
    pt_links_act_(pt_inbox_take_(&loop->inbox));
}

/* pt_remote_close - in the loop's thread: what was posted is done; then its storage is free
 * Nobody may post it any more. Other remotes that were posted are done, too. */
PT_API void pt_remote_close(struct pt_remote *remote)
{
    pt_loop_receive_(remote->loop);
}

/* pt_loop_shut - let a loop take no more posts; what was posted is done; in its thread
 * Posters get PT_ECLOSED. pt_loop_close does this; where the last posts may spawn tasks or make them
 * ready, shut the loop, run it once more, and then close it. */
PT_API void pt_loop_shut(struct pt_loop *loop)
{
    pt_links_act_(pt_inbox_close_(&loop->inbox));
}

/* --- deeds --------------------------------------------------------------------------------- */

/* pt_remote_wake - to a task: pt_wake */
PT_API void pt_remote_wake(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_wake((struct pt_task *)self->target);
}

/* pt_remote_spawn - to a task that PT_PREPARE has made ready: pt_spawn, unless it is alive
 * The remote's status is its code, or PT_EBUSY. */
PT_API void pt_remote_spawn(struct pt_remote *self, unsigned times)
{
    struct pt_task *task = (struct pt_task *)self->target;

    (void)times;
    self->status = pt_task_alive(task) ? (pt_status)PT_EBUSY : pt_spawn(self->loop, task);
}

/* pt_remote_activate - to a task that PT_PREPARE has made ready: spawn it if it never ran, else wake */
PT_API void pt_remote_activate(struct pt_remote *self, unsigned times)
{
    struct pt_task *task = (struct pt_task *)self->target;

    if (!pt_task_alive(task) && !pt_task_done(task))
        pt_remote_spawn(self, times);
    else
        pt_remote_wake(self, times);
}

/* PT_PREPARE(&storage, rocket, .field = value ...) - make a task ready for pt_remote_spawn
 * As PT_START, but it does not run. The task must not be alive. */
#define PT_PREPARE(storage, ...)                  \
    ((pt_status)(pt_task_claim_(&(storage)->task) \
                     ? (pt_status)PT_EBUSY        \
                     : (PT_TASK_INIT_(storage, __VA_ARGS__), (pt_status)PT_OK)))

#if PT_PAUSE
/* pt_remote_pause, pt_remote_resume - to a task: pt_pause, pt_resume */
PT_API void pt_remote_pause(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_pause((struct pt_task *)self->target);
}

PT_API void pt_remote_resume(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_resume((struct pt_task *)self->target);
}
#endif

#if PT_CANCEL
/* pt_remote_cancel - to a task: pt_cancel, with PT_ECANCELED */
PT_API void pt_remote_cancel(struct pt_remote *self, unsigned times)
{
    (void)times;
    pt_cancel((struct pt_task *)self->target, PT_ECANCELED);
}
#endif

#endif
#endif
