/* tree.h - all tasks of a loop: those of a group are below the task that opened the group
 * SPDX-License-Identifier: MIT
 *
 *     loop --> a --> b --> NULL      tasks in no group, in the order of their spawns
 *                    |
 *                    +-- the group of an inner block (c, d), of an outer one (e)
 *
 * The walk goes to a, b, c, d, e, and needs no memory: a task leads to its group. */
#ifndef PT_TREE_H
#define PT_TREE_H

#include "group.h"

#if PT_HAS_MEMBERS_

#if PT_GROUPS
/* The task that opened the group of a task; or NULL. */
PT_API struct pt_task *pt_task_above_(const struct pt_task *task)
{
    const struct pt_group *group = pt_task_group_(task);

    return group ? group->owner : NULL;
}

/* The first member of the innermost group that has one, from the block SCOPE outwards; or NULL. */
PT_API struct pt_node *pt_scope_member_(struct pt_scope *scope)
{
    for (; scope; scope = scope->outer) { /* pt-bounds: loop blocks */
        struct pt_group *group = (struct pt_group *)(void *)scope;

        if ((scope->marks & PT_SCOPE_GROUP_) && !pt_group_empty(group))
            return pt_wait_queue_first_(&group->members);
    }
    return NULL;
}

/* The next member after *TASK in the tree: its first child, else its next sibling, else the next
 * sibling of its parent, and so on. If there is none, NULL, and *TASK is its outermost ancestor. */
PT_API struct pt_node *pt_task_member_behind_(const struct pt_task **task)
{
    struct pt_scope *blocks = (*task)->scopes;

    for (;;) {
        const struct pt_group *group = pt_task_group_(*task);
        struct pt_node *member = pt_scope_member_(blocks);

        if (!member && group)
            member = pt_wait_queue_next_(&group->members, &(*task)->member);
        if (member || !group)
            return member;
        blocks = group->scope.outer;
        *task = group->owner;
    }
}

/* If TASK is in a cleanup, cancel the groups that its cleanups have opened; if TASK was canceled
 * before, also by the cancel of its group a moment ago, all its groups. Returns whether there was
 * one to cancel. */
PT_API bool pt_task_cancel_groups_(const struct pt_task *task, pt_code_ reason)
{
    bool told = false;

    if (!pt_depth_(pt_task_top_(task)))
        return false;
    /* pt-bounds: loop blocks */
    for (struct pt_scope *scope = task->scopes; scope; scope = scope->outer) {
        struct pt_group *group = (struct pt_group *)(void *)scope;

        if (!(scope->marks & PT_SCOPE_GROUP_) || group->over)
            continue;
        if (scope->depth == 0 && !pt_task_canceled(task))
            continue;
        pt_group_cancel(group, reason);
        told = true;
    }
    return told;
}
#else
#define pt_task_cancel_groups_(task, reason) false
#define pt_task_above_(task) NULL
#define pt_task_group_(task) NULL
#define pt_task_member_behind_(task) ((struct pt_node *)NULL)
#endif

/* The first task of a loop, or the one after AFTER; or NULL. */
PT_API struct pt_task *pt_tree_next_(const struct pt_loop *loop, const struct pt_task *after)
{
    struct pt_node *member = after ? pt_task_member_behind_(&after) : NULL;

    if (!member)
        member = after ? pt_wait_queue_next_(&loop->tasks, &after->member)
                       : pt_wait_queue_first_(&loop->tasks);
    return member ? pt_task_of_member_(member) : NULL;
}

#endif
#endif
