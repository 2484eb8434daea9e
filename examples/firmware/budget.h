/* budget.h - what a task may cost in RAM, checked when it is compiled: copy it
 * SPDX-License-Identifier: MIT
 *
 *     PT_ASSERT_SIZE(PT_TASK(blink), 20); */
#ifndef BUDGET_H
#define BUDGET_H

#include <pt/pt.h>

/* PT_ASSERT_SIZE(type, bytes) - stop the compilation if TYPE is larger than BYTES */
#define PT_ASSERT_SIZE(type, bytes) \
    PT_STATIC_ASSERT(sizeof(type) <= (bytes), #type " is over its budget of " #bytes " bytes")

#endif
