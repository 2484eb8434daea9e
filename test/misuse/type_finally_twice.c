/* type_finally_twice.c - PT_FINALLY twice in a body
 * SPDX-License-Identifier: MIT
 * expect error: duplicate case|previously used|redefinition */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

struct other {
    struct pt pt;
    int n;
};

PT_DECLARE(other);

PT_ASYNC(body, self)
{
    PT_YIELD();
    PT_FINALLY
        self->n = 1;
    PT_FINALLY
        self->n = 2;
}
PT_END
