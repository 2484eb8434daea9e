/* type_field.c - a field that the frame does not have
 * SPDX-License-Identifier: MIT
 * expect error: no member named .speed */
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

void start(struct other *storage);

void start(struct other *storage)
{
    PT_INIT(storage, other, .speed = 3);
}
