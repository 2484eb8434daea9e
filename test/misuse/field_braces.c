/* field_braces.c - the value of a field has a comma in its braces
 * SPDX-License-Identifier: MIT
 * expect error: expected (expression|.\}.) */
#include <pt/pt.h>

struct point {
    int x, y;
};

struct walk {
    struct pt pt;
    struct point to;
};

PT_DECLARE(walk);

struct body {
    struct pt pt;
    struct walk walk;
};

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(&self->walk, walk, .to = {3, 4});
}
PT_END
