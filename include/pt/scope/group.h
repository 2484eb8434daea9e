/* group.h - tasks that belong together, and do not outlive a block
 * SPDX-License-Identifier: MIT
 *
 *     struct search { struct pt pt; struct pt_group both; PT_TASK(ask) left, right; };
 *
 *     PT_WITH_GROUP(&self->both, PT_GROUP_FIRST_SUCCESS) {
 *         PT_SPAWN_IN(&self->both, &self->left, ask, .host = 1);
 *         PT_SPAWN_IN(&self->both, &self->right, ask, .host = 2);
 *     }                                 here both have ended; the loser was canceled
 *     if (self->both.status == PT_OK) ... self->both.decider == &self->left.task
 *
 * At its end, or after continue, the block waits for its tasks. Left in any other way (by break,
 * PT_RETURN, a timeout, a cancel), it cancels them first. The function's PT_FINALLY runs after that
 * wait, so the tasks may use what it releases. With PT_GROUP_FIRST the end of one ends the rest. */
#ifndef PT_GROUP_H
#define PT_GROUP_H

#include "timeout.h"

#if PT_GROUPS

/* The policy: when the group cancels its other tasks, and the status that it gets by that. Without
 * such an end its status is the first failure; but if the group was canceled before that, the code
 * of this cancel (PT_ECANCELED if its block was left). Else it is PT_OK. */
enum pt_group_policy {
    PT_GROUP_ALL,          /* never: all run to their ends */
    PT_GROUP_ALL_OR_NONE,  /* at the first failure: its code */
    PT_GROUP_FIRST,        /* at the first end: its code */
    PT_GROUP_FIRST_SUCCESS /* at the first success: PT_OK */
};

/* The group. Zero it before its first use (static storage is zero). Read status and decider. */
struct pt_group {
    struct pt_scope scope;         /* its block; its first member */
    struct pt_wait_queue_ members; /* its tasks, by task->member, in order of arrival */
    struct pt_wait_list_ waiters;  /* tasks that wait until it is empty */
    struct pt_node end;      /* the last node among the joiners of each of its tasks; private */
    struct pt_task *owner;   /* the task that opened the block */
    struct pt_task *decider; /* whose end set the status, or NULL; pt_dump_task: at which line */
    enum pt_group_policy policy;
    pt_status status; /* its result, once it is empty */
    bool over;        /* whether it was canceled */
};

/* --- in a body ----------------------------------------------------------------------------- */

/* PT_WITH_GROUP(&self->group, policy) { ... } - a block that does not end before its tasks
 * After the block, read the group's status and decider. A group in use ends the function with
 * PT_EBUSY. GROUP is evaluated several times. */
#define PT_WITH_GROUP(group, policy) PT_GROUP_BLOCK_(group, policy, PT_HERE_)

/* PT_SPAWN_IN(&group, &storage, rocket, .field = value ...) - PT_SPAWN of a task of a group
 * self->pt.status is as after PT_SPAWN. If the group was canceled it is PT_ECANCELED, and if its
 * block is not open, PT_EINVAL; then no task starts, and no field is evaluated. */
#define PT_SPAWN_IN(group, ...)                                               \
    do {                                                                      \
        PT_IN_BODY_;                                                          \
        pt_->status = (pt_status)(PT_CHECK_ONE_(group, "PT_SPAWN_IN")         \
                                      pt_group_accepts_(group, pt_current_)); \
        if (pt_->status == PT_OK) {                                           \
            PT_SPAWN(__VA_ARGS__);                                            \
            PT_ADOPT(group);                                                  \
        }                                                                     \
    } while (0)

/* PT_ADOPT(&group) - add the task that the previous spawn started, from whatever storage
 * Use it directly after the spawn: any operation between the two spoils it. No effect if that
 * spawn failed. self->pt.status is the code of the spawn, or of pt_group_add. */
#define PT_ADOPT(group) (PT_IN_BODY_, pt_group_adopt_(group, pt_current_, pt_))

/* PT_JOIN_GROUP(&group) - wait, in any task, until a group is empty
 * After the wait, the group's block can be over, and the group can be gone. self->pt.status is
 * PT_OK. Without a wait it is PT_EDEADLK in a task of the group, and PT_EINVAL if GROUP is NULL:
 * PT_DEBUG stops there. */
#define PT_JOIN_GROUP(group) PT_PARK_IF_(pt_group_join_(pt_current_, pt_, group))

/* --- from anywhere ------------------------------------------------------------------------- */

/* pt_group_empty - whether all its tasks are done; O(1) */
PT_API bool pt_group_empty(const struct pt_group *group);

/* pt_group_cancel - cancel all tasks of a group, with REASON, and end its block
 * The cost is a pt_cancel for each task, and for the owner's block. From then on PT_SPAWN_IN starts
 * no task, and a task that is added is canceled at once. No effect if the group was canceled
 * before, or if its block is not open. It also ends the block of a group without tasks. */
PT_API void pt_group_cancel(struct pt_group *group, pt_code_ reason);

