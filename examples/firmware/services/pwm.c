/* pwm.c - a duty that changes with the time
 * SPDX-License-Identifier: MIT */
#include "pwm.h"

void pwm_open(struct pwm *pwm, void (*set)(struct pwm *self, uint16_t duty), uint16_t rest)
{
    pt_lock_init(&pwm->lock);
    pwm->set = set;
    pwm->rest = rest;
    pwm_set(pwm, rest);
}

/* The block is left: instead of the function that only unlocks. */
static void release(void *lock, struct pt_task *task)
{
    struct pwm *pwm = (struct pwm *)lock; /* the lock is its first member */

    pwm_set(pwm, pwm->rest);
    (void)pt_lock_release(&pwm->lock, task);
}

void pwm_rests(struct pt_held *held)
{
    held->release = release;
}

/* The duty AFTER ticks, which are fewer than all. Both are made to fit in 16 bits. */
static uint16_t duty_after(const struct pwm_fade *self, pt_time after)
{
    uint32_t part = (uint32_t)after, all = (uint32_t)self->over, change;

    for (; all > 0xffff; all >>= 1)
        part >>= 1;
    change = self->to > self->from ? (uint32_t)(self->to - self->from)
                                   : (uint32_t)(self->from - self->to);
    change = change * part / all;
    return (uint16_t)(self->to > self->from ? self->from + change : self->from - change);
}

/* The time of the next step, which is the end if that is nearer. */
static pt_time next_step(const struct pwm_fade *self, pt_time after)
{
    pt_time every = self->every ? self->every : 1, rest = (pt_time)(self->over - after);

    return (pt_time)(self->since + after + (rest < every ? rest : every));
}

PT_ASYNC(pwm_fade, self)
{
    self->from = self->pwm->duty;
    self->since = PT_NOW();
    while ((pt_time)(PT_NOW() - self->since) < self->over) {
        pwm_set(self->pwm, duty_after(self, (pt_time)(PT_NOW() - self->since)));
        PT_WAIT_DEADLINE(next_step(self, (pt_time)(PT_NOW() - self->since)));
    }
    pwm_set(self->pwm, self->to);
}
PT_END
