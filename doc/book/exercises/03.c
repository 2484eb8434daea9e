/* The primes below 20, from a generator that counts. Write the body of `primes`. */
#include "pt.h"
#include <stdio.h>

struct count {
    struct pt pt;
    int value;
};

static PT_ASYNC(count, self)
{
    for (self->value = 2;; self->value++)
        PT_YIELD();
}
PT_END

static bool is_prime(int n)
{
    for (int i = 2; i * i <= n; i++)
        if (n % i == 0)
            return false;
    return true;
}

struct primes {
    struct pt pt;
    struct count from;
    int value;
};

static PT_ASYNC(primes, self)
{
#ifdef SOLUTION
    PT_INIT(&self->from, count);
    while (pt_next(&self->from.pt)) {
        if (!is_prime(self->from.value))
            continue;
        self->value = self->from.value;
        PT_YIELD();
    }
#else
    /* your code: PT_INIT the other generator, then take its values */
    (void)is_prime;
    (void)PT_FN(count);
    (void)self;
#endif
}
PT_END

/* --- the test: leave it as it is --- */

/* A local of the body lived in this memory. */
static int overwrite(int depth)
{
    volatile int block[64];

    for (int i = 0; i < 64; i++)
        block[i] = 7;
    return block[depth];
}

int main(void)
{
    static const int expected[] = {2, 3, 5, 7, 11, 13, 17, 19};
    struct primes primes;

    PT_INIT(&primes, primes, .value = 0);
    for (int i = 0; i < 8; i++) {
        if (!pt_next(&primes.pt)) {
            printf("FAIL: it ended after %d values\n", i);
            return 1;
        }
        if (primes.value != expected[i]) {
            printf("FAIL: value %d is %d, not %d\n", i, primes.value, expected[i]);
            return 1;
        }
        if (primes.from.value != primes.value) {
            printf("FAIL: value %d is not from the other generator, which is at %d\n", i, primes.from.value);
            return 1;
        }
        overwrite(3);
    }
    printf("passed\n");
    return 0;
}
