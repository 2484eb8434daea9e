/* ticker.h - periodic ticks without drift, and alarms
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
 * Cancel, timeout: if a wait for a tick is interrupted, the next wait is for the same tick. An
 * alarm that is canceled before its time never rings. */
#ifndef PT_TICKER_H
#define PT_TICKER_H

#include "event.h"

#if PT_HAS_TIMERS_

/* What happens to ticks that were due before the task waited for them. */
enum pt_ticks_policy {
    PT_TICKS_BURST, /* each comes at once, one per wait: none is skipped */
    PT_TICKS_DELAY, /* one comes at once, and the next a period after it */
    PT_TICKS_SKIP   /* one comes at once, and the next at its regular time */
};

/* The ticker; in a frame. Read missed. */
struct pt_ticker {
    pt_time next;   /* when the next tick is due */
    pt_time period; /* between two ticks, in ticks of the clock; 0: a tick in each turn */
    enum pt_ticks_policy policy;
    unsigned missed; /* ticks skipped just before the last one; UINT_MAX if more */
};

/* pt_ticker_start(&ticker, now, period, policy) - tick every PERIOD, first at NOW + PERIOD; O(1)
 * NOW is not in the future. With a PERIOD of 0 a tick comes in each turn, and none is missed. If
 * PERIOD is over PT_DELAY_MAX, PT_WAIT_TICK ends the function with PT_ERANGE; a constant one is a
 * compile error. A ticker can be started again, with another period, while its task waits. The task
 * then waits for the new tick; but the wait that has begun does not get shorter: if the new tick is
 * due before the old one, it comes late, when the old one was due. */
#define pt_ticker_start(ticker, now, period, policy) \
    pt_ticker_begin_(ticker, now, PT_DELAY_(period, PT_DELAY_MAX), policy)

/* PT_WAIT_TICK(&self->ticker) - wait until the next tick; if it is overdue, until the next turn
 * A tick overdue by the clock's range minus one period, or more, is taken for a future one. */
#define PT_WAIT_TICK(ticker)                                    \
    do {                                                        \
        PT_CHECK_ONE_(ticker, "PT_WAIT_TICK") PT_IN_BODY_;      \
        do {                                                    \
            PT_WAIT_DEADLINE(pt_ticker_due_(ticker, PT_NOW())); \
        } while (!pt_ticker_ticked_(ticker, PT_NOW()));         \
    } while (0)

/* pt_alarm - a resumable function: after a delay, call CALL and trigger EVENT; again every PERIOD
 * Spawn it; pt_cancel stops it. PT_ERANGE: the delay or the period is over PT_DELAY_MAX. */
struct pt_alarm {
    struct pt pt;
    pt_time delay;                           /* until the first time */
    pt_time period;                          /* from then on, without drift; 0: only once */
    void (*call)(void *argument);            /* called in the loop's thread; NULL: none */
    void *argument;                          /* for CALL */
    PT_IF_(PT_SYNC, struct pt_event *event;) /* triggered; NULL: none */
    struct pt_ticker ticker;                 /* used by the alarm itself */
};

PT_API PT_DECLARE(pt_alarm);

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_ticker_begin_(struct pt_ticker *ticker, pt_time now, pt_time period,
                             enum pt_ticks_policy policy)
{
    ticker->next = now + period;
    ticker->period = period;
    ticker->policy = policy;
    ticker->missed = 0;
}

/* Whether the next tick is still to come: it is never more than a period ahead, so one that seems
 * further ahead is overdue. */
PT_ALWAYS bool pt_ticker_ahead_(const struct pt_ticker *ticker, pt_time now)
{
    return (pt_time)(ticker->next - now - 1) < ticker->period;
}

/* The time of the next tick, or NOW if it is overdue. If the period is too long: never. */
PT_API pt_time pt_ticker_due_(const struct pt_ticker *ticker, pt_time now)
{
    if (ticker->period > PT_DELAY_MAX)
        return (pt_time)(now + PT_DELAY_NEVER);
    return pt_ticker_ahead_(ticker, now) ? ticker->next : now;
}

/* If a tick has come, perhaps late, compute the next one. Returns false if it is still to come: the
 * ticker was started again during the wait. */
PT_API bool pt_ticker_ticked_(struct pt_ticker *ticker, pt_time now)
{
    pt_time late = now - ticker->next, periods = 0;

    if (pt_ticker_ahead_(ticker, now))
        return false;
    if (ticker->policy != PT_TICKS_BURST && ticker->period)
        periods = late / ticker->period;
    ticker->missed = (unsigned)periods;
    if (ticker->missed != periods)
        ticker->missed = (unsigned)-1;
    if (ticker->policy == PT_TICKS_DELAY)
        ticker->next = now + ticker->period;
    else
        ticker->next += (pt_time)((periods + 1) * ticker->period);
    return true;
}

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
