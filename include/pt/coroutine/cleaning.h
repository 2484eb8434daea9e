/* cleaning.h - how many cleanups a frame runs in
 * SPDX-License-Identifier: MIT */
#ifndef PT_CLEANING_H
#define PT_CLEANING_H

#include "frame.h"

/* Whether FRAME is marked as the base frame of a task, which has its name. */
PT_ALWAYS bool pt_has_name_(const struct pt *frame)
{
    return PT_NAME_FITS_ && (pt_frame_cleaning_(frame) & PT_CLEANING_BASE_);
}

/* The frame that awaits FRAME; NULL if that is a task's base frame, or one that nothing awaits. */
PT_ALWAYS struct pt *pt_caller_of_(const struct pt *frame)
{
    if (pt_has_name_(frame))
        return NULL;
    return pt_frame_caller_(frame);
}

/* Twice the cleanups of the frame's callers; + 1 in its own. */
PT_ALWAYS uint_fast8_t pt_cleaning_of_(const struct pt *frame)
{
    return (uint_fast8_t)(pt_frame_cleaning_(frame) & PT_CLEANING_MOST_);
}

/* The number of cleanups that a frame runs in, its own included. */
PT_ALWAYS uint_fast8_t pt_depth_(const struct pt *frame)
{
    uint_fast8_t cleaning = pt_cleaning_of_(frame);

    return (uint_fast8_t)(cleaning - cleaning / 2);
}

/* Whether CALLER can await a frame. It cannot in the last cleanup that `cleaning` can count: one
 * more would set all its bits, which mean that nothing ends the frame (unwind.h). A part without
 * PT_DEBUG does not look. */
PT_ALWAYS bool pt_can_await_(const struct pt *caller)
{
    bool nests = !(PT_CLEANUP && (PT_HOSTED || PT_DEBUG)) ||
                 PT_LIKELY(!(pt_frame_cleaning_(caller) & 1)) ||
                 pt_cleaning_of_(caller) < PT_CLEANING_MOST_ - 2;

    PT_ASSERT_(nests, "too many nested cleanups", "PT_WAIT_COMPLETE");
    return nests;
}

/* `cleaning` of a frame that is awaited by CALLER: the same cleanups, but none of its own. */
PT_ALWAYS uint8_t pt_cleaning_within_(const struct pt *caller)
{
    uint_fast8_t cleaning = pt_cleaning_of_(caller);

    return (uint8_t)(PT_GROUPS && cleaning == PT_CLEANING_MOST_ ? cleaning - 1
                                                                : cleaning + (cleaning & 1));
}
#endif
