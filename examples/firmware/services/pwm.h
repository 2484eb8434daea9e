/* pwm.h - the duty of an output: set, faded by a task, and at rest however that task ends
 * SPDX-License-Identifier: MIT
 *
 *     PT_WITH_LOCK(&self->held, &heater.lock) {
 *         pwm_rests(&self->held);
 *         PT_TRY(&self->fade, pwm_fade, .pwm = &heater, .to = PWM_FULL / 2, .over = PT_SEC(2));
 *         PT_WAIT(PT_SEC(60));
 *     }                                        off: after a minute, a timeout, a cancel
 *
 * An output goes on by itself, and that is what it is for; but a heater must not be on because the
 * task that should switch it off was canceled. So a task holds the output by a block, and the end of
 * the block, whatever ends it, sets the duty of rest. sleep.h can look at the same lock: while
 * somebody holds the output, its clock runs. */
#ifndef DRIVERS_PWM_H
#define DRIVERS_PWM_H

#include "board.h"

#define PWM_FULL 0xffffu /* always on; 0: always off */

/* An output. A chip's file has a struct of its own that begins with this, and opens it by
 * pwm_open. Read duty. */
struct pwm {
    struct pt_lock lock;                          /* its first member */
    void (*set)(struct pwm *self, uint16_t duty); /* from the next period on */
    uint16_t duty;                                /* the one that was set */
    uint16_t rest;                                /* that of a block's end */
};

/* pwm_open - make an output, and set the duty REST */
void pwm_open(struct pwm *pwm, void (*set)(struct pwm *self, uint16_t duty), uint16_t rest);

/* pwm_set - set the duty; O(1) */
static inline void pwm_set(struct pwm *pwm, uint16_t duty)
{
    pwm->duty = duty;
    pwm->set(pwm, duty);
}

/* pwm_rests - first in a block that HELD holds an output's lock in: its end sets the duty of rest,
 * before another task has the output */
void pwm_rests(struct pt_held *held);

/* pwm_fade - change the duty evenly, from what it is to TO, in OVER ticks; awaited
 * It is set each EVERY ticks, or each tick if that is 0, and last to TO. A step that is late goes to
 * where it should be by then, so the fade ends in time. A cancel leaves the duty as it is: the next
 * fade goes on from there. OVER is at most PT_DELAY_MAX. */
struct pwm_fade {
    struct pt pt;
    struct pwm *pwm;
    uint16_t to;
    pt_time over, every;
    uint16_t from; /* private, as the rest */
    pt_time since;
};
PT_DECLARE(pwm_fade);

#endif
