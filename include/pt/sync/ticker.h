/* ticker.h - once, after a delay; or every so often, without drift
 * SPDX-License-Identifier: MIT
 *
 *     pt_ticker_start(&self->ticker, PT_NOW(), PT_MS(10), PT_TICKS_SKIP);
 *     for (;;) {
 *         PT_WAIT_TICK(&self->ticker);
 *         sample(self->ticker.missed);
 *     }
 *
 *     PT_SPAWN(&self->alarm, pt_alarm, .delay = PT_SEC(5), .call = ring, .argument = &bell);
 *
 * Cancel, timeout: a tick that was waited for and did not come in time is waited for again; an alarm
 * that is cancelled before its time never rings. */
#ifndef PT_TICKER_H
#define PT_TICKER_H

#include "event.h"

#if PT_HAS_TIMERS_

/* What becomes of ticks whose time has passed before they were waited for. */
enum pt_ticks_policy {
    PT_TICKS_BURST, /* they come, at once, one by one: none is left out */
    PT_TICKS_DELAY, /* one comes, at once, and the next a period after it */
    PT_TICKS_SKIP   /* one comes, at once, and the next when it would have */
};

/* The ticker; in a frame. Read missed. */
struct pt_ticker {
    pt_time next;   /* when the next tick is due */
    pt_time period; /* between two of them, in ticks of the clock; 0: a tick in each turn */
    enum pt_ticks_policy policy;
    unsigned missed; /* how many were left out just before the last one; or UINT_MAX, if more */
};

/* pt_ticker_start(&ticker, now, period, policy) - a tick every PERIOD, the first at NOW + PERIOD; O(1)
 * With a PERIOD of 0 a tick comes in each turn, and none is missed. If PERIOD is over PT_DELAY_MAX, the wait
 * for a tick is answered with PT_ERANGE. */
#define pt_ticker_start(ticker, now, period, policy) \
    pt_ticker_begin_(ticker, now, pt_delay_(period), policy)

PT_API void pt_ticker_begin_(struct pt_ticker *ticker, pt_time now, pt_time period,
                             enum pt_ticks_policy policy)
{
    ticker->next = now + period;
    ticker->period = period;
    ticker->policy = policy;
    ticker->missed = 0;
}

/* PT_WAIT_TICK(&self->ticker) - until the next tick; at once, after a turn, if its time has passed
 * That may be long ago, up to the range of the clock less a period. */
#define PT_WAIT_TICK(ticker)                             \
    do {                                                 \
        PT_WAIT_UNTIL(pt_ticker_due_(ticker, PT_NOW())); \
        pt_ticker_ticked_(ticker, PT_NOW());             \
    } while (0)

/* When the next tick is due, not before NOW: what seems to lie more than a period ahead is past; never,
 * for a period that is too long. */
PT_API pt_time pt_ticker_due_(const struct pt_ticker *ticker, pt_time now)
{
    if (ticker->period > PT_DELAY_MAX)
        return (pt_time)(now + PT_DELAY_NEVER);
    return (pt_time)(ticker->next - now) > ticker->period ? now : ticker->next;
}

/* A tick has come, perhaps late. */
PT_API void pt_ticker_ticked_(struct pt_ticker *ticker, pt_time now)
{
    pt_time late = now - ticker->next, periods = 0;

    if (ticker->policy != PT_TICKS_BURST && ticker->period)
        periods = late / ticker->period;
    ticker->missed = (unsigned)periods;
    if (ticker->missed != periods)
        ticker->missed = (unsigned)-1;
    if (ticker->policy == PT_TICKS_DELAY)
        ticker->next = now + ticker->period;
    else
        ticker->next += (pt_time)((periods + 1) * ticker->period);
}

/* pt_alarm - a resumable function: after a delay, once, or every PERIOD, call CALL or set EVENT
 * To be spawned; pt_cancel stops it. PT_ERANGE: the delay or the period is over PT_DELAY_MAX. */
struct pt_alarm {
    struct pt pt;
    pt_time delay;                           /* until the first time */
    pt_time period;                          /* from then on, without drift; 0: only once */
    void (*call)(void *argument);            /* what is called, in the loop, or NULL */
    void *argument;                          /* with this */
    PT_IF_(PT_SYNC, struct pt_event *event;) /* what is triggered, or NULL */
    struct pt_ticker ticker;                 /* its own */
};

PT_API void pt_alarm_ring_(const struct pt_alarm *alarm)
{
    if (alarm->call)
        alarm->call(alarm->argument);
    PT_IF_(PT_SYNC, if (alarm->event) pt_event_trigger(alarm->event);)
}

PT_API PT_ASYNC(pt_alarm, self)
{
    if (self->period > PT_DELAY_MAX)
        PT_RETURN(PT_ERANGE);
    pt_ticker_start(&self->ticker, PT_NOW() + self->delay, self->period, PT_TICKS_BURST);
    PT_WAIT(self->delay);
    pt_alarm_ring_(self);
    while (self->period) {
        PT_WAIT_TICK(&self->ticker);
        pt_alarm_ring_(self);
    }
}
PT_END

#endif
#endif
