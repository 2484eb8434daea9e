/* arch/x86_64.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * Saved: rip, rsp, rbp. Clobbered: all others, so that the compiler saves those that it needs.
 * Unchanged: the control bits of mxcsr and the x87 control word, which pt_context_swap_fp_
 * switches. System V ABI, AMD64, 3.2.1: rbx, rbp, r12-r15 and the control words belong to the
 * caller; 3.2.2: rsp is a multiple of 16 where a call is made; 3.2.3: the first argument is in rdi,
 * so a switch leaves TO there. */
#ifndef PT_ARCH_X86_64_H
#define PT_ARCH_X86_64_H

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;         /* where it continues */
    void *sp;         /* its stack there */
    void *fp;         /* rbp, which an asm cannot clobber where it is the frame pointer */
    uint32_t mxcsr;   /* SSE's rounding and exceptions, if pt_context_swap_fp_ is used */
    uint16_t x87;     /* the same of the x87, with its precision */
    uint16_t padding; /* padding */
    void *rbx;        /* saved for clang, which ignores a clobber of it, and for libpt */
    PT_IF_(PT_CONTEXT_KEEPS_, void *kept[4];) /* r12-r15, kept by libpt */
};

/* Bytes below rsp that a function may use if it calls no other. */
#define PT_CONTEXT_RED_ZONE_ 128

/* What control-flow enforcement the program is compiled for. 1: the processor checks the targets of
 * indirect jumps, so each needs a landing pad; 2: it has a shadow stack; 3: both. */
#ifdef __CET__
#define PT_CONTEXT_CET_ __CET__
#else
#define PT_CONTEXT_CET_ 0
#endif

#if PT_CONTEXT == PT_CONTEXT_INLINE

#define PT_CONTEXT_PAD_ PT_GLUE_(PT_CONTEXT_PAD_ON_, PT_CONTEXT_CET_)
#define PT_CONTEXT_PAD_ON_0
#define PT_CONTEXT_PAD_ON_1 "endbr64\n"
#define PT_CONTEXT_PAD_ON_2
#define PT_CONTEXT_PAD_ON_3 "endbr64\n"

/* In a function that calls alloca and has an over-aligned local, clang addresses locals
 * through rbx, and ignores that an asm clobbers it. So there the switch saves it. */
PT_ALWAYS void pt_context_switch(struct pt_context *from, struct pt_context *to)
{
    /* clang-format off */
    __asm__ volatile(
        "leaq 1f(%%rip), %%rax\n"
        "movq %%rax, 0(%0)\n"
        "movq %%rsp, 8(%0)\n"
        "movq %%rbp, 16(%0)\n"
        PT_CONTEXT_IF_(__clang__, "movq %%rbx, 32(%0)\n")
        "movq 8(%1), %%rsp\n"
        "movq 16(%1), %%rbp\n"
        "jmpq *0(%1)\n"
        "1: " PT_CONTEXT_PAD_
        PT_CONTEXT_IF_(__clang__, "movq 32(%1), %%rbx\n")
        : "+S"(from), "+D"(to)
        :
        : "rax", PT_CONTEXT_UNLESS_(__clang__, "rbx",)
          "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
          "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
          PT_CONTEXT_IF_(__AVX512F__, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22",
                         "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30",
                         "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",)
          "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)",
          PT_CONTEXT_IF_(__MMX__, "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7",)
          "cc", "memory");
    /* clang-format on */
    pt_uses_all_();
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    __asm__ volatile("movq 8(%0), %%rsp\n"
                     "movq 16(%0), %%rbp\n"
                     "jmpq *0(%0)\n"
                     :
                     : "D"(to)
                     : "memory");
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    __asm__ volatile("stmxcsr %0\n"
                     "fnstcw %1\n"
                     : "=m"(context->mxcsr), "=m"(context->x87));
}

/* A load is slow, and two environments mostly differ only in the low bits of mxcsr: flags of past
 * exceptions, which are ignored. */
PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY((context->mxcsr ^ before->mxcsr) & ~0x3fu))
        __asm__ volatile("ldmxcsr %0\n" : : "m"(context->mxcsr));
    if (PT_UNLIKELY(context->x87 != before->x87))
        __asm__ volatile("fldcw %0\n" : : "m"(context->x87));
}

#else
#include "abi.h"
#endif

/* A switch does not change the shadow stack, which would then hold the return addresses of the old
 * stack. */
PT_ALWAYS void pt_context_check_(void)
{
    uintptr_t shadow = 0;

    if (PT_CONTEXT_CET_ & 2)
        __asm__ volatile("rdsspq %0" : "+r"(shadow)); /* no effect without shadow stacks */
    if (PT_UNLIKELY(shadow))
        PT_PANIC("shadow stacks are on: link the program with -z noshstk", "pt_context_make", 0);
}

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
    context->mxcsr = another->mxcsr;
    context->x87 = another->x87;
}

/* Above the frame of ENTRY is the return address 0, where unwinders and debuggers stop. */
PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    void **top = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15) - 1;

    pt_context_check_();
    *top = NULL;
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = top;
    context->fp = NULL;
}

#endif
