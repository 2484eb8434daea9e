/* watchdog.h - a watchdog that is fed only while each task reports in time; who does not is named
 * SPDX-License-Identifier: MIT
 *
 *     watchdog_add(&dog, &motor_ward, "motor", PT_MS(100), board_now());
 *
 *     for (;;) {                               the motor's task
 *         PT_TRY(&self->step, motor_step);
 *         ward_report(&motor_ward, PT_NOW());
 *     }
 *
 * The watchdog of a part resets it when it has not been fed for a while. Fed by the main loop it
 * shows that the loop turns, and nothing else: a task can wait for ever for something that does not
 * come, or be gone. So each task that matters has a ward, a time within which it must report, and a
 * guard feeds the watchdog only while all of them have:
 *
 *     motor:    report - report - report - (waits for ever)
 *     guard:       fed  -  fed  -  fed  -  fed  -  late: "motor"  -  not fed ...
 *     the part:                                                             reset
 *
 * A ward is watched until it is taken out, whatever becomes of its task: one that has ended, or
 * failed, or was canceled is late. A task that may wait for ever for a while says so: ward_rest.
 *
 * A step that does not end keeps the guard from running, too: the part is reset, and nobody is
 * named. An interrupt shortly before the reset can name that task, by pt_watch_stuck
 * (<pt/inspect/watch.h>). */
#ifndef DRIVERS_WATCHDOG_H
#define DRIVERS_WATCHDOG_H

#include "board.h"

/* What a task promises. Static, or as long as it is watched. Read name. */
struct ward {
    const char *name; /* for the message that it is late */
    pt_time within;   /* at most so many ticks from a report to the next one */
    /* private: */
    pt_time due;
    bool rests, late;
    struct ward *next;
};

/* A watchdog; {.feed = ..., .late = ...}, with the hardware's not started yet. */
struct watchdog {
    void (*feed)(struct watchdog *self); /* feed the hardware's */

    /* WARD is late: called once, at the look that finds it. Then the hardware's is not fed until
     * WARD reports, is taken out, or the part is reset: leave a trace that outlives that. */
    void (*late)(struct watchdog *self, const struct ward *ward);

    struct ward *wards; /* private */
};

/* watchdog_add - watch a task: its first report is due WITHIN ticks after NOW; O(wards)
 * WITHIN is at most PT_DELAY_MAX. A ward that is watched begins anew: a task can add it in its first
 * step, however often it is started again. */
void watchdog_add(struct watchdog *dog, struct ward *ward, const char *name, pt_time within,
                  pt_time now);

/* watchdog_remove - watch WARD no more; no effect if it is not watched; O(wards) */
void watchdog_remove(struct watchdog *dog, struct ward *ward);

/* ward_report - the task is well; O(1)
 * The next report is due WITHIN ticks after NOW: in a body PT_NOW(), the time of its turn. */
static inline void ward_report(struct ward *ward, pt_time now)
{
    ward->due = (pt_time)(now + ward->within);
    ward->rests = ward->late = false;
}

/* ward_rest - no report is due until the next one; O(1) */
static inline void ward_rest(struct ward *ward)
{
    ward->rests = true;
    ward->late = false;
}

/* watchdog_look - feed the hardware's watchdog if nobody is late; O(wards)
 * Returns whether it did. The guard calls it; a program can, too, before something long. */
bool watchdog_look(struct watchdog *dog, pt_time now);

/* watchdog_guard - look at once, and each EVERY ticks after that; a task, or awaited
 * It has no end but a cancel. The hardware's watchdog waits for longer than EVERY; a task is found
 * late at most EVERY ticks after its time. A sleep must be shorter than the hardware's time, too:
 * it is, as this is a timer. */
struct watchdog_guard {
    struct pt pt;
    struct watchdog *dog;
    pt_time every;
};
PT_DECLARE(watchdog_guard);

#endif
