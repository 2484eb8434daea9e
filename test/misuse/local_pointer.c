/* local_pointer.c - a local pointer is followed after a suspension
 * SPDX-License-Identifier: MIT
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void use(int value);

PT_ASYNC(body, self)
{
    const char *text = "text";

    while (*text) {
        use(*text++);
        PT_YIELD();
    }
}
PT_END
