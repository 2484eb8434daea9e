/* type_field_value.c - a field gets a value of another type
 * SPDX-License-Identifier: MIT
 * expect warning: makes integer|pointer to integer|invalid conversion|incompatible type */
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
    PT_INIT(storage, other, .n = "three");
}
