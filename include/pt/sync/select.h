/* select.h - wait for whichever comes first: a value, an event, a lock, a task's end, a time
 * SPDX-License-Identifier: MIT
 *
 *     struct serve { struct pt pt; PT_SELECTION(3) next; struct order order; ... };
 *
 *     PT_SELECT(&self->next, PT_CASE_RECV(&orders, &self->order), PT_CASE_EVENT(&closing),
 *               PT_CASE_AFTER(PT_SEC(10)));
 *     if (PT_SELECTED(&self->next) == 0) ...                    an order is there
 *
 * If only the running program knows how many cases there are, a block adds them: PT_SELECT_FROM.
 *
 * The task waits in the queue of every case, with one node for each case, in its frame. The first
 * case that is completed takes the others out of their queues: exactly one comes true, and from the
 * others nothing is lost. The cases: PT_CASE_SEND, _RECV (channel.h); _PUSH, _POP (queue.h);
 * _RECV_MAIL (mailbox.h); _RING_GET (ring.h); _BROADCAST (broadcast.h); _EVENT (event.h); _FLAGS
 * (flags.h); _ACQUIRE, _LOCK (semaphore.h, lock.h); _JOIN, _AFTER, _UNTIL (here); _READABLE,
 * _WRITABLE, _HANGUP (host/io.h). PT_CASE_IF turns one off. Conditions, barriers and rwlocks have
 * none: their headers say why.
 *
 * If a cancel or a timeout ends the wait, the task leaves all queues, and nothing was selected. If
 * a case had already given it a value, a lock or the like, that case is selected, the task
 * continues, and the cancel or timeout takes effect at its next wait. If a case that gives nothing
 * (an event, a task's end, a time) comes true in the same turn as a cancel, nothing was
 * selected. */
#ifndef PT_SELECT_H
#define PT_SELECT_H

#include "../run/watched.h"
#include "../run/remote.h"
#include "../loop/cases.h"

#if PT_SELECTS

/* PT_SELECTION(n) - the type of a frame's member with room for N cases, at most 254
 * It must be zero before its first use, as in static storage, or initialized by pt_select_init. It
 * has pointers into itself: initialize a copy of one that was used. PT_DEBUG stops at others. */
#define PT_SELECTION(n)           \
    struct {                      \
        struct pt_select_ select; \
        struct pt_case_ cases[n]; \
    }

/* What PT_SELECTED returns when no case has come true. */
#define PT_SELECT_NONE PT_NO_CASE_

/* pt_select_init(&self->choice) - initialize a selection that was not zeroed */
#define pt_select_init(choice) ((void)((choice)->select.count = 0))

/* PT_SELECT(&self->choice, case, case ...) - wait until one of the cases comes true; 20 at most
 * If several cases are true at once, the next one after the case that was selected last time is
 * taken, so that none starves; at first, and after a select that selected nothing, the first one.
 * A time that has come is such a case, too: a queue that is never empty does not hide a deadline.
 * self->pt.status is PT_OK or the code of the case: PT_ECLOSED, the status of a task that ended,
 * ... If the task waits, its time comes true only if no other case has by then: in one turn a post
 * comes before the time, and what a task does after it. Cost: O(cases), twice that if it waits; no
 * allocation. */
#define PT_SELECT(choice, ...)                                                     \
    do {                                                                           \
        PT_CHECK_ONE_(choice, "PT_SELECT") PT_IN_BODY_;                            \
        PT_SELECT_SCOPE_;                                                          \
        if (PT_SELECT_START_(choice, true, PT_COUNT_(__VA_ARGS__), __VA_ARGS__)) { \
            PT_SELECT_SURVIVES_(choice)                                            \
            PT_SUSPEND_((choice)->select.opcode);                                  \
            pt_select_over_(&(choice)->select);                                    \
        }                                                                          \
        pt_task_take_(pt_current_);                                                \
    } while (0)

/* PT_SELECT_FROM(&self->choice) { ... } - PT_SELECT, of the cases that the block adds
 * Each case is a statement, and has the number of those before it. break ends the block, not the
 * wait. A suspension in the block is a compile error.
 *
 *     PT_SELECT_FROM(&self->next) {
 *         for (int i = 0; i < self->peers; i++)
 *             PT_CASE_RECV(&self->from[i], &self->value);
 *         PT_CASE_AFTER(PT_SEC(1));
 *     }
 *     if (PT_SELECTED(&self->next) < self->peers) ...
 *
 * self->pt.status is as after PT_SELECT; or PT_ERANGE, without a wait, if a case found no room:
 * PT_DEBUG stops there. CHOICE is evaluated several times. */
#define PT_SELECT_FROM(choice) PT_SELECT_BLOCK_AT_(choice, PT_HERE_)

