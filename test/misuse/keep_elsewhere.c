/* keep_elsewhere.c - PT_KEEP is not behind the name, but after a field
 * SPDX-License-Identifier: MIT
 * expect error: PT_KEEP_stands_behind_the_name */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
}
PT_END

static struct body frame;

void start(void);
void start(void)
{
    PT_INIT(&frame, body, .n = 1, PT_KEEP);
}
