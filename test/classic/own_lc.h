/* own_lc.h - local continuations of the program's own: it names them by LC_INCLUDE
 * SPDX-License-Identifier: MIT */
#ifndef OWN_LC_H
#define OWN_LC_H

typedef struct {
    int line;
    int resumed; /* so many times */
} lc_t;

#define LC_INIT(s) ((s).line = (s).resumed = 0)
#define LC_RESUME(s)                   \
    switch ((s).resumed++, (s).line) { \
    case 0:
#define LC_SET(s)        \
    (s).line = __LINE__; \
    if (0) {             \
    case __LINE__:;      \
    }
#define LC_END(s) }

#endif
