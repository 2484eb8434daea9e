/* type_field_value.c - a field gets a value of another type
 * SPDX-License-Identifier: MIT
 * expect warning: from incompatible|makes integer from pointer|pointer to integer|invalid conversion|incompatible.*pointer|cannot convert|cannot initialize|no known conversion|no matching */
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
