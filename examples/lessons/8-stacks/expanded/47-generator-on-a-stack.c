/* expanded/47-generator-on-a-stack.c - lesson 47 with fibers: what pt_next and pt_native_yield do
 * SPDX-License-Identifier: MIT
 *
 *     pt_next           switch to the body; returns false if the body has ended
 *     pt_native_yield   switch to the caller of pt_next; then returns false if that closes the body
 *     pt_close          set the closing flag, then pt_next */
#include <pt/fiber.h>

#include <stdio.h>

struct given {
    int prime;    /* the next one */
    int from;     /* the next candidate; the caller may change it */
    bool closing; /* whether the yield is the last */
};

static bool give(struct pt_fiber *self, int prime)
{
    struct given *out = (struct given *)self->argument;

    out->prime = prime;
    pt_fiber_switch(self, self->parent); /* stops here */
    return !out->closing;
}

static void primes(struct pt_fiber *self)
{
    struct given *out = (struct given *)self->argument;
    bool goes_on = true;
    int found = 0;

    while (goes_on) {
        int number = out->from++, divisor = 2;

        while (divisor * divisor <= number && number % divisor)
            divisor++;
        if (divisor * divisor > number) {
            found++;
            goes_on = give(self, number);
        }
    }
    printf("closed after %d primes\n", found);
}

static bool next(struct pt_fiber *caller, struct pt_fiber *body)
{
    pt_fiber_switch(caller, body);
    return !pt_fiber_done(body);
}

int main(void)
{
    static char stack[32 << 10];
    struct given out = {0, 2, false};
    struct pt_fiber caller, body;

    pt_fiber_root(&caller);
    pt_fiber_init(&body, &caller, stack, sizeof stack, primes, &out);
    while (next(&caller, &body) && out.prime < 20)
        printf("%d ", out.prime);
    out.from = 1000;
    next(&caller, &body);
    printf("... %d\n", out.prime);
    out.closing = true;
    next(&caller, &body);
    pt_fiber_close(&body);
    return 0;
}
