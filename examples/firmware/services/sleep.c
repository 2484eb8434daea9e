/* sleep.c - who has a lock holds a mode
 * SPDX-License-Identifier: MIT */
#include "sleep.h"

static bool is_listed(const struct sleep *it, const struct sleep_hold *hold)
{
    const struct sleep_hold *listed = it->holds;

    while (listed && listed != hold)
        listed = listed->next;
    return listed != NULL;
}

void sleep_hold(struct sleep *it, struct sleep_hold *hold, const char *name, uint8_t mode,
                const struct pt_lock *lock)
{
    hold->name = name;
    hold->mode = mode;
    hold->lock = lock;
    hold->on = false;
    hold->ticks = 0;
    if (is_listed(it, hold))
        return;
    hold->next = it->holds;
    it->holds = hold;
}

static bool is_in_force(const struct sleep_hold *hold)
{
    return hold->on || (hold->lock && hold->lock->owner);
}

const struct sleep_hold *sleep_next_hold(const struct sleep *it, const struct sleep_hold *after)
{
    const struct sleep_hold *hold = after ? after->next : it->holds;

    while (hold && !is_in_force(hold))
        hold = hold->next;
    return hold;
}

/* The deepest mode that is worth it for so many ticks, and no deeper than MODE. */
static uint8_t worth(const struct sleep *it, uint8_t mode, pt_time ticks)
{
    while (mode && ticks < it->modes[mode].least)
        mode--;
    return mode;
}

uint8_t sleep_mode_for(const struct sleep *it, pt_time ticks)
{
    uint8_t mode = it->deepest;
    const struct sleep_hold *hold = NULL;

    while ((hold = sleep_next_hold(it, hold)) != NULL)
        if (hold->mode < mode)
            mode = hold->mode;
    return worth(it, mode, ticks);
}

/* It slept in MODE for so many ticks: charge the holds without which it would have been deeper. */
static void charge(struct sleep *it, uint8_t mode, uint8_t wanted, pt_time ticks)
{
    it->modes[mode].ticks += ticks;
    if (mode == wanted)
        return;
    for (struct sleep_hold *hold = it->holds; hold; hold = hold->next)
        if (hold->mode == mode && is_in_force(hold))
            hold->ticks += ticks;
}

void sleep_until(struct sleep *it, pt_time until)
{
    pt_time since = it->now(), rest = (pt_time)(until - since);
    uint8_t mode;

    if (!pt_time_before(since, until))
        return;
    mode = sleep_mode_for(it, rest);
    it->modes[mode].enter(until);
    charge(it, mode, worth(it, it->deepest, rest), (pt_time)(it->now() - since));
}
