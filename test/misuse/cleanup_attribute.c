/* cleanup_attribute.c - a local with __attribute__((cleanup)), which runs at each suspension
 * SPDX-License-Identifier: MIT
 * The compiler calls the cleanup wherever the scope is left, and the `return` of a suspension
 * leaves it: the object is released while the body still waits, and again, from a dead local, at
 * the end. Use PT_FINALLY instead.
 * expect together: jump to case label|jumps over|cannot jump|uninitialized */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

void release(int **p);
int *acquire(void);

PT_ASYNC(body, self)
{
    int *held __attribute__((cleanup(release))) = acquire();

    PT_YIELD();
}
PT_END
