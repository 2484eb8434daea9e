/* feature_off.c - a name of a feature that is off
 * SPDX-License-Identifier: MIT
 * expect error -DPT_SUBGENERATORS=0: PT_YIELD_FROM_needs_PT_SUBGENERATORS_1
 * expect error -DPT_CANCEL=0: pt_cancel_needs_PT_CANCEL_1
 * expect error -DPT_SYNC=0: pt_event_needs_PT_SYNC_1 */
#include <pt/pt.h>

struct pt_event ready;

struct inner {
    struct pt pt;
};

PT_DECLARE(inner);

struct outer {
    struct pt pt;
    struct inner inner;
};

PT_ASYNC(outer, self)
{
    PT_YIELD_FROM(&self->inner, inner);
}
PT_END

void stop(struct pt_task *task);

void stop(struct pt_task *task)
{
    pt_cancel(task, PT_ECANCELED);
}
