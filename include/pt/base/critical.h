/* critical.h - a few instructions without interrupts, where there are no atomics
 * SPDX-License-Identifier: MIT
 *
 *     unsigned state = PT_CRITICAL_ENTER();
 *     ...
 *     PT_CRITICAL_LEAVE(state);
 *
 * PT_CRITICAL_ENTER, PT_CRITICAL_LEAVE - turn interrupts off; restore them
 * They nest. AVR, Cortex-M and RISC-V in machine mode are here; the port of another part, or mode,
 * defines both, in PT_CONFIG_H. On a part with several cores they mask the interrupts of one. */
#ifndef PT_CRITICAL_H
#define PT_CRITICAL_H

#include "config.h"

#if !defined(PT_CRITICAL_ENTER) && defined(__AVR__)

#define PT_CRITICAL_ENTER() pt_critical_enter_()
#define PT_CRITICAL_LEAVE(state) pt_critical_leave_((uint8_t)(state))

/* 0x3f is the status register, with the interrupt flag. */
PT_ALWAYS uint8_t pt_critical_enter_(void)
{
    uint8_t state;

    __asm__ volatile("in %0, 0x3f\n\tcli" : "=r"(state) : : "memory");
    return state;
}

PT_ALWAYS void pt_critical_leave_(uint8_t state)
{
    __asm__ volatile("out 0x3f, %0" : : "r"(state) : "memory");
}

#elif !defined(PT_CRITICAL_ENTER) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

#define PT_CRITICAL_ENTER() pt_critical_enter_()
#define PT_CRITICAL_LEAVE(state) pt_critical_leave_(state)

PT_ALWAYS unsigned pt_critical_enter_(void)
{
    unsigned state;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state) : : "memory");
    return state;
}

PT_ALWAYS void pt_critical_leave_(unsigned state)
{
    __asm__ volatile("msr primask, %0" : : "r"(state) : "memory");
}

#elif !defined(PT_CRITICAL_ENTER) && defined(__riscv) && !PT_HOSTED

#define PT_CRITICAL_ENTER() pt_critical_enter_()
#define PT_CRITICAL_LEAVE(state) pt_critical_leave_(state)

/* csrrci STATE, mstatus, 8: the bit MIE. As numbers, since newer assemblers refuse the names unless
 * -march has zicsr, which these processors have anyway. */
PT_ALWAYS unsigned pt_critical_enter_(void)
{
    unsigned state;

    __asm__ volatile(".insn i 0x73, 7, %0, x8, 0x300" : "=r"(state) : : "memory");
    return state;
}

/* csrs mstatus, STATE: MIE, if it was set; nothing else has changed since. */
PT_ALWAYS void pt_critical_leave_(unsigned state)
{
    __asm__ volatile(".insn i 0x73, 2, x0, %0, 0x300" : : "r"(state & 8) : "memory");
}

#endif

#if PT_REMOTE && !PT_ATOMICS && !defined(PT_CRITICAL_ENTER)
#error "PT_REMOTE needs atomics, or define PT_CRITICAL_ENTER and PT_CRITICAL_LEAVE: critical.h"
#endif
#endif
