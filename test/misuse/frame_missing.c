/* frame_missing.c - a function without a struct
 * SPDX-License-Identifier: MIT
 * expect error: undefined type|incomplete type */
#include <pt/pt.h>

PT_ASYNC(body, self)
{
    PT_YIELD();
}
PT_END