/* PT_SELECT_NOW(&self->choice, case, ...) - PT_SELECT without waiting
 * PT_SELECTED is PT_SELECT_NONE, and self->pt.status PT_EAGAIN, if no case is true. */
#define PT_SELECT_NOW(choice, ...)                                                  \
    do {                                                                            \
        PT_CHECK_ONE_(choice, "PT_SELECT_NOW") PT_IN_BODY_;                         \
        PT_SELECT_SCOPE_;                                                           \
        (void)PT_SELECT_START_(choice, false, PT_COUNT_(__VA_ARGS__), __VA_ARGS__); \
    } while (0)

/* PT_SELECTED(&self->choice) - which case came true: 0 for the first, and so on
 * PT_SELECT_NONE if the select was interrupted. */
#define PT_SELECTED(choice) ((choice)->select.fired)

/* --- cases --------------------------------------------------------------------------------- */

/* PT_CASE_IF(condition, case) - the case if CONDITION is true now; else one that never comes true
 * The numbers of the others stay. Without the condition the case's arguments are not evaluated. So
 * a case that is always true, as that of a closed channel is, does not make a loop spin:
 *
 *     PT_SELECT(&self->next, PT_CASE_IF(self->open, PT_CASE_RECV(&orders, &self->order)),
 *               PT_CASE_IF(self->have, PT_CASE_SEND(&ready, &self->dish)), PT_CASE_EVENT(&stop));
 *     if (PT_SELECTED(&self->next) == 0 && self->pt.status == PT_ECLOSED)
 *         self->open = false;
 *
 * If no case can come true, only a cancel or a timeout ends the wait: PT_DEBUG stops there. */
#define PT_CASE_IF(condition, choice) ((condition) ? (void)(choice) : pt_case_off_(PT_CASE_TASK_))

/* PT_CASE_JOIN(&storage.task) - a task is done; self->pt.status is as after PT_JOIN
 * It needs PT_JOINS. */
#define PT_CASE_JOIN(task) pt_case_join_(PT_CASE_TASK_, task)

/* PT_CASE_AFTER(delay), PT_CASE_UNTIL(deadline) - the time has come
 * A deadline that has passed, or is now, is true from the start; so is a delay of 0. A loop that
 * selects such a case again and again lets no other task run: move the deadline on. A deadline that
 * is PT_DELAY_NEVER ahead never comes true. A delay counts from PT_NOW(), as in PT_WITH_TIMEOUT:
 * what this step has taken is over already; PT_WAIT and PT_PARK_FOR count from its end. One over
 * PT_DELAY_MAX comes true at once, with PT_ERANGE; PT_DEBUG stops, and a constant one is a compile
 * error. It needs a timer queue. */
#define PT_CASE_AFTER(delay)                                                                       \
    pt_case_after_(PT_CASE_TASK_, PT_DELAY_OF_(delay, PT_DELAY_MAX, PT_FUNCTION_, "PT_CASE_AFTER", \
                                               "PT_CASE_UNTIL"))
#define PT_CASE_UNTIL(deadline) \
    pt_case_until_(PT_CASE_TASK_, pt_time_until_(pt_now_(pt_current_), deadline))

/* --- implementation ------------------------------------------------------------------------ */

/* PT_CASE_TASK_: the task of a case. Outside of a select the compiler prints the missing name; if
 * that is 0, the compiler has counted the cases. */
#define PT_SELECT_SCOPE_ enum { pt_case_outside_PT_SELECT_ = 0 }
#define PT_CASE_TASK_                                                                             \
    (pt_case_outside_PT_SELECT_                                                                   \
         ? pt_case_room_(pt_current_, (struct pt_select_ *)(uintptr_t)pt_case_outside_PT_SELECT_) \
         : pt_current_)

#define PT_SELECT_START_(choice, wait, number, ...)                         \
    (pt_select_begin_(pt_current_, &(choice)->select, (choice)->cases,      \
                      PT_SELECT_ROOM_(number, PT_SELECTION_ROOM_(choice))), \
     (void)(__VA_ARGS__), pt_select_start_(&(choice)->select, pt_, wait))
#define PT_SELECTION_ROOM_(choice) (sizeof((choice)->cases) / sizeof(struct pt_case_))

/* The outer loop runs once: it holds the label. The first round of the second loop runs the block,
 * because pt_ask_ is true. The next one starts the select; after a resume pt_entered_ is false, and
 * only that round runs. A jump to a suspension in the block would pass the pointer's definition. */
