/* arch/aarch64.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * Saved: pc, sp, x29. Clobbered: all others. Unchanged: fpcr, which pt_context_swap_fp_ switches.
 * AAPCS64, 6.1.1: x19-x29 and the low halves of v8-v15 belong to the caller; 6.4.5.1: sp is a
 * multiple of 16; 6.8.2: the first argument is in x0, so a switch leaves TO there, with 0 as the
 * return address. It jumps through x16: such a jump may land on a function's `bti c`, and on a
 * `bti j`. */
#ifndef PT_ARCH_AARCH64_H
#define PT_ARCH_AARCH64_H

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;      /* where it continues */
    void *sp;      /* its stack there */
    void *fp;      /* x29, which an asm cannot clobber where it is the frame pointer */
    uint64_t fpcr; /* rounding and exceptions, if pt_context_swap_fp_ is used */
    void *x19;     /* saved for clang, which ignores a clobber of it, and for libpt */
    PT_IF_(PT_CONTEXT_KEEPS_, uint64_t kept[17];) /* x20-x28, d8-d15, kept by libpt */
};

/* Bytes below sp that a function may use if it calls no other: only Apple allows that. */
#define PT_CONTEXT_RED_ZONE_ (PT_DEFINED_(__APPLE__) ? 128 : 0)

#if PT_CONTEXT == PT_CONTEXT_INLINE

/* The landing pad is a `bti j`. x18 is the platform register, which the compiler uses like any
 * other unless the platform reserves it. SVE's vectors are the v registers, only longer. In a
 * function that calls alloca and has an over-aligned local, clang addresses locals through x19, and
 * ignores that an asm clobbers it. So there the switch saves it. */
PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    register struct pt_context *to_x0 __asm__("x0") = to;
    register struct pt_context *from_x1 __asm__("x1") = from;

    /* clang-format off */
    __asm__ volatile(
        "adr x16, 1f\n"
        "mov x17, sp\n"
        "stp x16, x17, [x1]\n"
        "str x29, [x1, #16]\n"
        PT_CONTEXT_IF_(__clang__, "str x19, [x1, #32]\n")
        "ldp x16, x17, [x0]\n"
        "ldr x29, [x0, #16]\n"
        "mov x30, xzr\n"
        "mov sp, x17\n"
        "br x16\n"
        "1: " PT_CONTEXT_IF_(__ARM_FEATURE_BTI_DEFAULT, "hint #36\n")
        PT_CONTEXT_IF_(__clang__, "ldr x19, [x0, #32]\n")
        : "+r"(to_x0), "+r"(from_x1)
        :
        : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
          "x16", "x17", PT_CONTEXT_UNLESS_(__APPLE__, "x18",) PT_CONTEXT_UNLESS_(__clang__, "x19",)
          "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30",
          "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",
          "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
          "v27", "v28", "v29", "v30", "v31",
          PT_CONTEXT_IF_(__ARM_FEATURE_SVE, "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8",
                         "p9", "p10", "p11", "p12", "p13", "p14", "p15",)
          "cc", "memory");
    /* clang-format on */
    pt_uses_all_();
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    register struct pt_context *to_x0 __asm__("x0") = to;

    __asm__ volatile("ldp x16, x17, [x0]\n"
                     "ldr x29, [x0, #16]\n"
                     "mov x30, xzr\n"
                     "mov sp, x17\n"
                     "br x16\n"
                     :
                     : "r"(to_x0)
                     : "memory");
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    __asm__ volatile("mrs %0, fpcr\n" : "=r"(context->fpcr));
}

PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY(context->fpcr != before->fpcr))
        __asm__ volatile("msr fpcr, %0\n" : : "r"(context->fpcr));
}

#else
#include "abi.h"
#endif

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
    context->fpcr = another->fpcr;
}

PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = (void *)(((uintptr_t)stack + bytes) & ~(uintptr_t)15);
    context->fp = NULL;
}

#endif