/* pt_group_add - put a task that is alive into a group; O(its joiners), so O(1) for a new one
 * Returns PT_OK; PT_EBUSY if the task is in a group; PT_EINVAL if it is not alive or is in another
 * loop, or if the group's block is not open; PT_EDEADLK if the task itself, or a task below it,
 * opened the block. If the task has blocks open, the cost is O(the joiners of all owners above). */
PT_API pt_status pt_group_add(struct pt_group *group, struct pt_task *task);

/* --- implementation ------------------------------------------------------------------------ */

PT_API bool pt_group_empty(const struct pt_group *group)
{
    return !pt_wait_queue_first_(&group->members);
}

/* A group waits for the end of each of its tasks, as a joiner does. So instead of a pointer to the
 * group a task has a node at the end of its list of joiners, where nobody follows. All tasks of a
 * group share that node: it has no successor, and what is written to its `prev` is not read. */

PT_ALWAYS struct pt_group *pt_group_of_end_(struct pt_node *end)
{
    return (struct pt_group *)(void *)((char *)end - offsetof(struct pt_group, end));
}

/* The group of a task, or NULL. O(joiners) */
PT_NOINLINE struct pt_group *pt_task_group_(const struct pt_task *task)
{
    struct pt_wait_list_ joiners = task->joiners;

    return task->flags & PT_FLAG_MEMBER_ ? pt_group_of_end_(*pt_wait_list_last_(&joiners)) : NULL;
}

/* A task ends: take its group out of its joiners. Returns the group, or NULL. */
PT_ALWAYS struct pt_group *pt_task_leaves_group_(struct pt_task *task)
{
    struct pt_node **link, *end;

    if (PT_LIKELY(!(task->flags & PT_FLAG_MEMBER_)))
        return NULL;
    link = pt_wait_list_last_(&task->joiners);
    end = *link;
    PT_IF_(PT_INSPECT, end->prev = NULL;) /* else it seems to lead to a task that may be stuck */
    *link = NULL;
    task->flags &= (uint8_t)~PT_FLAG_MEMBER_;
    return pt_group_of_end_(end);
}

PT_ALWAYS void pt_task_joins_group_(struct pt_task *task, struct pt_group *group)
{
    struct pt_node **link = &task->joiners.first;

    while (*link)
        link = &(*link)->link.next;
    *link = &group->end;
    task->flags |= PT_FLAG_MEMBER_;
}

PT_API void pt_group_cancel(struct pt_group *group, pt_code_ reason)
{
    if (group->over || group->scope.state == PT_SCOPE_CLOSED_)
        return;
    group->over = true;
    if (!group->decider)
        group->status = pt_status_of_(reason, "pt_group_cancel");
    for (struct pt_node *member = pt_wait_queue_first_(&group->members); member;
         member = pt_wait_queue_next_(&group->members, member))
        pt_cancel(pt_task_of_member_(member), reason);
    if (group->scope.state == PT_SCOPE_ENTERED_) {
        group->scope.marks |= PT_SCOPE_LATE_;
        pt_task_interrupt_(group->owner);
    }
}

/* Whether a task that TASK spawns can be in a group: the code for PT_SPAWN_IN. */
PT_API pt_status pt_group_accepts_(const struct pt_group *group, const struct pt_task *task)
{
    if ((PT_HOSTED || PT_DEBUG) && PT_UNLIKELY(!task->loop))
        PT_PANIC("a generator has no loop to spawn in", "PT_SPAWN_IN", 0);
    if (group->scope.state == PT_SCOPE_CLOSED_ || task->loop != group->owner->loop)
        return PT_EINVAL;
    return group->over ? (pt_status)PT_ECANCELED : (pt_status)PT_OK;
}

PT_API pt_status pt_group_add(struct pt_group *group, struct pt_task *task)
{
    pt_status status = pt_task_alive(task) ? pt_group_accepts_(group, task) : (pt_status)PT_EINVAL;

    if (status == PT_EINVAL)
        return status;
    if (task->scopes) /* else it has opened no block */
        for (const struct pt_group *above = group; above; above = pt_task_group_(above->owner))
            if (above->owner == task)
                return PT_EDEADLK;
    if (task->flags & PT_FLAG_MEMBER_)
        return PT_EBUSY;
    pt_task_joins_group_(task, group);
    pt_wait_remove_(&task->member);
    pt_wait_queue_push_(&group->members, &task->member);
    if (status != PT_OK)
        pt_cancel(task, PT_ECANCELED);
    return PT_OK;
}

/* Add the task that TASK has just spawned, if it has. */
PT_API void pt_group_adopt_(struct pt_group *group, const struct pt_task *task, struct pt *frame)
{
    if ((PT_HOSTED || PT_DEBUG) && PT_UNLIKELY(!task->loop))
        PT_PANIC("a generator has no loop to spawn in", "PT_ADOPT", 0);
    if (frame->status == PT_OK)
        frame->status = pt_group_add(group, (struct pt_task *)task->node.link.operand);
}