#define PT_SELECT_BLOCK_AT_(choice, here)                                                      \
    for (PT_IN_BODY_, PT_CHECK_ONE_(choice, "PT_SELECT_FROM") pt_entered_ = true; pt_entered_; \
         pt_entered_ = false)                                                                  \
        PT_LABEL_CASE_(PT_LABEL_OF_(here))                                                     \
    for (pt_ask_ = pt_entered_;                                                                \
         PT_DO_IF_(PT_SELECT_MUST_WAIT_(choice), PT_SELECT_SUSPEND_(choice, here)),            \
        PT_ELSE_DOES_ || pt_ask_ || PT_SELECT_ENDS_();)                                        \
        PT_ELSE_DO_(PT_SELECT_MUST_WAIT_(choice), PT_SELECT_SUSPEND_(choice, here))            \
    PT_ELSE_DO_(!pt_ask_ && !PT_SELECT_ENDS_(), break;)                                        \
    PT_SELECT_BLOCK_(choice, (pt_ask_ = false, pt_current_))
#define PT_SELECT_MUST_WAIT_(choice)                                     \
    (!pt_ask_ && (pt_entered_ ? pt_select_added_(&(choice)->select, pt_) \
                              : (pt_select_over_(&(choice)->select), false)))
#define PT_SELECT_SUSPEND_(choice, here)                                 \
    PT_CHECK_BLOCKS_()                                                   \
    PT_SELECT_SURVIVES_(choice)                                          \
    PT_LEAVE_TO_(PT_LABEL_OF_(here), pt_op_of_((choice)->select.opcode)) \
    pt_select_over_(&(choice)->select); /* a body with its own stack continues here */
#define PT_SELECT_ENDS_() (pt_task_take_(pt_current_), pt_ask_ = true, false)

/* The block, in which TASK adds cases. */
#define PT_SELECT_BLOCK_(choice, task)                                              \
    for (struct pt_select_ *pt_case_outside_PT_SELECT_ = pt_select_from_(           \
             task, &(choice)->select, (choice)->cases, PT_SELECTION_ROOM_(choice)); \
         pt_case_outside_PT_SELECT_;                                                \
         pt_case_outside_PT_SELECT_ = pt_select_closed_(pt_case_outside_PT_SELECT_))

/* PT_DEBUG: in a body, stop if the selection or the place of a value is a local. */
#define PT_SELECT_SURVIVES_(choice)        \
    PT_NOT_LOCAL_(choice, "the selection") \
    PT_IF_(PT_DEBUG, PT_CASES_SURVIVE_(choice))
#define PT_CASES_SURVIVE_(choice)                                                 \
    for (uint_fast8_t pt_n_ = 0; pt_n_ < (choice)->select.count; pt_n_++) {       \
        PT_NOT_LOCAL_((choice)->cases[pt_n_].item, "the place of a case's value") \
    }

/* The room of a selection; a compile error if that is not enough for so many cases. */
#define PT_SELECT_ROOM_(number, room) \
    ((room) +                         \
     0 * sizeof(int (*)(char pt_selection_has_too_few_cases_[(number) <= (room) ? 1 : -1])))

PT_API bool pt_case_off_take_(struct pt_case_ *it, struct pt *frame)
{
    return false;
}

/* A case that never comes true: a time that never comes. */
PT_ALWAYS void pt_case_off_(struct pt_task *task)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_(pt_case_off_take_, PT_CASE_IN_TIME_, 0);

    pt_case_add_(task, &kind, NULL, NULL)->how.delay = PT_DELAY_NEVER;
}

#if PT_JOINS
PT_API bool pt_case_join_take_(struct pt_case_ *it, struct pt *frame)
{
    return pt_join_at_once_(it->select->task, frame, (const struct pt_task *)it->target);
}

PT_ALWAYS void pt_case_join_(struct pt_task *task, struct pt_task *target)
{
    static const struct pt_case_kind_ kind =
        PT_CASE_KIND_(pt_case_join_take_, PT_CASE_IN_LIST_, offsetof(struct pt_task, joiners));

    pt_case_add_(task, &kind, target, NULL);
}
#endif

#if PT_HAS_TIMERS_
/* Without waiting, a time that has come comes true, and one that is too far ahead. */
PT_API bool pt_case_time_take_(struct pt_case_ *it, struct pt *frame)
{
    if (it->how.delay > PT_DELAY_NEVER)
        frame->status = PT_ERANGE;
    return it->how.delay == 0 || it->how.delay > PT_DELAY_NEVER;
}

PT_ALWAYS void pt_case_until_(struct pt_task *task, pt_time delay)
{
    static const struct pt_case_kind_ kind = PT_CASE_KIND_(pt_case_time_take_, PT_CASE_IN_TIME_, 0);

    (void)pt_now_(task); /* the select counts from here, and joins queues before its WAIT */
    pt_case_add_(task, &kind, NULL, NULL)->how.delay = delay;
}
#define pt_case_after_(task, delay) pt_case_until_(task, pt_finite_(delay))
#endif

#endif
#endif
