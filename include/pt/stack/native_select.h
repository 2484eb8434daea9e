/* native_select.h - wait of a native task for whichever of several things comes first
 * SPDX-License-Identifier: MIT
 *
 *     pt_select_init(&choice);
 *     pt_native_select(self, &choice, PT_CASE_RECV(&numbers, &number), PT_CASE_AFTER(PT_SEC(1)));
 *     if (PT_SELECTED(&choice) == 1)
 *         puts("nothing for a second");
 *
 * Included by native.h. */
#ifndef PT_NATIVE_SELECT_H
#define PT_NATIVE_SELECT_H

#include "native_body.h"
#include "../sync/select.h"

#if PT_SELECTS

/* pt_native_select(self, &choice, case, ...); - PT_SELECT, a statement, with the same cases
 * The selection may be a local; then call pt_select_init first. self->pt.status is its code,
 * PT_SELECTED(&choice) the case that came true. */
#define pt_native_select(self, choice, ...)                                      \
    do {                                                                         \
        struct pt_task *const pt_current_ = (self)->task;                        \
        struct pt *const pt_ = &(self)->pt;                                      \
                                                                                 \
        PT_SELECT_SCOPE_;                                                        \
        PT_CHECK_ONE_(choice, "pt_native_select")(void) 0;                       \
        if (PT_SELECT_START_(choice, true, PT_COUNT_(__VA_ARGS__), __VA_ARGS__)) \
            pt_->status = pt_native_select_wait_(self, &(choice)->select);       \
        pt_task_take_(pt_current_);                                              \
    } while (0)

/* pt_native_select_now(self, &choice, case, ...); - PT_SELECT_NOW, a statement */
#define pt_native_select_now(self, choice, ...)                                     \
    do {                                                                            \
        struct pt_task *const pt_current_ = (self)->task;                           \
        struct pt *const pt_ = &(self)->pt;                                         \
                                                                                    \
        PT_SELECT_SCOPE_;                                                           \
        PT_CHECK_ONE_(choice, "pt_native_select_now")(void) 0;                      \
        (void)PT_SELECT_START_(choice, false, PT_COUNT_(__VA_ARGS__), __VA_ARGS__); \
    } while (0)

/* pt_native_select_from(self, &choice) { ... } - PT_SELECT_FROM */
#define pt_native_select_from(self, choice)                                           \
    for (struct pt_task *pt_current_ =                                                \
             (PT_CHECK_ONE_(choice, "pt_native_select_from")(self)->task);            \
         pt_current_; pt_current_ = pt_native_select_added_(self, &(choice)->select)) \
    PT_SELECT_BLOCK_(choice, pt_current_)

/* --- implementation ------------------------------------------------------------------------ */

PT_API pt_status pt_native_select_wait_(struct pt_native *self, struct pt_select_ *select)
{
    pt_status status = pt_native_suspend_(self, select->opcode);

    if (self->pt.label == PT_NATIVE_GOES_ON_)
        pt_select_over_(select);
    return status;
}

/* The block has added all cases. Returns NULL. */
PT_API struct pt_task *pt_native_select_added_(struct pt_native *self, struct pt_select_ *select)
{
    if (pt_select_added_(select, &self->pt))
        self->pt.status = pt_native_select_wait_(self, select);
    pt_task_take_(self->task);
    return NULL;
}

#endif
#endif
