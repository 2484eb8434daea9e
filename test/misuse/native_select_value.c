/* native_select_value.c - a select of a native task used as a value
 * SPDX-License-Identifier: MIT
 * expect error: expected (primary-)?expression
 * expect good -DSTATEMENT: */
#include <pt/native.h>

static struct pt_event event;

pt_status body(struct pt_native *self);
pt_status body(struct pt_native *self)
{
    PT_SELECTION(2) next;

    pt_select_init(&next);
#ifdef STATEMENT
    pt_native_select(self, &next, PT_CASE_EVENT(&event), PT_CASE_AFTER(PT_SEC(1)));
    if (self->pt.status != PT_OK)
        return self->pt.status;
#else
    if (pt_native_select(self, &next, PT_CASE_EVENT(&event), PT_CASE_AFTER(PT_SEC(1))) != PT_OK)
        return self->pt.status;
#endif
    return PT_OK;
}
