/* lc-addrlabels.h - local continuations by addresses of labels: a pointer a thread
 * SPDX-License-Identifier: MIT
 *
 *     #define LC_INCLUDE "lc-addrlabels.h"
 *     #include "pt.h"
 *
 * lc.h has the names. A thread can wait inside a switch of its own. In C++ no wait may be in the
 * scope of a variable that is initialised behind PT_BEGIN. */
#ifndef PT_CLASSIC_LC_ADDRLABELS_H
#define PT_CLASSIC_LC_ADDRLABELS_H

#ifndef __GNUC__
#error \
    "lc-addrlabels.h needs addresses of labels, an extension of gcc and clang: without LC_INCLUDE \
pt.h uses a switch, and then no thread may wait inside a switch of its own"
#endif

/* Else -Wpedantic warns of the extension where the program uses the macros. */
#pragma GCC system_header

/* lc_t - where a thread continues; NULL at its start */
typedef void *lc_t;

#define LC_INIT(s) ((s) = 0)

/* A function with a label in a static variable is not copied by the compiler: in a copy each label
 * would have another address. The compiler drops the variable. */
#define LC_RESUME(s)                                                                               \
    {                                                                                              \
        __label__ pt_here_;                                                                        \
        static void *const pt_not_copied_ __attribute__((__unused__)) = __extension__(&&pt_here_); \
                                                                                                   \
        if (s)                                                                                     \
            __extension__({ goto *(s); });                                                         \
    pt_here_:;                                                                                     \
    }

#define LC_SET(s)                        \
    {                                    \
        __label__ pt_here_;              \
        (s) = __extension__(&&pt_here_); \
    pt_here_:;                           \
    }

#define LC_END(s)

/* LC_RETURN_ - return VALUE, and continue behind it */
#define LC_RETURN_(s, value)             \
    do {                                 \
        __label__ pt_here_;              \
        (s) = __extension__(&&pt_here_); \
        return value;                    \
    pt_here_:;                           \
    } while (0)

#endif
