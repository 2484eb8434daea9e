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

/* Whether the hardware still has the memory, once it was asked to let go. */
static bool still_holds(struct controller *it)
{
    if (it->holds && it->ops->holds && !it->ops->holds(it))
        it->holds = false;
    return it->holds;
}

/* When to look again: each tick at hardware that does not interrupt. */
static pt_time look_again(const struct transfer *self, pt_time now)
{
    return self->by->ops->holds ? (pt_time)(now + 1) : self->until;
}

static void take_away(struct controller *it)
{
    it->ops->reset(it);
    it->holds = false;
    it->resets++;
}

PT_ASYNC(transfer, self)
{
    if (!PT_HOLDS(&self->by->lock))
        PT_RETURN(PT_EPERM);
    self->by->transfer = self;
    self->by->holds = true;
    pt_waker_aim(&self->by->waker, self->by->lock.owner);
    self->by->ops->start(self->by);
    do
        PT_PARK(); /* once at least: a loop of transfers that are over at once lets others run */
    while (self->by->holds);
    PT_RETURN(self->by->code);

    PT_FINALLY
    if (self->by->transfer == self) {
        if (self->by->holds) {
            self->until = (pt_time)(PT_NOW() + self->by->ops->patience);
            self->by->ops->abort(self->by);
            while (still_holds(self->by) && pt_time_before(PT_NOW(), self->until))
                PT_PARK_DEADLINE(look_again(self, PT_NOW()));
            if (self->by->holds)
                take_away(self->by);
        }
        pt_waker_aim(&self->by->waker, NULL); /* the task can be gone before a late post is seen */
        self->by->transfer = NULL;
    }
}
PT_END
