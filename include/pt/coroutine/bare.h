/* bare.h - a resumable function whose only state is a label: one byte
 * SPDX-License-Identifier: MIT */
#ifndef PT_BARE_H
#define PT_BARE_H

#include "suspend.h"

/* PT_BARE - a resumable function with a label as its only state: one byte
 *
 *     int blink(pt_label *label)
 *     {
 *         PT_BARE(*label)
 *         {
 *             for (;;) {
 *                 PT_BARE_YIELD(1);
 *                 PT_BARE_YIELD(0);
 *             }
 *         }
 *         PT_BARE_END(-1);
 *     }
 *
 * LABEL: an lvalue, 0 at the start. PT_BARE_YIELD(value) returns VALUE from the function; the next
 * call continues after it. PT_BARE_END(value) returns VALUE at the end and at every later call.
 * Cost of a resume: a call, a load, a jump. */
#define PT_BARE(label)                   \
    pt_label *const pt_bare_ = &(label); \
    PT_STRICT_OPEN_                      \
    PT_OPEN_(*pt_bare_, (void)(pt_bare_wrong_(*pt_bare_), pt_ended_ = true))

/* PT_BARE_YIELD(value) - return VALUE; the next call continues here */
#define PT_BARE_YIELD(value)                        \
    do {                                            \
        enum { pt_here_ = PT_LABEL_OF_(PT_HERE_) }; \
        PT_CHECK_LABEL_(pt_here_);                  \
        *pt_bare_ = pt_here_;                       \
        return value;                               \
        PT_LABEL_CASE_(pt_here_);                   \
    } while (0)

/* PT_BARE_END(value) - end the body: the function returns VALUE from now on */
#define PT_BARE_END(value)                                                                 \
    PT_CLOSE_(PT_PANIC("break leaves the body: end it by PT_RETURN", __func__, __LINE__)); \
    *pt_bare_ = PT_LABEL_DONE_;                                                            \
    return value

/* --- implementation ------------------------------------------------------------------------ */

PT_API void pt_bare_wrong_(pt_label label)
{
    if (label != PT_LABEL_DONE_)
        PT_PANIC(PT_WRONG_LABEL_, "PT_BARE", 0);
}

#endif
