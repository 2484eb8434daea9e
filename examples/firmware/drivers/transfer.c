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
        if (self->by->holds) {
            self->by->ops->abort(self->by);
            PT_WITH_TIMEOUT(&self->patience, (pt_time)(self->by->ops->patience + 1)) {
                while (self->by->holds) {
                    if (!self->by->ops->holds)
                        PT_PARK();
                    else if (self->by->ops->holds(self->by))
                        PT_WAIT(1);
                    else
                        self->by->holds = false;
                }
            }
        }
        end(self->by);
    }
}
PT_END
