/* finally_if.c - PT_FINALLY in an `if`: when the condition is false, the cleanup does not run
 * SPDX-License-Identifier: MIT
 * If the condition is true, what follows the `if` is a part of the cleanup: nobody sees that.
 * expect output: ^0 cleanups$
 * expect trap -DPT_DEBUG=1: body_pt_: PT_FINALLY was passed over: put it at the end of the body, outside of every if
 * expect trap -DPT_DEBUG=1 -DGOTO: body_pt_: PT_FINALLY was passed over
 * expect output -DPT_DEBUG=1 -DNONE: ^0 cleanups$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    bool opened;
    int cleanups;
};

PT_ASYNC(body, self)
{
    PT_YIELD();
#if defined(GOTO)
    if (!self->opened)
        goto end;
    PT_FINALLY
    self->cleanups++;
end:;
#elif defined(NONE)
    if (self->opened)
        self->cleanups++;
#else
    if (self->opened) {
        PT_FINALLY
        self->cleanups++;
    }
#endif
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body, .opened = false, .cleanups = 0);
    while (pt_next(&b.pt)) {
    }
    if (b.pt.status == PT_OK)
        printf("%d cleanups\n", b.cleanups);
    return 0;
}
