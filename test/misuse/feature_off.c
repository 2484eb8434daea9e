/* feature_off.c - a name of a feature that is off
 * SPDX-License-Identifier: MIT
 * expect error -DPT_CANCEL=0: pt_cancel_needs_PT_CANCEL_1
 * expect error -DPT_SYNC=0: pt_event_needs_PT_SYNC_1 */
#include <pt/pt.h>

struct pt_event ready;

void stop(struct pt_task *task);

void stop(struct pt_task *task)
{
    pt_cancel(task, PT_ECANCELED);
}
