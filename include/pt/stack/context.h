/* context.h - a place in a program to continue from, with its stack: three words and a jump
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_context here, there;
 *
 *     pt_context_make(&there, stack, sizeof stack, entry);
 *     pt_context_switch(&here, &there);        entry(&there) runs, on its own stack
 *                                              until it does pt_context_switch(&there, &here)
 *
 * arch/<architecture>.h has the switch, inline in the code that calls it. {pc, sp, fp} are stored
 * in one context and loaded from the other. Nothing is pushed. The compiler is told that all other
 * registers are lost, and saves only those that it uses. The switch ends in a jump, because the
 * processor would predict a return from the calls on the other stack. Each switch in the source is
 * a jump of its own, which the processor learns separately.
 *
 * PT_CONTEXT chooses the kind of switch. It must be the same in all code that shares a context:
 *
 *     PT_CONTEXT_INLINE     inline, by the asm of gcc and clang: x86-64 (System V, Windows), i386,
 *                           AArch64, ARM and Cortex-M, RISC-V; the default for these
 *     PT_CONTEXT_ABI        functions of libpt that save what the ABI requires, for any compiler:
 *                           x86-64 (System V) and AArch64, on systems with ELF
 *     PT_CONTEXT_UCONTEXT   ucontext, which most Unixes have, with a system call in each switch:
 *                           the default for all other machines and compilers
 *
 * So a compiler without that asm needs ucontext for i386, ARM and RISC-V on a Unix, and has no
 * fibers on Windows or without an operating system. The core needs no context: its labels work
 * everywhere.
 *
 * A switch keeps no thread-local state: errno and C++ exceptions in flight belong to the thread. */
#ifndef PT_CONTEXT_H
#define PT_CONTEXT_H

#include "../base/config.h"

/* The kinds of switches: see above. */
#define PT_CONTEXT_UCONTEXT 0
#define PT_CONTEXT_INLINE 1
#define PT_CONTEXT_ABI 2

/* The architecture's file, if it has one. */
#if defined(_WIN32) && defined(__x86_64__)
#define PT_CONTEXT_ARCH_ "arch/x86_64_windows.h"
#elif defined(_WIN32)
#elif defined(__x86_64__) && !defined(__ILP32__)
#define PT_CONTEXT_ARCH_ "arch/x86_64.h"
#elif defined(__i386__)
#define PT_CONTEXT_ARCH_ "arch/i386.h"
#elif defined(__aarch64__) && !defined(__ILP32__)
#define PT_CONTEXT_ARCH_ "arch/aarch64.h"
#elif defined(__arm__)
#define PT_CONTEXT_ARCH_ "arch/arm.h"
#elif defined(__riscv)
#define PT_CONTEXT_ARCH_ "arch/riscv.h"
#endif

/* The default: inline, if the compiler has the asm and the architecture is known. */
#ifndef PT_CONTEXT
#if defined(__GNUC__) && defined(PT_CONTEXT_ARCH_)
#define PT_CONTEXT PT_CONTEXT_INLINE
#else
#define PT_CONTEXT PT_CONTEXT_UCONTEXT
#endif
#endif

struct pt_context;

/* pt_entry - the function that a new context begins with; it must not return */
typedef void (*pt_entry)(struct pt_context *self);

/* What each file of arch/ defines:
 *
 *     struct pt_context        pc and whatever else a switch needs; the floating-point environment
 *     pt_context_switch        leave FROM, in which the caller runs, and continue where TO was left
 *     pt_context_enter_        continue in TO, and save nothing
 *     pt_context_make          make a context that begins with ENTRY on the BYTES at STACK
 *     pt_context_get_fp        save the current floating-point environment in a context
 *     pt_context_set_fp_       make that of a context current, if it differs from that of BEFORE
 *     pt_context_copy_fp       copy that of ANOTHER context
 *
 * pt_context_switch returns when something switches to FROM. All cost O(1) and allocate nothing. */

#if PT_CONTEXT == PT_CONTEXT_UCONTEXT
#if defined(_WIN32) || !PT_HOSTED
#error "context.h: there is no switch of stacks for this machine, or none with this compiler"
#endif
#include "arch/ucontext.h"
#else
#include PT_CONTEXT_ARCH_

/* Prefetch the top of a context's stack. */
PT_ALWAYS void pt_context_prefetch_(const struct pt_context *context)
{
    PT_PREFETCH(context->sp);
}
#endif

#if PT_CONTEXT == PT_CONTEXT_ABI
#if defined(_WIN32) || (!defined(__x86_64__) && !defined(__aarch64__))
#error "PT_CONTEXT_ABI: libpt has these functions for x86-64 and AArch64 only, not for Windows"
#endif
#ifdef __cplusplus
extern "C" {
#endif
void pt_context_switch_abi(struct pt_context *from, struct pt_context *to);
void pt_context_enter_abi(struct pt_context *to);
void pt_context_get_fp_abi(struct pt_context *context);
void pt_context_set_fp_abi(const struct pt_context *context, const struct pt_context *before);
#ifdef __cplusplus
}
#endif
#define pt_context_switch pt_context_switch_abi
#define pt_context_enter_ pt_context_enter_abi
#define pt_context_get_fp pt_context_get_fp_abi
#define pt_context_set_fp_ pt_context_set_fp_abi
#endif

/* pt_context_end - leave FROM for good and continue in TO; GONE runs if FROM is entered again */
PT_ALWAYS void pt_context_end(struct pt_context *from, struct pt_context *to, pt_entry gone)
{
    from->pc = PT_EXTENSION(void *) gone;
    pt_context_enter_(to);
}

/* pt_context_swap_fp - before a switch: change the floating-point environment from FROM's to TO's
 * FROM saves the current one: rounding, exceptions, and what else the architecture has there. */
PT_ALWAYS void pt_context_swap_fp(struct pt_context *from, struct pt_context *to)
{
    pt_context_get_fp(from);
    pt_context_set_fp_(to, from);
}

#endif
