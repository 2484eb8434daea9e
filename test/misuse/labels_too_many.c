/* labels_too_many.c - 300 suspensions in a function with a one-byte label
 * SPDX-License-Identifier: MIT
 * expect error: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect error c -std=c99: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect good -DPT_LABEL_BITS=16:
 * expect good c -DPT_CONFIG_H="config_labels.h": */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

/* clang-format off */
#define Y10 PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); \
            PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD();

PT_ASYNC(body, self)
{
    Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10
    Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10
    Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10 Y10
}
PT_END
