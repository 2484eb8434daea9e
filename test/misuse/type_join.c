/* type_join.c - PT_JOIN with the storage in place of its task
 * SPDX-License-Identifier: MIT
 * expect error c: PT_JOIN takes the task of the storage
 * expect error c++: cannot (convert|initialize)|no known conversion */
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

static PT_TASK(other) task;

PT_ASYNC(body, self)
{
    PT_JOIN(&task);
}
PT_END
