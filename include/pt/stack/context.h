/* context.h - a place in a program to go on from, with its stack: three words, and a jump
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_context here, there;
 *
 *     pt_context_make(&there, stack, sizeof stack, entry);
 *     pt_context_switch(&here, &there);        entry(&there) runs, on its own stack
 *                                              until it does pt_context_switch(&there, &here)
 *
 * arch/<architecture>.h has the switch. It stands in the code of its caller: {pc, sp, fp} go into the
 * one context and come from the other, nothing is pushed, and of all other registers the compiler
 * saves those that it has something in, because it is told that they are lost. It leaves by a jump: a
 * return would be predicted by the calls of the other stack. Each switch in the source is a jump of
 * its own, which a processor learns by itself.
 *
 * PT_CONTEXT chooses the way, the same for all that share a context:
 *
 *     PT_CONTEXT_INLINE     in place, by the asm of gcc and clang: x86-64 (System V, Windows), i386, AArch64,
 *                           ARM and Cortex-M, RISC-V; there the default
 *     PT_CONTEXT_ABI        functions of libpt that keep what the ABI wants kept, for whatever compiler: x86-64
 *                           (System V) and AArch64, on systems with ELF
 *     PT_CONTEXT_UCONTEXT   ucontext, which most Unixes have and which asks the kernel at each switch: the
 *                           default of all that is not above, for any compiler
 *
 * So another compiler has ucontext for i386, ARM and RISC-V on a Unix, and no fibers on a part without a
 * system, nor on Windows. The core needs none of this: it has its labels everywhere.
 *
 * A switch keeps no thread-local state: errno, and C++'s exceptions in flight, belong to the thread. */
#ifndef PT_CONTEXT_H
#define PT_CONTEXT_H

#include "../base/config.h"

/* Which switch: see above. */
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

/* By default: in place, if the compiler can and the architecture is known. */
#ifndef PT_CONTEXT
#if defined(__GNUC__) && defined(PT_CONTEXT_ARCH_)
#define PT_CONTEXT PT_CONTEXT_INLINE
#else
#define PT_CONTEXT PT_CONTEXT_UCONTEXT
#endif
#endif

struct pt_context;

/* pt_entry - what runs first in a context; it must not return */
typedef void (*pt_entry)(struct pt_context *self);

/* What a file of arch/ has:
 *
 *     struct pt_context        pc and what else it takes to go on; the floating-point environment
 *     pt_context_switch        leave FROM, in which the caller runs, and go on where TO was left
 *     pt_context_enter_        go on in TO, and leave nothing behind
 *     pt_context_make          a context that begins with ENTRY on the BYTES at STACK
 *     pt_context_get_fp        keep the floating-point environment that is in force
 *     pt_context_set_fp_       put the one of a context in force, if it differs from that of BEFORE
 *     pt_context_copy_fp       keep the one that ANOTHER keeps
 *
 * pt_context_switch returns when somebody switches to FROM. All cost O(1), and nothing is allocated. */

#if PT_CONTEXT == PT_CONTEXT_UCONTEXT
#if defined(_WIN32) || !PT_HOSTED
#error "context.h: there is no switch of stacks for this machine, or none with this compiler"
#endif
#include "arch/ucontext.h"
#else
#include PT_CONTEXT_ARCH_

/* The stack of a context is fetched into the cache. */
PT_ALWAYS void pt_context_prefetch_(const struct pt_context *context)
{
    PT_PREFETCH(context->sp);
}
#endif

#if PT_CONTEXT == PT_CONTEXT_ABI
#if defined(_WIN32) || (!defined(__x86_64__) && !defined(__aarch64__))
#error "PT_CONTEXT_ABI: libpt has these functions for x86-64 and AArch64 alone, and not for Windows"
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

/* pt_context_end - go on in TO and leave FROM for good; GONE runs if somebody enters it all the same */
PT_ALWAYS void pt_context_end(struct pt_context *from, struct pt_context *to, pt_entry gone)
{
    from->pc = PT_EXTENSION(void *) gone;
    pt_context_enter_(to);
}

/* pt_context_swap_fp - before a switch: FROM keeps the floating-point environment that is in force, and
 * that of TO is put in force: rounding, exceptions, what else the architecture has there */
PT_ALWAYS void pt_context_swap_fp(struct pt_context *from, struct pt_context *to)
{
    pt_context_get_fp(from);
    pt_context_set_fp_(to, from);
}

#endif
