/* refused_correlated.c - correct, but refused: a local that has a value only if a flag is set
 * SPDX-License-Identifier: MIT
 * clang cannot distinguish it from a local that a suspension has cleared. Initialize it where it is
 * declared, in a block that does not suspend.
 * expect together c: may be uninitialized when used here
 * expect together c++: may be uninitialized when used here */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
};

int measure(void);
void use(int value);

PT_ASYNC(body, self)
{
    PT_YIELD();
    {
        bool many = self->n > 3;
        int x;

        if (many)
            x = measure();
        use(1);
        if (many)
            use(x);
    }
}
PT_END
