/* timers_list.h - the timer queue of timers.h as a sorted list: PT_TIMERS_LIST
 * SPDX-License-Identifier: MIT
 *
 * The smallest code, and the fastest queue with fewer than about 20 timers. */
#ifndef PT_TIMERS_LIST_H
#define PT_TIMERS_LIST_H

#include "list.h"

#if PT_TIMERS == PT_TIMERS_LIST

#define PT_TIMERS_STORAGE_ 0

typedef struct pt_node pt_timer_;

struct pt_timers_ {
    struct pt_list list;
};

PT_ALWAYS void pt_timers_init_(struct pt_timers_ *timers, pt_time epoch)
{
    pt_list_init(&timers->list);
}

PT_ALWAYS void pt_timers_add_(struct pt_timers_ *timers, pt_timer_ *timer, pt_time at)
{
    timer->at = at;
    pt_list_add_sorted(&timers->list, timer);
}

PT_ALWAYS void pt_timers_remove_(struct pt_timers_ *timers, pt_timer_ *timer)
{
    pt_list_remove(&timers->list, timer);
}

PT_ALWAYS pt_timer_ *pt_timers_first_(const struct pt_timers_ *timers)
{
    return timers->list.first;
}

PT_ALWAYS pt_time pt_timers_first_at_(const struct pt_timers_ *timers)
{
    return timers->list.first->at;
}

PT_ALWAYS pt_time pt_timers_at_(const struct pt_timers_ *timers, const pt_timer_ *timer)
{
    return timer->at;
}

PT_ALWAYS pt_timer_ *pt_timers_pop_(struct pt_timers_ *timers)
{
    return pt_list_pop(&timers->list);
}

PT_ALWAYS void pt_timers_rebase_(struct pt_timers_ *timers, pt_time now)
{
}

#endif
#endif
