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
#include "uses_all.h"

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
#if !defined(PT_CONTEXT) && (defined(__GNUC__) || defined(__clang__)) && defined(PT_CONTEXT_ARCH_)
#define PT_CONTEXT PT_CONTEXT_INLINE
#elif !defined(PT_CONTEXT)
#define PT_CONTEXT PT_CONTEXT_UCONTEXT
#endif

/* A context: written when it is left, read when it is entered. All operations cost
 * O(1) and allocate nothing. */
struct pt_context;

/* pt_entry - the function that a new context begins with; it must not return */
typedef void (*pt_entry)(struct pt_context *self);

/* pt_context_make - make a context that begins with ENTRY on the BYTES at STACK */
PT_API void pt_context_make(struct pt_context *context, void *stack, size_t bytes, pt_entry entry);

/* pt_context_switch - leave FROM, in which the caller runs, and continue where TO was left
 * Returns when something switches to FROM. */
PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to);

/* pt_context_end - leave FROM for good and continue in TO; GONE runs if FROM is entered again */
PT_ALWAYS void pt_context_end(struct pt_context *from, struct pt_context *to, pt_entry gone);

/* --- implementation ------------------------------------------------------------------------ */

/* Whether a context has room for the registers that a function of libpt saves. */
#define PT_CONTEXT_KEEPS_ PT_GLUE_(PT_CONTEXT_KEEPS_ON_, PT_CONTEXT)
#define PT_CONTEXT_KEEPS_ON_0 0
#define PT_CONTEXT_KEEPS_ON_1 0
#define PT_CONTEXT_KEEPS_ON_2 1

/* PT_DEFINED_(__MMX__) is 1 if the compiler has defined that macro as 1, otherwise 0;
 * PT_CONTEXT_IF_(__MMX__, text) is the text if so, PT_CONTEXT_UNLESS_(__MMX__, text) if not. */
#define PT_DEFINED_(macro) PT_DEFINED_AS_(macro)
#define PT_DEFINED_AS_(value) PT_DEFINED_FOUND_(PT_DEFINED_AS_##value)
#define PT_DEFINED_AS_1 0, /* one argument more */
#define PT_DEFINED_FOUND_(found) PT_DEFINED_SECOND_(found 1, 0, 0)
#define PT_DEFINED_SECOND_(first, second, ...) second
#define PT_CONTEXT_IF_(macro, ...) PT_IF_(PT_DEFINED_(macro), __VA_ARGS__)
#define PT_CONTEXT_UNLESS_(macro, ...) PT_IF_(PT_NOT_(PT_DEFINED_(macro)), __VA_ARGS__)

/* A file of arch/ defines struct pt_context, with the members pc and sp, pt_context_make and
 * pt_context_switch. It also defines, for the functions below and for fiber.h:
 *
 *     pt_context_enter_        continue in TO, and save nothing
 *     pt_context_get_fp_       save the current floating-point environment in a context
 *     pt_context_copy_fp_      copy that of ANOTHER context
 *     pt_context_set_fp_       make the floating-point environment of a context current, if it
 *                              differs from that of BEFORE
 *     PT_CONTEXT_RED_ZONE_     the size of the red zone: bytes below sp that a function may use if
 *                              it calls no other */
#if PT_CONTEXT == PT_CONTEXT_UCONTEXT && (defined(_WIN32) || !PT_HOSTED)
#error "context.h: there is no switch of stacks for this machine, or none with this compiler"
#elif PT_CONTEXT == PT_CONTEXT_UCONTEXT
#include "arch/ucontext.h"
#elif PT_CONTEXT == PT_CONTEXT_ABI && \
    (defined(_WIN32) || (!defined(__x86_64__) && !defined(__aarch64__)))
#error "PT_CONTEXT_ABI: libpt has these functions for x86-64 and AArch64 only, not for Windows"
#else
#include PT_CONTEXT_ARCH_

/* Prefetch the top of a context's stack. */
PT_ALWAYS void pt_context_prefetch_(const struct pt_context *context)
{
    PT_PREFETCH(context->sp);
}
#endif

PT_ALWAYS void pt_context_end(struct pt_context *from, struct pt_context *to, pt_entry gone)
{
    from->pc = PT_EXTENSION(void *) gone;
    pt_context_enter_(to);
}

/* Before a switch: change the floating-point environment from FROM's to TO's. FROM saves the
 * current one: rounding, exceptions, and what else the architecture has there. */
PT_ALWAYS void pt_context_swap_fp_(struct pt_context *from, struct pt_context *to)
{
    pt_context_get_fp_(from);
    pt_context_set_fp_(to, from);
}

#endif
