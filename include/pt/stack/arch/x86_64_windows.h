/* arch/x86_64_windows.h - void pt_context_switch(struct pt_context *from, struct pt_context *to)
 * SPDX-License-Identifier: MIT
 *
 * Saved: rip, rsp, rbp, and what the thread's block (TEB, at gs) tells about its stack. Exceptions,
 * probes of large frames and the system read that, and Wine keeps a list of handlers there.
 * Clobbered: all others. Unchanged: the control bits of mxcsr and the x87 control word, which
 * pt_context_swap_fp_ switches.
 * x64 calling convention, Microsoft: rbx, rbp, rdi, rsi, r12-r15 and xmm6-xmm15 belong to the
 * caller; rsp is a multiple of 16 where a call is made, and there is no red zone; the first
 * argument is in rcx, so a switch leaves TO there; above the return address is room for four
 * arguments. All memory of a stack must exist before its first use: nothing grows it. */
#ifndef PT_ARCH_X86_64_WINDOWS_H
#define PT_ARCH_X86_64_WINDOWS_H

/* Written when a context is left, read when it is entered. */
struct pt_context {
    void *pc;         /* where it continues */
    void *sp;         /* its stack there */
    void *fp;         /* rbp, which an asm cannot clobber where it is the frame pointer */
    uint32_t mxcsr;   /* SSE's rounding and exceptions, if pt_context_swap_fp_ is used */
    uint16_t x87;     /* the same of the x87, with its precision */
    uint16_t padding; /* padding */
    void *rbx;        /* saved for clang, which ignores a clobber of it */
    void *high;       /* the upper end of its stack (gs:0x8) */
    void *low;        /* the lower end of what has memory (gs:0x10) */
    void *memory;     /* the lower end of its address space (gs:0x1478) */
    void *handlers;   /* the first of a list of handlers on it (gs:0x0) */
};

/* There is no red zone. */
#define PT_CONTEXT_RED_ZONE_ 0

/* Store what the thread's block tells about the stack in context FROM, and load it from TO. */
#define PT_CONTEXT_KEEP_STACK_(from) \
    "movq %%gs:0x8, %%rax\n"         \
    "movq %%gs:0x10, %%r8\n"         \
    "movq %%gs:0x1478, %%r9\n"       \
    "movq %%gs:0x0, %%r10\n"         \
    "movq %%rax, 40(" from ")\n"     \
    "movq %%r8, 48(" from ")\n"      \
    "movq %%r9, 56(" from ")\n"      \
    "movq %%r10, 64(" from ")\n"
#define PT_CONTEXT_LOAD_STACK_(to) \
    "movq 40(" to "), %%rax\n"     \
    "movq 48(" to "), %%r8\n"      \
    "movq 56(" to "), %%r9\n"      \
    "movq 64(" to "), %%r10\n"     \
    "movq %%rax, %%gs:0x8\n"       \
    "movq %%r8, %%gs:0x10\n"       \
    "movq %%r9, %%gs:0x1478\n"     \
    "movq %%r10, %%gs:0x0\n"

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
        PT_CONTEXT_KEEP_STACK_("%0")
        PT_CONTEXT_LOAD_STACK_("%1")
        "movq 8(%1), %%rsp\n"
        "movq 16(%1), %%rbp\n"
        "jmpq *0(%1)\n"
        "1: "
        PT_CONTEXT_IF_(__clang__, "movq 32(%1), %%rbx\n")
        : "+d"(from), "+c"(to)
        :
        : "rax", PT_CONTEXT_UNLESS_(__clang__, "rbx",)
          "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
          "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
          PT_CONTEXT_IF_(__AVX512F__, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22",
                         "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30",
                         "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",)
          "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)",
          "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", "cc", "memory");
    /* clang-format on */
    pt_uses_all_();
}

PT_ALWAYS void pt_context_enter_(struct pt_context *to)
{
    /* clang-format off */
    __asm__ volatile(
        PT_CONTEXT_LOAD_STACK_("%0")
        "movq 8(%0), %%rsp\n"
        "movq 16(%0), %%rbp\n"
        "jmpq *0(%0)\n"
        :
        : "c"(to)
        : "rax", "r8", "r9", "r10", "memory");
    /* clang-format on */
    __builtin_unreachable();
}

PT_ALWAYS void pt_context_get_fp_(struct pt_context *context)
{
    __asm__ volatile("stmxcsr %0\n"
                     "fnstcw %1\n"
                     : "=m"(context->mxcsr), "=m"(context->x87));
}

/* The low bits of mxcsr are flags of past exceptions: ignore them. */
PT_ALWAYS void pt_context_set_fp_(const struct pt_context *context, const struct pt_context *before)
{
    if (PT_UNLIKELY((context->mxcsr ^ before->mxcsr) & ~0x3fu))
        __asm__ volatile("ldmxcsr %0\n" : : "m"(context->mxcsr));
    if (PT_UNLIKELY(context->x87 != before->x87))
        __asm__ volatile("fldcw %0\n" : : "m"(context->x87));
}

PT_ALWAYS void pt_context_copy_fp_(struct pt_context *context, const struct pt_context *another)
{
    context->mxcsr = another->mxcsr;
    context->x87 = another->x87;
}

/* Above the frame of ENTRY are the return address 0, where unwinders and debuggers stop, and room
 * for arguments. */
PT_ALWAYS void pt_context_make(struct pt_context *context, void *stack, size_t bytes,
                               pt_entry entry)
{
    void **high = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15), **top = high - 5;

    *top = NULL;
    context->pc = PT_EXTENSION(void *) entry;
    context->sp = top;
    context->fp = NULL;
    context->high = high;
    context->low = context->memory = stack;
    context->handlers = (void *)~(uintptr_t)0; /* none */
}

#endif
