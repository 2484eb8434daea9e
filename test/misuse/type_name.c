/* type_name.c - a function that was not declared
 * SPDX-License-Identifier: MIT
 * expect error: unknown|undeclared|not declared|incomplete|no matching|invalid application */
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
    PT_INIT(storage, nobody);
}
