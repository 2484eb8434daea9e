/* critical.h - a few instructions without interrupts, or without other cores
 * SPDX-License-Identifier: MIT
 *
 *     unsigned state = PT_CRITICAL_ENTER();
 *     ...
 *     PT_CRITICAL_LEAVE(state);
 *
 * PT_CRITICAL_ENTER, PT_CRITICAL_LEAVE - turn the interrupts of this core off; restore them
 * They nest. AVR, Cortex-M and RISC-V in machine mode are here; the port of another part, or mode,
 * defines both, in PT_CONFIG_H. The part sleeps between them (board.h), so an interrupt that they
 * mask must end the sleep: on a Cortex-M PRIMASK and not BASEPRI, and no lock.
 *
 * PT_POST_ENTER, PT_POST_LEAVE - without atomics, around the few instructions of a post
 * They do not nest. By default they are the two above, which is enough if only the loop's core
 * posts. For posts from another core PT_CONFIG_H defines both, on each core, and PT_ATOMICS 0:
 * the first masks the interrupts and takes a lock that all cores share; the second returns it,
 * wakes the loop's core, and restores the interrupts. Both must be full memory barriers.
 * doc/porting.md has them for the RP2040.
 *
 * PT_LEVEL - which interrupt runs: PT_LEVEL() is its number, or 0
 * With PT_DEBUG a call that makes a task ready must have the level of the loop's last turn, or the
 * program stops. It is here for Cortex-M. AVR and RISC-V do not know it: there define it in
 * PT_CONFIG_H, as what the interrupts set and clear. */
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

/* Whether other cores post: then what is outside of the sections needs the processor's barriers. */
#ifdef PT_POST_ENTER
#define PT_CORES_ 1
#else
#define PT_CORES_ 0
#define PT_POST_ENTER() PT_CRITICAL_ENTER()
#define PT_POST_LEAVE(state) PT_CRITICAL_LEAVE(state)
#endif

#if !defined(PT_LEVEL) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define PT_LEVEL pt_level_

PT_ALWAYS unsigned pt_level_(void)
{
    unsigned level;

    __asm__ volatile("mrs %0, ipsr" : "=r"(level));
    return level;
}
#endif
#ifdef PT_LEVEL
#define PT_HAS_LEVEL_ PT_DEBUG
#else
#define PT_HAS_LEVEL_ 0
#endif

#if PT_REMOTE && !PT_ATOMICS && !PT_CORES_ && !defined(PT_CRITICAL_ENTER)
#error "PT_REMOTE needs atomics, or define PT_CRITICAL_ENTER and PT_CRITICAL_LEAVE: critical.h"
#endif
#endif
