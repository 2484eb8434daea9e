/* transfer.c - the only place that waits for hardware
 * SPDX-License-Identifier: MIT */
#include "transfer.h"

void controller_open(struct controller *it, const struct controller_ops *ops, struct pt_loop *loop)
{
    pt_lock_init_reentrant(
        &it->lock); /* a driver locks for its caller, who may have locked for more */
    pt_waker_open(&it->waker, loop, NULL);
    it->ops = ops;
    it->transfer = NULL;
    it->holds = false;
}

static void begin(struct transfer *self)
{
    struct controller *by = self->by;

    by->transfer = self;
    by->holds = true;
    pt_waker_aim(&by->waker, by->lock.owner);
    by->ops->start(by);
}

static void ask_to_let_go(struct transfer *self, pt_time now)
{
    self->until = (pt_time)(now + self->by->ops->patience);
    self->by->ops->abort(self->by);
}

/* Whether to wait longer for hardware that was asked to let go. */
static bool has_patience(const struct transfer *self, pt_time now)
{
    struct controller *by = self->by;

    if (by->holds && by->ops->holds && !by->ops->holds(by))
        by->holds = false;
    return by->holds && pt_time_before(now, self->until);
}

/* When to look again: at the next tick, if the hardware does not interrupt. */
static pt_time look_again_at(const struct transfer *self, pt_time now)
{
    return self->by->ops->holds ? (pt_time)(now + 1) : self->until;
}

static void end(struct controller *by)
{
    if (by->holds) {
        by->ops->reset(by);
        by->holds = false;
        by->resets++;
    }
    pt_waker_aim(&by->waker, NULL); /* the task can be gone before a late post is seen */
    by->transfer = NULL;
}

PT_ASYNC(transfer, self)
{
    if (!PT_HOLDS(&self->by->lock))
        PT_RETURN(PT_EPERM);
    begin(self);
    do
        PT_PARK(); /* once at least: a loop of transfers that are over at once lets others run */
    while (self->by->holds);
    PT_RETURN(self->by->code);

    PT_FINALLY
    if (self->by->transfer == self) {
        if (self->by->holds)
            ask_to_let_go(self, PT_NOW());
        while (has_patience(self, PT_NOW()))
            PT_PARK_DEADLINE(look_again_at(self, PT_NOW()));
        end(self->by);
    }
}
PT_END
