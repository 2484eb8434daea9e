/* slow.h - slow motion: a delay after each turn, to watch a program
 * SPDX-License-Identifier: MIT */
#ifndef PT_SLOW_H
#define PT_SLOW_H

#include "../loop/wake.h"

#if PT_SLOWMO
/* pt_loop_slow - let DELAY ticks pass after each turn, to watch a program; 0: full speed
 * A DELAY over PT_DELAY_MAX counts as PT_DELAY_MAX. */
PT_API void pt_loop_slow(struct pt_loop *loop, uint64_t delay);
#endif

/* --- implementation ------------------------------------------------------------------------ */

/* Whether the delay after the last turn still runs. */
PT_ALWAYS bool pt_loop_slows_(struct pt_loop *loop)
{
    const pt_time slow = pt_slowmo_slow_(loop), now = pt_loop_now_(loop);

    if (PT_LIKELY(slow == 0))
        return false;
    /* The end is ahead by at most the delay; if it seems further ahead, it is long past. */
    if ((pt_time)(pt_slowmo_slow_until_(loop) - now - 1) < slow)
        return true;
    pt_slowmo_set_slow_until_(loop, now + slow);
    return false;
}

/* The time of the next turn, which without slow motion would be NEXT. */
PT_ALWAYS pt_time pt_loop_slowed_(const struct pt_loop *loop, pt_time next)
{
    const pt_time until = pt_slowmo_slow_until_(loop);

    if (PT_UNLIKELY(pt_slowmo_slow_(loop) != 0) && pt_time_before(pt_loop_now_(loop), until) &&
        pt_time_before(next, until))
        next = until; /* unless pt_loop_update has moved the time past it */
    return next;
}

#if PT_SLOWMO
PT_API void pt_loop_slow(struct pt_loop *loop, uint64_t delay)
{
    pt_time ticks = delay > PT_DELAY_MAX ? PT_DELAY_MAX : (pt_time)delay;

    if (!loop->slow)
        loop->slow_until = loop->now; /* an old value can be half the range away */
    if (pt_time_before((pt_time)(loop->now + ticks), loop->slow_until))
        loop->slow_until = (pt_time)(loop->now + ticks); /* it was for a longer delay */
    loop->slow = ticks;
    pt_host_wake_(loop);
}
#endif

#endif
