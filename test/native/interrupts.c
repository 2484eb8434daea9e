/* interrupts.c - on a Cortex-M: interrupts at every point of a switch; stack limits (ARMv8-M)
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <stdlib.h>

static volatile uint32_t *const systick = (volatile uint32_t *)0xe000e010; /* control, reload */

#ifdef __ARM_FP
enum { VFP = 4 }; /* floating-point steps in an interrupt */
#else
enum { VFP = 0 };
#endif

static char stacks[2][1024] __attribute__((aligned(8)));
static struct pt_fiber root, a, b;
static volatile unsigned ticks;
static volatile float tick_number = 1;

void tick(void);
void stack_overflowed(void);

/* Uses VFP if there is one: the CPU then stacks the fiber's VFP registers, which it had put off. */
void tick(void)
{
    float x = tick_number;

    ticks++;
    for (int i = 0; i < VFP; i++)
        x = x * 1.5f + (float)ticks;
    tick_number = x;
}

static void compute(struct pt_fiber *self)
{
    volatile float seed = self == &a ? 3 : 7;
    float f0 = seed * 3, f1 = seed * 5, f2 = seed * 7, f3 = seed * 11, f4 = seed * 13;
    unsigned k0 = (unsigned)seed * 3, k1 = (unsigned)seed * 5, k2 = (unsigned)seed * 7;

    for (int i = 0; i < 2000; i++) {
        pt_fiber_switch(self, (struct pt_fiber *)self->argument);
        EXPECT(f0 + f1 + f2 + f3 + f4 == seed * 39 && k0 + k1 + k2 == (unsigned)seed * 15);
    }
}

/* The timer's period shares no factor with the cycles of a switch, so that over time every
 * instruction of a switch is interrupted. */
TEST(an_interrupt_at_any_instruction_of_a_switch_has_a_stack_and_keeps_registers)
{
    for (uint32_t reload = 97; reload < 400; reload += 31) {
        ticks = 0;
        pt_fiber_root(&root);
        pt_fiber_init(&a, &root, stacks[0], sizeof stacks[0], compute, &b);
        pt_fiber_init(&b, &root, stacks[1], sizeof stacks[1], compute, &a);
        systick[1] = reload;
        systick[2] = 0;
        systick[0] = 7;
        pt_fiber_switch(&root, &a);
        pt_fiber_switch(&root, &b);
        systick[0] = 0;
        EXPECT(pt_fiber_done(&a) && pt_fiber_done(&b));
        EXPECT(ticks > 100);
    }
}

#ifdef PT_CONTEXT_LIMIT

static int dig(int depth)
{
    volatile int room[8];

    room[depth & 7] = depth;
    return depth < 0 ? 0 : dig(depth + 1) + room[depth & 7];
}

static void overflow(struct pt_fiber *self)
{
    (void)self;
    dig(0);
}

/* The fault handler calls this, which ends the program. */
void stack_overflowed(void)
{
    for (unsigned i = 0; i < sizeof stacks[0]; i++)
        EXPECT(stacks[0][i] == 0x5a); /* the memory below the overflowing stack */
    native_passed += !native_bad;
    native_failed += native_bad;
    puts(native_bad ? "FAIL an_overflow_meets_the_limit_before_it_writes_below_the_stack"
                    : "ok an_overflow_meets_the_limit_before_it_writes_below_the_stack");
    exit(native_end());
}

#endif

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(an_interrupt_at_any_instruction_of_a_switch_has_a_stack_and_keeps_registers);
#ifdef PT_CONTEXT_LIMIT
    native_bad = 0;
    memset(stacks[0], 0x5a, sizeof stacks[0]);
    pt_fiber_init(&b, &root, stacks[1], sizeof stacks[1], overflow, NULL);
    pt_fiber_switch(&root, &b);
    return 1;
#else
    return native_end();
#endif
}
