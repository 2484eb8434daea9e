/* wait_list.h - tasks that wait and are all woken at once
 * SPDX-License-Identifier: MIT
 *
 *     first --> [node] --> [node] --> NULL     One pointer, to the node that came last.
 *
 * A node leaves the list by pt_wait_remove_, as it leaves a wait queue. */
#ifndef PT_WAIT_LIST_H
#define PT_WAIT_LIST_H

#include "list.h"

#if PT_HAS_WAIT_QUEUES_

/* The list. A zeroed list is empty. Write through the functions. */
struct pt_wait_list_ {
    struct pt_node *first; /* the node that came last, or NULL */
};

/* pt_wait_list_init_ - an empty list; O(1) */
PT_ALWAYS void pt_wait_list_init_(struct pt_wait_list_ *list)
{
    list->first = NULL;
}

/* pt_wait_list_push_ - add NODE, which is in no queue; O(1) */
PT_API void pt_wait_list_push_(struct pt_wait_list_ *list, struct pt_node *node)
{
    node->link.next = list->first;
    if (PT_HAS_LEAVERS_ && list->first)
        pt_node_set_prev_(list->first, &node->link.next);
    pt_node_set_prev_(node, &list->first);
    list->first = node;
}

/* pt_wait_list_pop_ - take the node that came last from a list that is not empty; O(1) */
PT_API struct pt_node *pt_wait_list_pop_(struct pt_wait_list_ *list)
{
    struct pt_node *first = list->first;

    list->first = first->link.next;
    if (PT_HAS_LEAVERS_ && list->first)
        pt_node_set_prev_(list->first, &list->first);
    return first;
}

/* pt_wait_list_last_ - the link to the node that came first, of a list that is not empty; O(n) */
PT_COLD struct pt_node **pt_wait_list_last_(struct pt_wait_list_ *list)
{
    struct pt_node **link = &list->first;

    while ((*link)->link.next)
        link = &(*link)->link.next;
    return link;
}

/* pt_wait_list_reverse_ - move all nodes to the empty list TO, which pops the oldest first; O(n) */
PT_API void pt_wait_list_reverse_(struct pt_wait_list_ *list, struct pt_wait_list_ *to)
{
    while (list->first) /* pt-bounds: loop tasks */
        pt_wait_list_push_(to, pt_wait_list_pop_(list));
}

#endif
#endif