/* A member has ended, and left the list. */
PT_COLD void pt_group_ended_(struct pt_group *group, struct pt_task *task, pt_status status)
{
    bool failed = status != PT_OK;
    bool decides = group->policy == PT_GROUP_FIRST ||
                   (group->policy == PT_GROUP_ALL_OR_NONE && failed) ||
                   (group->policy == PT_GROUP_FIRST_SUCCESS && !failed);

    if (!group->over && (decides || (failed && group->status == PT_OK))) {
        group->decider = task;
        group->status = status;
    }
    if (decides)
        pt_group_cancel(group, PT_ECANCELED);
    if (pt_group_empty(group))
        pt_wait_list_complete_all_(&group->waiters, PT_OK, 0);
}

#define PT_GROUP_BLOCK_(group, policy, here)                                               \
    for (PT_IN_BODY_,                                                                      \
         PT_NOT_LOCAL_THEN_(group, "the group") PT_CHECK_ONE_(group, "PT_WITH_GROUP")      \
             pt_entered_ = pt_group_open_(pt_current_, group, PT_LABEL_OF_(here), policy), \
             PT_DO_IF_(!pt_entered_, PT_REFUSE_()), pt_refused_ = !pt_entered_;            \
         pt_refused_ || pt_entered_ ||                                                     \
         (pt_group_is_open_(pt_current_, group) &&                                         \
          (PT_DO_IF_(PT_GROUP_LEAVES_(group), PT_GROUP_SUSPEND_(group, here)), true));     \
         pt_entered_ = false)                                                              \
        PT_ELSE_DO_(pt_refused_, PT_REFUSE_())                                             \
    PT_ELSE_DO_(PT_GROUP_LEAVES_(group), PT_GROUP_SUSPEND_(group, here))                   \
    PT_LABEL_CASE_(PT_LABEL_OF_(here))                                                     \
    PT_COUNTING_FOR_(pt_blocks_, pt_entered_,                                              \
                     (pt_entered_ = false, (group)->scope.state = PT_SCOPE_LEFT_))
#define PT_GROUP_LEAVES_(group) ((group)->scope.state == PT_SCOPE_LEAVING_)
#define PT_GROUP_SUSPEND_(group, here) \
    PT_LEAVE_TO_(PT_LABEL_OF_(here), pt_group_wait_(pt_current_, group))

PT_API pt_op pt_group_wait_(struct pt_task *task, struct pt_group *group)
{
    pt_task_wait_in_list_(task, &group->waiters, PT_WHY_GROUP);
    pt_task_set_waits_for_(task, group);
    return pt_op_of_(PT_OP_PARK);
}

PT_API bool pt_group_join_(struct pt_task *task, struct pt *frame, struct pt_group *group)
{
    PT_ASSERT_(group, "the group is NULL", "PT_JOIN_GROUP");
    frame->status = PT_OK;
    if (!group || pt_task_group_(task) == group)
        frame->status = group ? (pt_status)PT_EDEADLK : (pt_status)PT_EINVAL;
    if (frame->status != PT_OK || pt_group_empty(group))
        return false;
    (void)pt_group_wait_(task, group);
    return true;
}

PT_API bool pt_group_open_(struct pt_task *task, struct pt_group *group, pt_label label,
                           enum pt_group_policy policy)
{
    if (!pt_scope_open_(task, &group->scope, label, PT_SCOPE_GROUP_))
        return false;
    pt_wait_queue_init_(&group->members);
    pt_wait_list_init_(&group->waiters);
    group->end.link.next = NULL;
    group->owner = task;
    group->decider = NULL;
    group->policy = policy;
    group->status = PT_OK;
    group->over = false;
    return true;
}

/* Whether the block has more to do: run its body, or wait for its tasks. */
PT_COLD bool pt_group_is_open_(struct pt_task *task, struct pt_group *group)
{
    bool by_break = group->scope.state == PT_SCOPE_ENTERED_;

    group->scope.state = PT_SCOPE_LEAVING_;
    if (by_break && !pt_group_empty(group))
        pt_group_cancel(group, PT_ECANCELED);
    if (!pt_group_empty(group))
        return true;
    pt_scope_unlink_(task, &group->scope);
    return false;
}

PT_COLD bool pt_scope_awaits_tasks_(struct pt_task *task, struct pt_scope *scope)
{
    struct pt_group *group = (struct pt_group *)(void *)scope;

    if (!(scope->marks & PT_SCOPE_GROUP_) || pt_group_empty(group))
        return false;
    scope->state = PT_SCOPE_LEAVING_;
    pt_group_cancel(group, PT_ECANCELED);
    (void)pt_group_wait_(task, group);
    return true;
}

#else
#define pt_task_leaves_group_(task) ((struct pt_group *)NULL)
#define pt_group_ended_(group, task, status) ((void)(task))
#define pt_scope_awaits_tasks_(task, scope) ((void)(task), (void)(scope), false)
#endif
#endif
