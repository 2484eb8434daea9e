/* clock.h - what a body asks of the clock: the time, and to sleep
 * SPDX-License-Identifier: MIT */
#ifndef PT_CLOCK_H
#define PT_CLOCK_H

#include "coroutine.h"
#include "../base/ticks.h"

/* PT_NOW() - in a body: the time at which its turn began
 * If pt_loop_run has not read the clock for this turn (PT_TURN_STEPS), the first use of the time in
 * the turn does. */
#define PT_NOW() (PT_IN_BODY_, pt_now_(pt_current_))

/* PT_WAIT(delay) - sleep for DELAY ticks (PT_SEC, PT_MS); 0 waits for the next turn
 * A delay over PT_DELAY_MAX ends the function with PT_ERANGE. PT_DEBUG stops at one, and at a
 * negative one; a constant one is a compile error.
 *
 * In pt_loop_run a delay is never shorter: it counts from the end of the step that asks for it,
 * however long that took. In a turn by hand, by pt_loop_turn, it counts from the time that the
 * program passed: up to one tick of it, and what the turn has taken, can be over already. There a
 * sensor that needs N ticks at least gets them by `PT_YIELD(); PT_WAIT(N + 1);`. pt adds no tick by
 * itself: a blink by PT_WAIT(PT_MS(500)) would be late by one in each period. */
#define PT_WAIT(delay)                                                                        \
    do {                                                                                      \
        PT_IN_BODY_;                                                                          \
        if (!pt_wait_(pt_current_, PT_DELAY_OF_(delay, PT_DELAY_MAX, PT_FUNCTION_, "PT_WAIT", \
                                                "PT_WAIT_DEADLINE")))                         \
            PT_RETURN(PT_ERANGE);                                                             \
        PT_SUSPEND_(PT_OP_WAIT);                                                              \
    } while (0)

/* PT_WAIT_DEADLINE(deadline) - sleep until the clock shows DEADLINE; a past one is due at once
 * DEADLINE is at most PT_DELAY_MAX ahead. One that is PT_DELAY_NEVER ahead ends the function with
 * PT_ERANGE: no wake could end it, as one ends a PT_PARK_DEADLINE. A stamp beyond that counts as
 * past. A loop that adds a period to its last deadline does not drift. */
#define PT_WAIT_DEADLINE(deadline)                                            \
    do {                                                                      \
        PT_IN_BODY_;                                                          \
        if (!pt_wait_until_(pt_current_, pt_time_until_(PT_NOW(), deadline))) \
            PT_RETURN(PT_ERANGE);                                             \
        PT_SUSPEND_(PT_OP_WAIT);                                              \
    } while (0)

/* --- implementation ------------------------------------------------------------------------ */

/* A loop's first member, by which a body finds the time: so no resume stores it in the task.
 * RENEW: if the reading is old, what reads the clock again and sets the loop's time; else NULL. */
struct pt_clock_ {
    void (*renew)(struct pt_loop *loop);
    pt_time now;    /* the loop's time */
    unsigned steps; /* that may share this reading: run/fast.h */
    bool is_delay;  /* the WAIT that comes is for a delay: loop/sleepers.h */
    bool is_exact;  /* such a WAIT reads the clock */
};

/* Whether a body has the time of its turn in its node instead. */
#define PT_HAS_TIME_IN_NODE_ PT_AND_(PT_HAS_TIMERS_, PT_NOT_(PT_HAS_CLOCK_))

#if PT_HAS_TIMERS_

/* NULL in a generator, which has no loop, and where the time is in the node. */
PT_ALWAYS struct pt_clock_ *pt_clock_of_(const struct pt_task *task)
{
    return PT_HAS_CLOCK_ ? (struct pt_clock_ *)(void *)pt_task_loop_(task) : NULL;
}

/* The time of the turn, perhaps by an old reading of the clock. */
PT_ALWAYS pt_time pt_turn_time_(const struct pt_task *task)
{
    const struct pt_clock_ *clock = pt_clock_of_(task);

    return PT_LIKELY(clock != NULL) ? clock->now : task->node.at;
}

/* The time of the turn, by a new reading. */
PT_ALWAYS pt_time pt_now_(const struct pt_task *task)
{
    const struct pt_clock_ *clock = pt_clock_of_(task);

    if (clock && PT_UNLIKELY(clock->renew))
        clock->renew(pt_task_loop_(task));
    return pt_turn_time_(task);
}

/* The operand of the WAIT that comes. */
PT_ALWAYS bool pt_wait_by_(struct pt_task *task, pt_time delay, bool is_delay)
{
    struct pt_clock_ *clock = pt_clock_of_(task);

    if (delay > PT_DELAY_MAX)
        return false;
    task->node.at = pt_turn_time_(task) + delay;
    if (PT_LIKELY(clock != NULL))
        clock->is_delay = is_delay;
    return true;
}

/* The operand of a WAIT for a delay: the loop can let it count from the end of the step. */
PT_ALWAYS bool pt_wait_(struct pt_task *task, pt_time delay)
{
    return pt_wait_by_(task, delay, true);
}

/* The operand of a WAIT until a deadline, DELAY ticks after pt_now_. */
PT_ALWAYS bool pt_wait_until_(struct pt_task *task, pt_time delay)
{
    return pt_wait_by_(task, delay, false);
}
#endif

#endif
