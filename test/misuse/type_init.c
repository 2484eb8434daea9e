/* type_init.c - PT_INIT with the storage of another function
 * SPDX-License-Identifier: MIT
 * expect error c: declare this storage as a PT_TASK, or a frame as a struct, of
 * expect error c++: not pointers to compatible types|cannot (convert|initialize)|no (known|matching) */
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
