/* type_wait_complete.c - PT_WAIT_COMPLETE with the frame of another function
 * SPDX-License-Identifier: MIT
 * expect error c: declare this storage as a PT_TASK, or a frame as a struct, of
 * expect error c++: not pointers to compatible types|cannot (convert|initialize)|no (known|matching) */
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

static struct body frame;

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&frame, other, .n = self->n);
}
PT_END
