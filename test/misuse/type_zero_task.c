/* type_zero_task.c - PT_ZERO of a task in place of its frame
 * SPDX-License-Identifier: MIT
 * expect error: no member named */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

static PT_TASK(body) task;

void start(void);
void start(void)
{
    PT_ZERO(&task);
}
