/* lc.h - local continuations: where a classic protothread continues
 * SPDX-License-Identifier: MIT
 *
 * A program chooses with LC_INCLUDE, defined before it includes "pt.h":
 *
 *     #define LC_INCLUDE "lc-addrlabels.h"
 *
 *     lc-switch.h        the default: a switch. Two bytes a thread, in standard C
 *     lc-addrlabels.h    addresses of labels, with gcc and clang. A pointer a thread; the program can
 *                        wait inside a switch of its own
 *     "my-lc.h"          the program's own, with the same names
 *
 * lc_t - the type of a continuation
 * LC_INIT(s) - the next LC_RESUME(s) goes on behind itself
 * LC_RESUME(s) - continue at the last LC_SET(s)
 * LC_SET(s) - the next LC_RESUME(s) continues here
 * LC_END(s) - behind the last LC_SET of the function
 *
 * A program can build macros of its own with them. LC_SET and LC_RESUME need no semicolon. */
#ifndef PT_CLASSIC_LC_H
#define PT_CLASSIC_LC_H

#ifdef LC_INCLUDE
#include LC_INCLUDE
#elif defined(LC_CONF_INCLUDE) /* its name in Contiki and uIP */
#include LC_CONF_INCLUDE
#else
#include "lc-switch.h"
#endif

/* LC_RETURN_ - return VALUE, and continue behind it: with any LC_SET, a flag, 1 at each call */
#ifndef LC_RETURN_
#define LC_RETURN_(s, value)    \
    do {                        \
        PT_YIELD_FLAG = 0;      \
        LC_SET(s);              \
        if (PT_YIELD_FLAG == 0) \
            return value;       \
    } while (0)
#endif

#endif
