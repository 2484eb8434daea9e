/* foreign.h - await foreign code: it takes a callback, and calls that once, later, from any thread
 * SPDX-License-Identifier: MIT
 *
 *     struct question { struct pt pt; struct pt_foreign asking; int answer; };
 *
 *     static void answered(void *user, int answer)                     in any thread
 *     {
 *         struct question *self = (struct question *)user;
 *
 *         self->answer = answer;
 *         pt_foreign_done(&self->asking, PT_OK);
 *     }
 *
 *     static void ask(struct pt_foreign *asking)                       in the loop's thread
 *     {
 *         oracle_ask(answered, asking->argument);
 *     }
 *
 *     PT_WAIT_COMPLETE(&self->asking, pt_foreign, .start = ask, .argument = self);
 *
 * The callback can come in another thread, in an interrupt, or within START. What it has written
 * before pt_foreign_done the task sees behind the wait, whose code is that of pt_foreign_done.
 *
 * Cancel, timeout: CANCEL is called, and then the task waits for pt_foreign_done all the same: so
 * the foreign code can write to the frame up to then, and never later. A pt_foreign_done that the
 * loop has taken up before the cancel counts: the task continues, to its next wait. What comes
 * later, also a post that is still on its way, belongs to the caller, too: if it must be given back
 * (memory, a descriptor), the caller's PT_FINALLY does that. */
#ifndef PT_FOREIGN_H
#define PT_FOREIGN_H

#include "remote.h"

#if PT_SYNC && PT_REMOTE

/* pt_foreign - the frame of an operation of foreign code: start it, and wait until it is done
 * The loop calls START, and CANCEL at most once. A START that fails calls pt_foreign_done itself.
 * So does a CANCEL after which the foreign code will not call back; otherwise it returns, and the
 * callback ends the wait. Without a CANCEL the task waits for the callback. A task that must not
 * wait so long lets another task await, and cancels only itself. The loop must take posts: do not
 * await after pt_loop_shut. Awaited in a nested loop, the outermost loop is the one that is told,
 * and must not change meanwhile. */
struct pt_foreign {
    struct pt pt;
    void (*start)(struct pt_foreign *self);  /* the caller sets this and the next two */
    void (*cancel)(struct pt_foreign *self); /* or NULL */
    void *argument;                          /* the caller's */
    struct pt_remote done;                   /* private, as the rest */
    struct pt_wait_list_ waiters;            /* the task that waits */
    pt_status code;                          /* of pt_foreign_done */
    bool over;                               /* the loop knows that it is done */
};

PT_API PT_DECLARE(pt_foreign);

/* pt_foreign_done - the operation is done, with CODE; once; from any thread, or an interrupt
 * Lock-free. Behind the call the frame belongs to its task: do not touch it. A second call writes
 * to what may be anything by then; PT_DEBUG stops if the frame is still there. Returns as
 * pt_remote_post does: PT_OK, or PT_ECLOSED if the loop was closed, and the task with it. */
PT_API pt_status pt_foreign_done(struct pt_foreign *foreign, pt_code_ code);

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_status pt_foreign_done(struct pt_foreign *foreign, pt_code_ code)
{
    PT_ASSERT_(!foreign->over, "it is done already", "pt_foreign_done");
    foreign->code = pt_status_of_(code, "pt_foreign_done");
    return pt_remote_post(&foreign->done);
}

/* The callback of its remote. In the cleanup nothing is given: the callers end, too. */
PT_API void pt_foreign_over_(struct pt_remote *done, unsigned times)
{
    struct pt_foreign *self = (struct pt_foreign *)done->target;

    PT_ASSERT_(times == 1, "it is done already", "pt_foreign_done");
    self->over = true;
    pt_wait_list_complete_all_(&self->waiters, PT_OK,
                               pt_frame_cleaning_(&self->pt) & 1 ? 0 : PT_FLAG_GIVEN_);
}

/* Let the foreign code begin. */
PT_API void pt_foreign_begin_(struct pt_foreign *self, struct pt_task *task)
{
    struct pt_loop *loop = pt_task_loop_(task);

    if (!loop || !self->start)
        PT_PANIC(loop ? "it has no .start" : "a generator cannot wait for foreign code",
                 "pt_foreign", 0);
    while (pt_loop_host_(loop))
        loop = pt_task_loop_(pt_loop_host_(loop));
    self->over = false;
    pt_wait_list_init_(&self->waiters);
    pt_remote_open(&self->done, loop, pt_foreign_over_, self);
    self->start(self);
}

/* Whether the task must wait; then it is about to. */
PT_API bool pt_foreign_must_wait_(struct pt_foreign *self, struct pt_task *task)
{
    if (!self->over)
        pt_task_wait_in_list_(task, &self->waiters, PT_WHY_FOREIGN);
    return !self->over;
}

PT_API PT_ASYNC(pt_foreign, self)
{
    pt_foreign_begin_(self, pt_current_);
    PT_PARK_AND_TAKE_IF_(pt_foreign_must_wait_(self, pt_current_));
#if PT_HAS_INTERRUPTS_
    PT_RETURN(self->code);
    PT_FINALLY
    if (!self->over && self->cancel)
        self->cancel(self);
    PT_PARK_IF_(pt_foreign_must_wait_(self, pt_current_));
    pt_remote_close(&self->done);
#else
    pt_remote_close(&self->done);
    PT_RETURN(self->code);
#endif
}
PT_END

#endif
#endif
