/* end_missing_last.c - PT_END is missing at the end of the file
 * SPDX-License-Identifier: MIT
 * expect error: expected (.while.|declaration|.}) */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
}
