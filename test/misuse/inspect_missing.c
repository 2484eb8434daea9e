/* inspect_missing.c - a program traces its tasks, and does not include <pt/inspect.h>
 * SPDX-License-Identifier: MIT
 * expect error: storage size of|never completed|incomplete type */
#include <pt/pt.h>

static struct pt_trace trace;

struct pt_trace *tracing(void);
struct pt_trace *tracing(void)
{
    return &trace;
}
