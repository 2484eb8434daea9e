/* type_yield_from.c - PT_YIELD_FROM with a task in place of a frame, and with another function's frame
 * SPDX-License-Identifier: MIT
 * expect error: no member named
 * expect error c -DFRAME: declare this storage as a PT_TASK, or a frame as a struct, of
 * expect error c++ -DFRAME: not pointers to compatible types|cannot (convert|initialize)|no (known|matching) */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

struct other {
    struct pt pt;
    int n;
};

PT_DECLARE(other);

#ifdef FRAME
static struct body inner;
#else
static PT_TASK(other) inner;
#endif

PT_ASYNC(body, self)
{
    PT_YIELD_FROM(&inner, other, .n = self->n);
}
PT_END
