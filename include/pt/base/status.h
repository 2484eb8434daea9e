/* status.h - the codes that operations, frames and tasks end with
 * SPDX-License-Identifier: MIT
 *
 *     if (self->pt.status != PT_OK)
 *         puts(pt_status_text(self->pt.status)); */
#ifndef PT_STATUS_H
#define PT_STATUS_H

#include "config.h"

/* Zero is success; every failure is negative and names its cause. The table is the only place that
 * has the codes, their numbers and their meanings. */
#define PT_STATUS_TABLE(X)                                                  \
    X(PT_OK, 0, "success")                                                  \
    X(PT_ECANCELED, -1, "canceled before it was done")                      \
    X(PT_EBUSY, -2, "in use: the task still runs")                          \
    X(PT_EINVAL, -3, "a wrong argument, or a task not spawned or not done") \
    X(PT_ENOMEM, -4, "no room: storage is full or the allocator failed")    \
    X(PT_ERANGE, -5, "more than a limit, or a delay over PT_DELAY_MAX")     \
    X(PT_EDEADLK, -6, "would wait for ever")                                \
    X(PT_ETIMEDOUT, -7, "timed out")                                        \
    X(PT_EAGAIN, -8, "would have to wait")                                  \
    X(PT_ECLOSED, -9, "closed")                                             \
    X(PT_EPERM, -10, "not held by the caller")                              \
    X(PT_EOVERRUN, -11, "too slow: something was lost")                     \
    X(PT_EIO, -12, "the system failed: see its errno")                      \
    X(PT_EFAILED, -13, "a program failed: see its code or signal")

enum {
#define PT_STATUS_ENUM_(name, number, text) name = number,
    PT_STATUS_TABLE(PT_STATUS_ENUM_)
#undef PT_STATUS_ENUM_
};

/* pt_status - PT_OK, or the code of a failure: 8 bits
 * A program's own codes are -128 to -64; pt does not use these. A wider int loses its upper bits,
 * so 256 would be PT_OK: -Wconversion warns, and with PT_DEBUG PT_RETURN and pt_cancel stop. */
typedef int8_t pt_status;

/* pt_status_name - "PT_ENOMEM" for PT_ENOMEM; "PT_STATUS_UNKNOWN" for a number not in the table
 * Cost: O(number of codes). The text is static. */
PT_API const char *pt_status_name(pt_status status);

/* pt_status_text - the code's meaning in words; the text is static */
PT_API const char *pt_status_text(pt_status status);

/* --- implementation ------------------------------------------------------------------------ */

PT_API const char *pt_status_name(pt_status status)
{
    switch (status) {
#define PT_STATUS_NAME_(name, number, text) \
    case name: return #name;
        PT_STATUS_TABLE(PT_STATUS_NAME_)
#undef PT_STATUS_NAME_
    default: return "PT_STATUS_UNKNOWN";
    }
}

PT_API const char *pt_status_text(pt_status status)
{
    switch (status) {
#define PT_STATUS_TEXT_(name, number, text) \
    case name: return text;
        PT_STATUS_TABLE(PT_STATUS_TEXT_)
#undef PT_STATUS_TEXT_
    default: return "not a code of pt";
    }
}

/* A number that a program gives as a code. With PT_DEBUG it keeps bits that a pt_status loses. */
typedef PT_CHOOSE_(PT_DEBUG, long long, pt_status) pt_code_;

/* That number as a pt_status; WHERE names the operation that got it. */
PT_API pt_status pt_status_of_(pt_code_ code, const char *where)
{
    PT_ASSERT_(code >= INT8_MIN && code <= INT8_MAX, "a code is a number from -128 to 127", where);
    return (pt_status)code;
}

#endif
