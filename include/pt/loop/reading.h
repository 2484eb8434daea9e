/* reading.h - a reading of the clock, which several batches of a loop can share
 * SPDX-License-Identifier: MIT
 *
 * pt_loop_run reads the clock rarely: a batch can run at the time of the one before it (fast.h).
 * Then the reading is old, which loop->clock says: its RENEW is not NULL. Whatever uses the time in
 * such a batch calls RENEW first: a body (pt_now_); pt_remote_close, before it runs callbacks
 * (inbox.h). A delay counts from a reading after its step (sleepers.h). */
#ifndef PT_READING_H
#define PT_READING_H

#include "loop.h"

/* Whether batches have run since the last reading of the clock. */
PT_ALWAYS bool pt_loop_reading_is_old_(const struct pt_loop *loop)
{
    return PT_CHOOSE_(PT_HAS_CLOCK_, loop->clock.renew != NULL, false);
}

#if PT_HAS_CLOCK_
/* Read the clock, if the last reading is an old one. */
PT_ALWAYS void pt_loop_renew_old_(struct pt_loop *loop)
{
    if (PT_UNLIKELY(loop->clock.renew != NULL))
        loop->clock.renew(loop);
}
#else
#define pt_loop_renew_old_(loop) ((void)(loop))
#endif

#endif
