/* cases.h - the cases of a select: added, tried, and waited for (complete.h: one comes true)
 * SPDX-License-Identifier: MIT */
#ifndef PT_CASES_H
#define PT_CASES_H

#include "complete.h"

#if PT_SELECTS

/* Instead of the number of a case. */
#define PT_NO_CASE_ UINT8_MAX

/* A selection with ROOM cases is used for the first time: write what stays. */
PT_COLD void pt_select_prepare_(struct pt_select_ *select, struct pt_case_ *cases, size_t room)
{
    select->fired = PT_NO_CASE_;
    for (struct pt_case_ *it = cases; it != cases + room; it++) {
        it->waiter.item = &it->waiter;
        it->select = select;
    }
}

PT_ALWAYS void pt_select_begin_(struct pt_task *task, struct pt_select_ *select,
                                struct pt_case_ *cases, size_t room)
{
    PT_ASSERT_(!select->count || cases->select == select,
               "the selection was not zeroed, or it is a copy of one that was used: call "
               "pt_select_init",
               "PT_SELECT");
    if (PT_UNLIKELY(!select->count))
        pt_select_prepare_(select, cases, room);
    select->task = task;
    select->cases = cases;
    select->count = 0;
    task->waiter.item = select;
}

/* Begin a select of which a block adds the cases. In the block two fields have another meaning:
 * `comes` is the room, and `opcode` is true if a case found none. */
PT_API struct pt_select_ *pt_select_from_(struct pt_task *task, struct pt_select_ *select,
                                          struct pt_case_ *cases, size_t room)
{
    pt_select_begin_(task, select, cases, room);
    select->comes = (uint8_t)(room < PT_NO_CASE_ ? room : PT_NO_CASE_ - 1);
    select->opcode = false;
    return select;
}

/* A case comes next: if it finds no room, the last one makes room. Returns TASK. */
PT_API struct pt_task *pt_case_room_(struct pt_task *task, struct pt_select_ *select)
{
    PT_ASSERT_(select->count < select->comes, "more cases than the selection has room for",
               "PT_SELECT_FROM");
    if (select->count == select->comes) {
        select->opcode = true;
        select->count--;
    }
    task->waiter.item = select;
    return task;
}

/* The block is over. SELECT is no pointer to const: clang does not warn if an argument for one of
 * those is unset, as a jump into the block leaves it. */
PT_ALWAYS struct pt_select_ *pt_select_closed_(struct pt_select_ *select)
{
    return NULL;
}

/* Join the queue or list of a case; false if the case waits for a time. */
PT_API bool pt_case_enter_(struct pt_case_ *it)
{
    char *target = (char *)it->target;

    switch (it->kind->place) {
    case PT_CASE_IN_QUEUE_:
        pt_wait_queue_push_((struct pt_wait_queue_ *)(void *)(target + it->kind->offset),
                            &it->waiter.node);
        return true;
    case PT_CASE_IN_LIST_:
        pt_wait_list_push_((struct pt_wait_list_ *)(void *)(target + it->kind->offset),
                           &it->waiter.node);
        return true;
    case PT_CASE_IN_TIME_:
    default: pt_wait_detached_(&it->waiter.node); return false;
    }
}

/* Add the next case to the select that TASK is building; the task's item points to that select. */
PT_ALWAYS struct pt_case_ *pt_case_add_(struct pt_task *task, const struct pt_case_kind_ *kind,
                                        void *target, void *item)
{
    struct pt_select_ *select = (struct pt_select_ *)task->waiter.item;
    struct pt_case_ *it = &select->cases[select->count++];

    it->kind = kind;
    it->target = target;
    it->item = item;
    return it;
}

/* STATUS is the code of an attempt without waiting. Unless it is PT_EAGAIN, the case comes true:
 * store it and return true. */
PT_ALWAYS bool pt_case_take_(struct pt *frame, pt_status status)
{
    if (status != PT_EAGAIN)
        frame->status = status;
    return status != PT_EAGAIN;
}

/* Whether a case can come true. */
PT_ALWAYS bool pt_select_hopes_(const struct pt_select_ *select)
{
    const struct pt_case_ *it = select->cases, *end = it + select->count;

    while (it != end && it->kind->place == PT_CASE_IN_TIME_ && it->how.delay == PT_DELAY_NEVER)
        it++;
    return it != end;
}

/* Join the queues of all cases, and find the earliest time, if one comes. */
PT_API void pt_select_wait_(struct pt_select_ *select)
{
    pt_time soonest = PT_DELAY_NEVER;

    PT_ASSERT_(pt_select_hopes_(select), "no case can ever come true", "PT_SELECT");
    select->ops.cancel = pt_select_leave_;
    select->comes = PT_NO_CASE_;
    for (struct pt_case_ *it = select->cases; it != select->cases + select->count; it++)
        if (!pt_case_enter_(it) && it->how.delay < soonest) {
            select->comes = (uint8_t)(it - select->cases);
            soonest = it->how.delay;
        }
    select->opcode = select->comes == PT_NO_CASE_ ? PT_OP_PARK : PT_OP_WAIT;
    PT_IF_(PT_HAS_TIMERS_, (void)pt_wait_until_(select->task, soonest);)
    pt_task_wait_by_ops_(select->task, PT_WHY_SELECT, &select->ops);
}

/* The wait is over, and the task continues. */
PT_ALWAYS void pt_select_over_(struct pt_select_ *select)
{
    select->fired = select->comes;
}

/* Whether an attempt would be in vain, as far as that is known without a call. */
#if PT_HOSTED
PT_ALWAYS bool pt_case_must_wait_(const struct pt_case_ *it)
{
    const struct pt_case_kind_ *kind = it->kind;
    const char *target = (const char *)it->target;

    return kind->closed &&
           pt_wait_queue_empty_(
               (const struct pt_wait_queue_ *)(const void *)(target + kind->others)) &&
           !*(const bool *)(const void *)(target + kind->closed);
}
#else
#define pt_case_must_wait_(it) false
#endif

/* All cases were added: try each. Returns whether the task must wait. */
PT_API bool pt_select_start_(struct pt_select_ *select, struct pt *frame, bool wait)
{
    struct pt_case_ *end = &select->cases[select->count];
    struct pt_case_ *it = &select->cases[(uint8_t)(select->fired + 1)]; /* after the last */

    frame->status = PT_OK;
    for (uint_fast8_t left = select->count; left; left--, it++) {
        if (it >= end)
            it = select->cases;
        if (!pt_case_must_wait_(it) && it->kind->take(it, frame)) {
            select->fired = (uint8_t)(it - select->cases);
            return false;
        }
    }
    select->fired = PT_NO_CASE_;
    if (wait)
        pt_select_wait_(select);
    else
        frame->status = PT_EAGAIN;
    return wait;
}

/* As pt_select_start_, for the cases that a block has added. */
PT_API bool pt_select_added_(struct pt_select_ *select, struct pt *frame)
{
    if (!select->opcode)
        return pt_select_start_(select, frame, true);
    frame->status = PT_ERANGE;
    select->fired = PT_NO_CASE_;
    return false;
}

#endif
#endif
