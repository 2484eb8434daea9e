/* cleanup_attribute_runs.c - the cleanup of a local without an initializer runs at each suspension
 * SPDX-License-Identifier: MIT
 * Without an initializer only clang refuses the jump; with gcc the cleanup runs three times.
 * expect shown: ^0 1 2 3 $|bypasses initialization of variable with __attribute__..cleanup */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    int n;
};

static int released;

static void release(int *p)
{
    (void)p;
    released++;
}

PT_ASYNC(body, self)
{
    int held __attribute__((cleanup(release)));

    PT_YIELD();
    PT_YIELD();
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    printf("%d ", released);
    while (pt_next(&b.pt))
        printf("%d ", released);
    printf("%d \n", released);
    return 0;
}
