/* cortex-m.c - startup code for a Cortex-M, and an exit by semihosting
 * SPDX-License-Identifier: MIT
 *
 * With PT_CONTEXT_LIMIT "psplim", main runs on a stack of its own, and faults use the stack of the
 * vector table, so that there is room to report that a stack has met its limit. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern char main_stack_[], load_[], data_[], data_end_[], bss_[], bss_end_[];

void stack_end_(void); /* an address, declared with the type of a vector */
int main(void);
void initialise_monitor_handles(void);
void reset(void);
void fault(void);
void tick(void);
void stack_overflowed(void);
void _exit(int status);

#define WEAK __attribute__((weak, alias("fault")))
WEAK void tick(void);
WEAK void stack_overflowed(void);

/* SYS_EXIT_EXTENDED: the emulator ends with this status. */
void _exit(int status)
{
    const uint32_t reason[2] = {0x20026, (uint32_t)status};
    register uint32_t operation __asm__("r0") = 0x20;
    register const uint32_t *block __asm__("r1") = reason;

    for (;;)
        __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(block) : "memory");
}

void fault(void)
{
#ifdef PT_CONTEXT_LIMIT
    if (*(volatile uint32_t *)0xe000ed28 & 1u << 20) /* CFSR: a stack met its limit */
        stack_overflowed();
#endif
    _exit(3);
}

void reset(void)
{
    memcpy(data_, load_, (size_t)(data_end_ - data_));
    memset(bss_, 0, (size_t)(bss_end_ - bss_));
#ifdef __ARM_FP
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20; /* CPACR: the coprocessors of VFP may be used */
    __asm__ volatile("dsb\nisb");
#endif
#ifdef PT_CONTEXT_LIMIT
    __asm__ volatile("msr psp, %0\nmsr control, %1\nisb" : : "r"(main_stack_), "r"(2));
#endif
    initialise_monitor_handles();
    exit(main());
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    stack_end_, reset, fault, fault, fault, fault, fault, fault,
    fault,      fault, fault, fault, fault, fault, fault, tick};
