/* field_array.c - a text is assigned to an array
 * SPDX-License-Identifier: MIT
 * expect error: (expression with|assignable|assignment of).*array|array type .* is not assignable|incompatible types in assignment */
#include <pt/pt.h>

struct greet {
    struct pt pt;
    char name[8];
};

PT_DECLARE(greet);

struct body {
    struct pt pt;
    struct greet greet;
};

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&self->greet, greet, .name = "Ada");
}
PT_END
