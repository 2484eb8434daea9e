/* const_member.c - a member that is const, which a start would make zero
 * SPDX-License-Identifier: MIT
 * expect error: read-only|const-qualified|cannot be constructed
 * expect good -DKEEP=,PT_KEEP: no diagnostic */
#include <pt/pt.h>

#ifndef KEEP
#define KEEP
#endif

struct body {
    struct pt pt;
    const int limit;
    int n;
};

PT_ASYNC(body, self)
{
    for (; self->n < self->limit; self->n++)
        PT_YIELD();
}
PT_END

void start(struct body *frame);
void start(struct body *frame)
{
    PT_INIT(frame, body KEEP, .n = 1);
}

int main(void)
{
    return 0;
}
