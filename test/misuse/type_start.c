/* type_start.c - PT_START with the storage of another function
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

static PT_TASK(body) task;

pt_status start(struct pt_loop *loop);

pt_status start(struct pt_loop *loop)
{
    return PT_START(loop, &task, other, .n = 1);
}
