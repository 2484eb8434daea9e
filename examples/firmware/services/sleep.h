/* sleep.h - the deepest sleep that what is in use allows, and the names of what keeps it shallow
 * SPDX-License-Identifier: MIT
 *
 *     enum { DOZE, STOP };
 *     static struct sleep_mode modes[] = {
 *         {.name = "doze", .enter = doze},                    the processor stands, clocks run
 *         {.name = "stop", .enter = stop, .least = PT_MS(2)}, clocks stand: it takes a while to end
 *     };
 *     static struct sleep sleep = {.now = board_now, .modes = modes, .deepest = STOP};
 *
 *     sleep_hold(&sleep, &i2c_hold, "i2c", DOZE, &i2c.bus.controller.lock);
 *
 *     static void sleep_at_most_until(pt_time until) { sleep_until(&sleep, until); }
 *     for (;;) pt_loop_turn_and_sleep(&loop, board_now, sleep_at_most_until);
 *
 * A timer is no reason to stay awake: a deep sleep ends in time (deep_clock.h). Hardware that works
 * is one: it needs its clock. Here a lock is what says so. Whoever has the lock of a bus, by a
 * block, holds the part in a mode in which the bus works; when the block is left, by a timeout or a
 * cancel too, and the hardware has let go, the hold is gone with the lock. No driver has a line
 * about sleep, and no task can forget to let go. A task that needs a mode for itself has a lock for
 * that alone:
 *
 *     PT_WITH_LOCK(&self->held, &loud.lock) { ... }           PWM goes on: no deeper than `doze`
 *
 * A UART sends behind its writes, when nobody has its lock: there `on` holds, by uart_sends. What
 * it receives is the part's: a UART that a deep sleep stops needs a mode in which it hears.
 *
 * A list of holds says why the part is awake, at the moment and by how long each has cost. */
#ifndef DRIVERS_SLEEP_H
#define DRIVERS_SLEEP_H

#include "board.h"

/* A way to sleep. The first one is the shallowest. Read ticks. */
struct sleep_mode {
    const char *name;

    /* Sleep until the time UNTIL, or until an interrupt is pending; interrupts are masked, as for
     * pt_loop_turn_and_sleep. It may return early, and never late by more than the alarm is: what
     * it takes to end such a sleep is begun that much earlier. Then the clock is right again. */
    void (*enter)(pt_time until);

    pt_time least;  /* a shorter sleep is not worth it; the first mode has 0 */
    uint32_t ticks; /* how long it slept so, in all, modulo 2^32 */
};

/* What keeps the part from sleeping deeper. Static. */
struct sleep_hold {
    const char *name;
    const struct pt_lock *lock; /* in force while a task has it; NULL: only while ON */
    volatile bool on;           /* the same without a task: write it, also in an interrupt */
    uint8_t mode;               /* no deeper than this one */
    uint32_t ticks;             /* how long it has kept the part from deeper sleep, modulo 2^32 */
    struct sleep_hold *next;    /* private */
};

struct sleep {
    pt_time (*now)(void); /* the clock of the loop */
    struct sleep_mode *modes;
    uint8_t deepest;          /* the last of MODES */
    struct sleep_hold *holds; /* private */
};

/* sleep_hold - from now on HOLD can keep the part in MODE or above; O(holds)
 * While a task has LOCK, or HOLD's `on` is true. A driver that is opened again can call it again. It stays for ever: what is not in force costs
 * nothing but the look at it. */
void sleep_hold(struct sleep *it, struct sleep_hold *hold, const char *name, uint8_t mode,
                const struct pt_lock *lock);

/* sleep_next_hold - the next hold in force behind AFTER, or the first one if that is NULL; O(holds)
 *
 *     for (hold = sleep_next_hold(&sleep, NULL); hold; hold = sleep_next_hold(&sleep, hold))
 *         say(hold->name), say(modes[hold->mode].name);       awake because
 *
 * NULL if there is none: then the part sleeps as deeply as the next timer allows. */
const struct sleep_hold *sleep_next_hold(const struct sleep *it, const struct sleep_hold *after);

/* sleep_mode_for - the mode of a sleep of TICKS ticks: the deepest that all holds allow, and that
 * is worth it; O(holds + modes) */
uint8_t sleep_mode_for(const struct sleep *it, pt_time ticks);

/* sleep_until - sleep so, until the time UNTIL or an interrupt; as pt_loop_turn_and_sleep calls it
 * Interrupts are masked: a hold is in force before the sleep, or the interrupt that sets it ends
 * the sleep. No sleep if UNTIL has come. */
void sleep_until(struct sleep *it, pt_time until);

#endif
