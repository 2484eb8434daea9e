/* deep_clock.c - a sum of counts, and no sum of roundings
 * SPDX-License-Identifier: MIT */
#include "deep_clock.h"

void deep_clock_open(struct deep_clock *it, pt_time now)
{
    it->seen = it->count();
    it->rest = 0;
    it->at = now;
}

pt_time deep_clock_now(struct deep_clock *it)
{
    uint32_t count = it->count(), counts = (count - it->seen) & it->mask;
    uint32_t part = counts % it->counts * it->ticks + it->rest;

    it->at = (pt_time)(it->at + counts / it->counts * (pt_time)it->ticks + part / it->counts);
    it->rest = part % it->counts;
    it->seen = count;
    return it->at;
}

uint32_t deep_clock_count_at(struct deep_clock *it, pt_time until)
{
    pt_time now = deep_clock_now(it), ticks = (pt_time)(until - now);
    uint32_t rounds = (uint32_t)(ticks / it->ticks), counts = rounds * it->counts;
    uint32_t part = (uint32_t)(ticks % it->ticks) * it->counts;

    if (!pt_time_before(now, until))
        return it->seen;
    if (rounds > it->mask / 2 / it->counts)
        counts = it->mask / 2;
    else if (part >= it->rest)
        counts += (part - it->rest) / it->ticks;
    else if (rounds)
        counts -= (it->rest - part + it->ticks - 1) / it->ticks;
    if (counts > it->mask / 2)
        counts = it->mask / 2;
    return (it->seen + counts) & it->mask;
}

pt_time deep_clock_stood(struct deep_clock *it, pt_time now)
{
    pt_time right = deep_clock_now(it);

    return (pt_time)(pt_time_before(now, right) ? right - now : 0);
}
