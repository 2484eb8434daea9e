/* local_address.c - a local array that another function fills is read after a suspension
 * SPDX-License-Identifier: MIT
 * No compiler sees it, because it does not know what that function does. PT_DEBUG overwrites the
 * dead stack before each resume, so that the value is 0xa5a5a5a5 every time.
 * expect missed: uninitialized
 * expect output -DPT_DEBUG=1: ^7 a5a5a5a5$ */
#include <pt/pt.h>
#include <stdio.h>

struct body {
    struct pt pt;
    unsigned seen;
};

static void fill(unsigned *value)
{
    value[4] = 7;
}

static unsigned read_value(unsigned *value)
{
    return value[4];
}

/* The compiler cannot see its body. */
static void (*volatile fill_it)(unsigned *value) = fill;
static unsigned (*volatile read_it)(unsigned *value) = read_value;

PT_ASYNC(body, self)
{
    unsigned x[8];

    fill_it(x);
    self->seen = read_it(x);
    PT_YIELD();
    self->seen = read_it(x);
    PT_YIELD();
}
PT_END

int main(void)
{
    struct body b;

    PT_INIT(&b, body);
    pt_next(&b.pt);
    printf("%x ", b.seen);
    pt_next(&b.pt);
    printf("%x\n", b.seen);
    return 0;
}
