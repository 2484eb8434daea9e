/* rates.c - PT_SEC, PT_MS and PT_US of variables of every type, at one rate of ticks: test/suites/cross tries many
 * SPDX-License-Identifier: MIT
 *
 * On a PC it compares them with a reference of 128 bits. For a part it is compiled, and nothing in it
 * may divide 64 bits. */
#include <pt/pt.h>

/* One function for each unit and type of up to 32 bits. */
#define UNITS(X) X(SEC, 1) X(MS, 1000) X(US, 1000000)
#define TYPES(X, unit, per) \
    X(unit, per, uint8_t)   \
    X(unit, per, int8_t)    \
    X(unit, per, uint16_t) X(unit, per, int16_t) X(unit, per, uint32_t) X(unit, per, int32_t)
#define FUNCTION(unit, per, type)     \
    pt_time unit##_of_##type(type n); \
    pt_time unit##_of_##type(type n)  \
    {                                 \
        return PT_##unit(n);          \
    }
#define FUNCTIONS(unit, per) TYPES(FUNCTION, unit, per)
UNITS(FUNCTIONS)

/* They are constants, too. */
static const pt_time constants[] = {PT_SEC(0), PT_MS(0), PT_US(0)};

#if PT_HOSTED
#include <stdio.h>

FUNCTION(SEC, 1, uint64_t)
FUNCTION(MS, 1000, uint64_t)
FUNCTION(US, 1000000, uint64_t)
FUNCTION(SEC, 1, int64_t)
FUNCTION(MS, 1000, int64_t)
FUNCTION(US, 1000000, int64_t)

__extension__ typedef unsigned __int128 wide;

static unsigned long tried, wrong;

static void check(const char *unit, const char *type, uint64_t n, uint64_t per, pt_time ticks)
{
    wide exact = ((wide)n * (PT_TICKS_PER_SEC) + per - 1) / per;
    bool over = n > INT64_MAX || exact > PT_DELAY_NEVER;

    tried++;
    if (ticks != (over ? PT_DELAY_NEVER : (pt_time)exact) && wrong++ < 5)
        printf("PT_%s((%s)%llu) is %llu\n", unit, type, (unsigned long long)n,
               (unsigned long long)ticks);
}

#define CHECK(unit, per, type) \
    check(#unit, #type, (uint64_t)(type)n, per, unit##_of_##type((type)n));
#define CHECKS(unit, per) \
    TYPES(CHECK, unit, per) CHECK(unit, per, uint64_t) CHECK(unit, per, int64_t)

static void check_all(uint64_t n)
{
    UNITS(CHECKS)
}

int main(void)
{
    static const uint64_t units[] = {1, 1000, 1000000};
    uint64_t chance = 1;

    for (unsigned bit = 0; bit < 64; bit++)
        for (uint64_t near = 0; near < 5; near++)
            check_all((UINT64_C(1) << bit) + near - 2);
    for (unsigned i = 0; i < 3; i++) /* around the longest delay */
        for (uint64_t near = 0; near < 9; near++)
            check_all((uint64_t)((wide)PT_DELAY_NEVER * units[i] / (PT_TICKS_PER_SEC)) + near - 4);
    for (unsigned i = 0; i < 20000; i++) {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        check_all(i);
        check_all(chance >> i % 64);
    }
    printf("%lu tried, %lu wrong\n", tried, wrong);
    return wrong || constants[0] != 0;
}
#else
const pt_time *pt_constants(void);
const pt_time *pt_constants(void)
{
    return constants;
}
#endif
