/* bare.c - a program for a Cortex-M without pt, with what pt-bounds must find or refuse: one case by each macro
 * SPDX-License-Identifier: MIT */
#include <stdint.h>

/* Neither inlined nor changed by what its callers are. */
#define ALONE __attribute__((noipa, unused))
#define WORD(address) (*(volatile uint32_t *)(address))
#define FIVE_INSTRUCTIONS __asm__ volatile("nop\n nop\n nop\n nop\n nop")

extern uint32_t stack_top[];
void start(void);
static volatile int sink;

ALONE static void small(void)
{
    volatile char room[8];

    room[0] = 1;
}

ALONE static void large(void)
{
    volatile char room[200];

    room[0] = 1;
}

#ifdef SHARED
static volatile uint32_t next;

/* One handler of three interrupts, each of which lets the next one come over it. */
static void shared(void)
{
    volatile char room[40];

    room[0] = 1;
    next = next << 1 & 7;
    WORD(0xe000e200) = next;
    __asm__ volatile("dsb\n isb");
}

static void work(void)
{
    WORD(0xe000e400) = 0x4080c0;
    WORD(0xe000e100) = 7;
    next = 1;
    WORD(0xe000e200) = 1;
}
#define HANDLERS 0, 0, 0, (void *)0x12345678, 0, 0, 0, 0, 0, 0, 0, 0, shared, shared, shared

#elif defined(MASKED)
static inline uint32_t mask(void)
{
    uint32_t before;

    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(before)::"memory");
    return before;
}

static inline void restore(uint32_t before)
{
    __asm__ volatile("msr primask, %0" ::"r"(before) : "memory");
}

ALONE static void twice(void)
{
    uint32_t outer = mask(), inner = mask();

    restore(inner);
    FIVE_INSTRUCTIONS;
    FIVE_INSTRUCTIONS;
    restore(outer);
    FIVE_INSTRUCTIONS;
}

ALONE static void by_number(void)
{
    __asm__ volatile("msr basepri, %0" ::"r"(64));
    FIVE_INSTRUCTIONS;
    __asm__ volatile("msr basepri, %0" ::"r"(0));
}

static void work(void)
{
    MASKED();
}

#elif defined(TABLE)
ALONE static int choose(int x)
{
again:
    large();
top:
    small();
    x = sink;
    switch (x) { /* some cases are in front of the table */
    case 0: goto again;
    case 1: sink = 1; goto top;
    case 2: small(); return 1;
    case 3: goto top;
    case 4: return 5;
    case 5: small(); return 3;
    default: return 0;
    }
}

static void work(void)
{
    choose(sink);
}

#elif defined(UNROLLED)
static volatile int registers[2];

static void handler(void)
{
    for (int i = 0; i < sink; i++)
        for (int j = 0; j < 2; j++)
            registers[j] = i; /* pt-bounds: loop 2 */
}

static void work(void)
{
}
#define HANDLERS handler

#elif defined(FOREVER)
ALONE static void forever(void)
{
    for (;;)
        sink = 1;
}

ALONE static int never(void)
{
    forever();
    return 1;
}

static void handler(void)
{
    if (sink)
        never();
    sink = 2;
}

static void work(void)
{
}
#define HANDLERS handler

#elif defined(POINTERS)
/* Each calls large() with a deep stack; small() or another function would be found by a wrong type. */
enum color { RED, GREEN };
typedef void (*function)(void);
static struct table {
    void (*first)(int);
    int (*second)(int, int);
    void (*color)(enum color);
    void (*byte)(unsigned char);
    void (*old)();
    function plain;
} volatile table;
static volatile uint32_t word;

ALONE static void take(unsigned char byte)
{
    large();
    sink = byte;
}

ALONE static int add(int a, int b)
{
    large();
    return a + b;
}

ALONE static void one(int a)
{
    sink = a;
}

ALONE static function get(int first)
{
    return first ? table.plain : small;
}

ALONE static int combine(int a, int b)
{
    return a * b + sink;
}

ALONE static void deep(int first)
{
    volatile char room[300];

    room[0] = 1;
#if POINTERS == 1
    get(first)();
#elif POINTERS == 2
    ((function)word)();
#elif POINTERS == 3
    table.color(GREEN);
#elif POINTERS == 4
    table.old();
#else
    sink = combine(first, /* the name of another pointer */
                   table.second(first, 3));
#endif
    room[1] = 1;
}

static void work(void)
{
    table.first = one;
    table.second = add;
    table.color = take;
    table.byte = take;
    table.plain = large;
    table.old = large;
    word = (uint32_t)large;
    deep(sink);
    table.first(1);
    table.plain();
    table.byte(1);
    sink = table.second(1, 2);
}

#else
__attribute__((section(".data.in_ram"), noinline)) static void in_ram(void)
{
    large();
}

static void work(void)
{
    in_ram();
}
#endif

int main(void)
{
    for (;;)
        work();
}

void start(void)
{
    main();
}

#ifndef HANDLERS
#define HANDLERS 0
#endif
__attribute__((section(".vectors"), used)) static void *const vectors[] = {stack_top, start, 0, 0,
                                                                           HANDLERS};
