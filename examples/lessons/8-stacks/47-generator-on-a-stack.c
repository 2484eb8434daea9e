/* 47-generator-on-a-stack.c - a generator with an ordinary function as its body
 * SPDX-License-Identifier: MIT
 *
 * A native generator is like that of lesson 02, but its body is an ordinary function.
 *
 *     struct pt_native  a frame with a stack: its function takes the place of a body
 *     pt_native_yield   PT_YIELD for such a function
 *     pt_close          end a generator: its yield returns PT_ECANCELED, the function cleans up and
 *                       returns
 *
 * What to notice:
 *   - primes is plain C: its locals survive a yield, and a function that it calls can yield, too. A
 *     struct holds only what the caller wants to see.
 *   - The caller drives it like any other generator: pt_next, pt_send, pt_close.
 *
 * Try: remove the pt_close. The stack is simply not used again, but what is not printed? */
#include <pt/native.h>

#include <stdio.h>

struct given {
    int prime; /* the next one */
    int from;  /* the next candidate; the caller may change it */
};

static pt_status give(struct pt_native *self, int prime)
{
    struct given *out = (struct given *)self->argument;

    out->prime = prime;
    return pt_native_yield(self); /* stops here */
}

static pt_status primes(struct pt_native *self)
{
    struct given *out = (struct given *)self->argument;
    pt_status status = PT_OK;
    int found = 0;

    while (status == PT_OK) {
        int number = out->from++, divisor = 2;

        while (divisor * divisor <= number && number % divisor)
            divisor++;
        if (divisor * divisor > number) {
            found++;
            status = give(self, number);
        }
    }
    printf("closed after %d primes\n", found);
    return status;
}

int main(void)
{
    static char stack[32 << 10];
    struct given out = {0, 2};
    struct pt_native generator;

    PT_INIT(&generator, pt_native, .function = primes, .argument = &out, .stack = stack,
            .bytes = sizeof stack);
    while (pt_next(&generator.pt) && out.prime < 20)
        printf("%d ", out.prime);
    out.from = 1000;
    pt_next(&generator.pt);
    printf("... %d\n", out.prime);
    pt_close(&generator.pt);
    return 0;
}
