/* type_init.c - PT_INIT with the storage of another function
 * SPDX-License-Identifier: MIT
 * expect warning: incompatible.*pointer|cannot (convert|initialize) */
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

void start(struct body *storage);

void start(struct body *storage)
{
    PT_INIT(storage, other);
}
